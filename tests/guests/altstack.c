// Overflows the stack and survives on the alternate one.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static sigjmp_buf back;
static volatile int deep;

static void caught(int signal) {
    siglongjmp(back, signal);
}

__attribute__((noinline)) static int descend(int n) {
    volatile char space[4096];
    space[0] = (char) n;
    deep = n;
    return n < 1000000 ? descend(n + 1) + space[0] : 0;
}

int main(void) {
    struct rlimit limit = {.rlim_cur = 1 << 20, .rlim_max = 1 << 20};
    setrlimit(RLIMIT_STACK, &limit);
    stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = caught, .sa_flags = SA_ONSTACK};
    sigaction(SIGSEGV, &action, NULL);
    int signal = sigsetjmp(back, 1);
    if (signal == 0) {
        return descend(0);
    }
    printf("caught %d deep %d\n", signal, deep > 200 && deep < 300);
    return 0;
}
