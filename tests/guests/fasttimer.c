// A timer that fires more often than a recorder can run its handler: the program must get on all the same, in code, in
// calls that wait, and where it waits for the handler.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EVERY_US = 50, COUNTED = 300 };

static volatile sig_atomic_t hits;

static void handler(int signal) {
    (void)signal;
    hits = hits + 1;
}

static void every(int us) {
    struct itimerval time = {{0, us}, {0, us}};
    if (setitimer(ITIMER_REAL, &time, NULL) != 0) {
        perror("setitimer");
    }
}

static unsigned compute(unsigned rounds) {
    volatile unsigned state = 1;
    for (unsigned i = 0; i < rounds; i++) {
        state = state * 1664525 + 1013904223;
    }
    return state;
}

int main(void) {
    int ends[2];
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    if (pipe(ends) != 0) {
        return 1;
    }

    every(EVERY_US);
    unsigned state = compute(20000000);
    every(0);
    printf("computed %u, %s\n", state, hits > 0 ? "hit" : "not hit");

    int before = hits;
    every(EVERY_US);
    while (hits - before < COUNTED) {
    }
    every(0);
    printf("counted\n");

    pid_t child = fork();
    if (child == 0) {
        struct timespec time = {0, 100000000};
        nanosleep(&time, NULL);
        return write(ends[1], "x", 1) == 1 ? 0 : 1;
    }
    char octet = '-';
    every(EVERY_US);
    ssize_t got = read(ends[0], &octet, 1);
    every(0);
    printf("read %zd %c\n", got, octet);
    waitpid(child, NULL, 0);

    // To a fixed time: what nanosleep(2) says is left need not become less when it is interrupted that often.
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 50000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int interrupted = 0;
    every(EVERY_US);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {
        interrupted = 1;
    }
    every(0);
    printf("slept, %s\n", interrupted ? "interrupted" : "not interrupted");

    // Calls that do not wait.
    before = hits;
    every(EVERY_US);
    for (int i = 0; i < 2000; i++) {
        getppid();
    }
    every(0);
    printf("called, %s\n", hits > before ? "hit" : "not hit");
    return 0;
}
