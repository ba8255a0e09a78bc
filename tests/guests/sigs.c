// Handlers: masks, pending, nested, alternate stack, siglongjmp, sigaction with siginfo, sigsuspend, ignored, raise.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char trail[256];
static sigjmp_buf back;
static char *alternate;
static size_t alternate_size = 65536;

static void mark(const char *text) {
    strncat(trail, text, sizeof trail - strlen(trail) - 1);
}

static void outer(int signal, siginfo_t *info, void *context) {
    (void) context;
    mark("[");
    if (signal == SIGUSR1) {
        raise(SIGUSR2);
    }
    mark(info->si_pid == getpid() ? "own" : "other");
    mark("]");
}

static void on_stack(int signal) {
    (void) signal;
    char here;
    mark(&here >= alternate && &here < alternate + alternate_size ? "alt " : "main ");
}

static void jump(int signal) {
    siglongjmp(back, signal); // mark: handler-jump
}

static void install(int signal, void (*handler)(int), int flags) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(signal, &action, NULL);
}

int main(void) {
    struct sigaction action = {.sa_sigaction = outer, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR1);
    kill(getpid(), SIGUSR2);
    printf("nested %s\n", trail);
    trail[0] = 0;

    sigset_t set, old, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, &old);
    raise(SIGUSR2);
    raise(SIGUSR2);
    sigpending(&pending);
    printf("blocked %s pending %d\n", trail, sigismember(&pending, SIGUSR2));
    sigprocmask(SIG_SETMASK, &old, NULL);
    printf("unblocked %s\n", trail);
    trail[0] = 0;

    sigprocmask(SIG_BLOCK, &set, &old);
    kill(getpid(), SIGUSR2);
    sigsuspend(&old);
    sigprocmask(SIG_SETMASK, &old, NULL);
    printf("suspended %s\n", trail);
    trail[0] = 0;

    alternate = malloc(alternate_size);
    stack_t stack = {.ss_sp = alternate, .ss_size = alternate_size};
    sigaltstack(&stack, NULL);
    install(SIGUSR1, on_stack, SA_ONSTACK);
    raise(SIGUSR1);
    install(SIGUSR1, on_stack, SA_RESETHAND);
    raise(SIGUSR1);
    sigaction(SIGUSR1, NULL, &action);
    printf("stack %sreset %d\n", trail, action.sa_handler == SIG_DFL);

    install(SIGUSR1, jump, 0);
    volatile int jumps = 0;
    int got = sigsetjmp(back, 1);
    if (got != 0) {
        jumps++; // mark: after-jump
    }
    if (jumps < 3) {
        raise(SIGUSR1);
    }
    printf("jumps %d signal %d\n", jumps, got);
    install(SIGUSR2, SIG_IGN, 0);
    raise(SIGUSR2);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    union sigval value = {.sival_int = 77};
    sigqueue(getpid(), SIGTERM, value);
    siginfo_t info;
    got = sigwaitinfo(&set, &info);
    printf("waited %d value %d\n", got == SIGTERM, info.si_value.sival_int);
    return 0;
}
