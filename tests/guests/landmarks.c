// Computes in a way that its argument names, while a timer signal comes every 7 ms. Each handler notes the interrupted
// registers and stack and how far the computation is, so the output says exactly where each signal landed.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

enum { HITS = 20, PERIOD = 7000, SIZE = 1 << 20 };

static volatile sig_atomic_t hits;
static unsigned long places[HITS][3];
static volatile unsigned long outer;
static volatile unsigned long sum;
static char *buffer;
static const unsigned long *base;

static void hit(int signal, siginfo_t *info, void *context) {
    (void) signal;
    (void) info;
    const greg_t *registers = ((ucontext_t *) context)->uc_mcontext.gregs;
    if (hits == HITS) {
        return;
    }
    unsigned long hash = 14695981039346656037UL;
    for (int i = REG_R8; i <= REG_EFL; i++) {
        hash = (hash ^ (unsigned long) registers[i]) * 1099511628211UL;
    }
    const struct _libc_fpstate *vectors = ((ucontext_t *) context)->uc_mcontext.fpregs;
    for (int i = 0; i < 4; i++) {
        hash = (hash ^ vectors->_xmm[i / 2].element[i % 2]) * 1099511628211UL;
    }
    // Words at which remains of an XSAVE header may lie, as the dynamic loader leaves them, are not reproducible.
    const unsigned long *word = (const unsigned long *) registers[REG_RSP];
    for (; word < base && base - word < SIZE; word++) {
        if ((unsigned long) word % 64 != 0) {
            hash = (hash ^ *word) * 1099511628211UL;
        }
    }
    places[hits][0] = outer;
    places[hits][1] = sum;
    places[hits][2] = hash;
    hits++;
}

static int done(void) {
    return hits == HITS;
}

// The window of steps sees the inner loop only; the outer counter is elsewhere in memory.
static void nested(void) {
    while (!done()) {
        for (int i = 0; i < 5000; i++) {
            __asm__ volatile("" : : "r"(i));
        }
        outer++;
    }
}

// Like nested, but the outer counter is a local variable.
static void local(void) {
    unsigned long round = 0;
    while (!done()) {
        for (int i = 0; i < 3000; i++) {
            __asm__ volatile("" : "+r"(round) : "r"(i));
        }
        round++;
    }
    outer = round;
}

__attribute__((noinline)) static unsigned long mix(unsigned long x) {
    __asm__ volatile("" : "+r"(x));
    return x * 6364136223846793005UL + 1;
}

static void calls(void) {
    unsigned long x = 1;
    while (!done()) {
        x = mix(x);
    }
    outer = x != 0;
}

__attribute__((noinline)) static unsigned long fibonacci(unsigned n) {
    __asm__ volatile("");
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void recursion(void) {
    while (!done()) {
        sum += fibonacci(20);
        outer++;
    }
}

static void fill(void) {
    while (!done()) {
        memset(buffer, (int) outer, SIZE);
        outer++;
        sum += (unsigned char) buffer[outer % SIZE];
    }
}

static void repeated(void) {
    while (!done()) {
        char *to = buffer;
        unsigned long count = SIZE;
        __asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"((int) outer) : "memory");
        outer++;
    }
}

static void lengths(void) {
    memset(buffer, 'x', SIZE - 1);
    while (!done()) {
        sum += strlen(buffer);
        outer++;
    }
}

static int ascending(const void *a, const void *b) {
    unsigned x = *(const unsigned *) a;
    unsigned y = *(const unsigned *) b;
    return (x > y) - (x < y);
}

static void sorts(void) {
    unsigned *values = (unsigned *) buffer;
    while (!done()) {
        unsigned x = (unsigned) outer + 1;
        for (int i = 0; i < 2000; i++) {
            values[i] = x = x * 1664525u + 1013904223u;
        }
        qsort(values, 2000, sizeof *values, ascending);
        sum += values[7];
        outer++;
    }
}

static void floating(void) {
    double x = 0;
    double y = 1;
    while (!done()) {
        x = x + 0.5;
        y = y * 0.999 + x;
    }
    outer = x > y;
}

static void vectors(void) {
    float *values = (float *) buffer;
    while (!done()) {
        float total = 0;
        for (int i = 0; i < 4096; i++) {
            values[i] += 0.25f * (float) i;
            total += values[i];
        }
        sum = (unsigned long) total;
        outer++;
    }
}

// All rounds have the same registers at the same instructions; only memory tells them apart.
static void memory(void) {
    __asm__ volatile("1: incq %0\n cmpl %2, %1\n jne 1b" : "+m"(outer) : "m"(hits), "i"(HITS) : "cc", "memory");
}

__attribute__((noinline)) static int even(unsigned n);

__attribute__((noinline)) static int odd(unsigned n) {
    __asm__ volatile("");
    return n == 0 ? 0 : even(n - 1);
}

__attribute__((noinline)) static int even(unsigned n) {
    __asm__ volatile("");
    return n == 0 ? 1 : odd(n - 1);
}

// With optimisation the calls are jumps: the stack stays as it is.
static void tails(void) {
    while (!done()) {
        sum += even(1001 + outer % 7);
        outer++;
    }
}

// What tells places apart lies many frames above the innermost ones.
__attribute__((noinline)) static unsigned long descend(unsigned depth, unsigned long above) {
    __asm__ volatile("" : : "r"(above));
    if (depth == 0) {
        return fibonacci(9);
    }
    unsigned long total = descend(depth - 1, 0);
    if (depth % 60 == 0) {
        total += descend(depth - 1, 1);
    }
    __asm__ volatile("" : : "r"(above));
    return total & 0xff;
}

static void deep(void) {
    while (!done()) {
        sum += descend(300, outer);
        outer++;
    }
}

static int column[16];

static int place(int row, int size) {
    if (row == size) {
        return 1;
    }
    int found = 0;
    for (int c = 0; c < size; c++) {
        int free = 1;
        for (int r = 0; r < row; r++) {
            free &= column[r] != c && column[r] - c != row - r && c - column[r] != row - r;
        }
        if (free) {
            column[row] = c;
            found += place(row + 1, size);
        }
    }
    return found;
}

static void queens(void) {
    while (!done()) {
        sum += place(0, 8);
        outer++;
    }
}

struct node {
    struct node *left;
    struct node *right;
    unsigned long value;
};

static struct node *tree(unsigned depth, unsigned long *next) {
    struct node *node = malloc(sizeof *node);
    node->left = depth == 0 ? NULL : tree(depth - 1, next);
    node->value = depth == 3 ? 0 : (*next)++ % 3;
    node->right = depth == 0 ? NULL : tree(depth - 1, next);
    return node;
}

// A walk whose way is kept in the heap.
static void walk(void) {
    unsigned long next = 0;
    struct node *root = tree(14, &next);
    struct node **stack = malloc(64 * sizeof *stack);
    while (!done()) {
        int top = 0;
        stack[top++] = root;
        while (top > 0) {
            struct node *node = stack[--top];
            sum += node->value;
            if (node->left) {
                stack[top++] = node->left;
                stack[top++] = node->right;
            }
        }
        outer++;
    }
}

// Two stacks in the heap, and a switch between them without a system call.
void switch_stacks(void **from, void *to);
__asm__(".text\nswitch_stacks:\n"
        "push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n"
        "mov %rsp, (%rdi)\n mov %rsi, %rsp\n"
        "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n ret\n");

static void *stacks[3];
static int running;

static void hand_over(int to) {
    int from = running;
    running = to;
    switch_stacks(&stacks[from], stacks[to]);
}

static void coroutine(void) {
    int self = running;
    for (unsigned long round = 0;; round++) {
        sum += fibonacci(3 + (round + self) % 4);
        hand_over(done() ? 0 : 3 - self);
    }
}

static void coroutines(void) {
    for (int i = 1; i < 3; i++) {
        void **top = (void **) (buffer + i * (SIZE / 4));
        *--top = NULL;
        *--top = coroutine;
        stacks[i] = top - 6;
    }
    hand_over(1);
}

// A machine whose program, counters and registers are data.
static void interpreted(void) {
    static const unsigned char code[] = {0, 1, 2, 0, 3, 1, 1, 2, 4, 0, 5};
    long *file = calloc(16, sizeof *file);
    long *at = calloc(1, sizeof *at);
    while (!done()) {
        switch (code[*at]) {
            case 0: file[0]++; break;
            case 1: file[1] += 3; break;
            case 2: file[2] ^= file[0] & 7; break;
            case 3: file[3] = file[1] % 11; break;
            case 4: file[4] += file[3] > 5; break;
            default: *at = -1; outer += file[0] % 100000 == 0; break;
        }
        ++*at;
    }
    sum = file[0] + file[1] + file[2] + file[3] + file[4];
}

static jmp_buf back;

__attribute__((noinline)) static void leave(unsigned depth) {
    __asm__ volatile("" : "+r"(depth));
    if (depth > 0) {
        leave(depth - 1);
    } else if (hits >= 0) {
        _longjmp(back, 1);
    }
    __asm__ volatile("");
}

static void jumps(void) {
    while (!done()) {
        if (_setjmp(back) == 0) {
            leave(10 + outer % 3);
        }
        outer++;
    }
}

// A loop that counts in a vector register alone.
static void lanes(void) {
    unsigned long one[2] = {1, 3};
    unsigned long total[2] = {0, 0};
    __asm__ volatile(
            "movdqu %3, %%xmm1\n pxor %%xmm0, %%xmm0\n"
            "1: paddq %%xmm1, %%xmm0\n cmpl %2, %1\n jne 1b\n movdqu %%xmm0, %0"
            : "=m"(total)
            : "m"(hits), "i"(HITS), "m"(one)
            : "cc", "memory", "xmm0", "xmm1");
    outer = total[1] == 3 * total[0];
}

static const struct {
    const char *name;
    void (*work)(void);
} WORKS[] = {{"nested", nested}, {"local", local}, {"calls", calls}, {"recursion", recursion}, {"fill", fill},
             {"repeated", repeated}, {"lengths", lengths}, {"sorts", sorts}, {"floating", floating},
             {"vectors", vectors}, {"memory", memory}, {"tails", tails}, {"deep", deep}, {"queens", queens},
             {"walk", walk}, {"coroutines", coroutines}, {"interpreted", interpreted}, {"jumps", jumps},
             {"lanes", lanes}};

int main(int argc, char **argv) {
    buffer = calloc(1, SIZE);
    base = __builtin_frame_address(0);
    struct sigaction action = {.sa_sigaction = hit, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    for (unsigned i = 0; i < sizeof WORKS / sizeof *WORKS; i++) {
        if (argc > 1 && strcmp(argv[1], WORKS[i].name) == 0) {
            struct itimerval timer = {.it_value = {.tv_usec = PERIOD}, .it_interval = {.tv_usec = PERIOD}};
            setitimer(ITIMER_REAL, &timer, NULL);
            WORKS[i].work();
            timer.it_value.tv_usec = timer.it_interval.tv_usec = 0;
            setitimer(ITIMER_REAL, &timer, NULL);
            for (int h = 0; h < HITS; h++) {
                printf("%2d outer %lu sum %lu registers %016lx\n", h, places[h][0], places[h][1], places[h][2]);
            }
            printf("outer %lu sum %lu\n", outer, sum);
            return 0;
        }
    }
    return 2;
}
