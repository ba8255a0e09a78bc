// Computes in a way that its argument names, while a timer signal comes every 7 ms. Each handler notes the interrupted
// registers and how far the computation is, so the output says exactly where each signal landed.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

enum { HITS = 20, SIZE = 1 << 20 };

static volatile sig_atomic_t hits;
static unsigned long places[HITS][3];
static volatile unsigned long outer;
static volatile unsigned long sum;
static char *buffer;

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

static const struct {
    const char *name;
    void (*work)(void);
} WORKS[] = {{"nested", nested},       {"local", local},     {"calls", calls},   {"recursion", recursion},
             {"fill", fill},           {"repeated", repeated}, {"lengths", lengths}, {"sorts", sorts},
             {"floating", floating},   {"vectors", vectors}};

int main(int argc, char **argv) {
    buffer = calloc(1, SIZE);
    struct sigaction action = {.sa_sigaction = hit, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    for (unsigned i = 0; i < sizeof WORKS / sizeof *WORKS; i++) {
        if (argc > 1 && strcmp(argv[1], WORKS[i].name) == 0) {
            struct itimerval timer = {.it_value = {.tv_usec = 7000}, .it_interval = {.tv_usec = 7000}};
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
