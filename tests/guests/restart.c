// A blocked read is restarted after a handler with SA_RESTART, and fails with EINTR without it.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t handled;
static int ends[2];

static void handler(int signal) {
    (void) signal;
    handled++;
    if (handled == 1 && write(ends[1], "x", 1) != 1) {
        _exit(9);
    }
}

static void arm(int flags) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(SIGALRM, &action, NULL);
    struct itimerval timer = {.it_value = {.tv_usec = 50000}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

int main(void) {
    char byte;
    if (pipe(ends) != 0) {
        return 1;
    }
    arm(SA_RESTART);
    ssize_t got = read(ends[0], &byte, 1);
    printf("restarted: %zd handled %d\n", got, (int) handled);
    arm(0);
    got = read(ends[0], &byte, 1);
    printf("interrupted: %zd %s handled %d\n", got, got < 0 ? strerror(errno) : "-", (int) handled);
    arm(SA_RESTART);
    struct timespec second = {.tv_nsec = 200000000}, left = {0};
    int slept = nanosleep(&second, &left);
    printf("sleep: %d %s left %d handled %d\n", slept, strerror(errno), left.tv_nsec > 0, (int) handled);
    arm(SA_RESTART);
    printf("pause: %d", pause());
    printf(" %s handled %d\n", strerror(errno), (int) handled);
    return 0;
}
