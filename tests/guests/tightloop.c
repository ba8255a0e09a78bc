// Loops of few bytes that do not end: where no probe fits beside another one, or none at all.
#include <stdio.h>
#include <string.h>

volatile unsigned long rounds;
static volatile int flag;

static void memory(void) {
    __asm__ volatile("1: addq $1, rounds(%rip)\n jmp 1b");
}

static void counter(void) {
    __asm__ volatile("xor %eax, %eax\n 1: inc %rax\n jmp 1b");
}

static void decrement(void) {
    __asm__ volatile("mov $-1, %rax\n 1: dec %rax\n jnz 1b");
}

static void polls(void) {
    while (!flag) {
    }
}

static void unoptimised(void) {
    for (;;) {
        rounds++;
    }
}

static void calls(void) {
    __asm__ volatile("jmp 2f\n 1: incq rounds(%rip)\n ret\n 2: call 1b\n jmp 2b");
}

static void nested(void) {
    __asm__ volatile("2: mov $3, %ecx\n 1: dec %ecx\n jnz 1b\n incq rounds(%rip)\n jmp 2b");
}

static void wide(void) {
    __asm__ volatile("2: mov $100000, %ecx\n 1: dec %ecx\n jnz 1b\n incq rounds(%rip)\n jmp 2b");
}

static const struct {
    const char *name;
    void (*run)(void);
} loops[] = {
    {"memory", memory}, {"counter", counter}, {"decrement", decrement}, {"polls", polls},
    {"unoptimised", unoptimised}, {"calls", calls}, {"nested", nested}, {"wide", wide},
};

int main(int argc, char **argv) {
    printf("begun\n");
    fflush(stdout);
    for (unsigned i = 0; i < sizeof loops / sizeof *loops; i++) {
        if (argc > 1 && strcmp(argv[1], loops[i].name) == 0) {
            loops[i].run();
        }
    }
    return 0;
}
