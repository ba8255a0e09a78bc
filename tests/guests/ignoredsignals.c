// Waits that the kernel does not restart after a signal, while signals come that are ignored: SIGCHLD by default, SIGUSR1
// because the program says so, SIGWINCH. They must not end the wait, nor make it longer; a handler's signal must end it.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_MS = 300, TOLERATED_MS = 600, SIGNALS = 50, EVERY_MS = 20 };

static int queue, semaphore, wakeup[2];

static int by_epoll_wait(int ms) {
    struct epoll_event event;
    return epoll_wait(queue, &event, 1, ms);
}

static int by_epoll_pwait(int ms) {
    struct epoll_event event;
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGRTMIN);
    return epoll_pwait(queue, &event, 1, ms, &blocked);
}

static int by_epoll_pwait2(int ms) {
    struct epoll_event event;
    struct timespec time = {ms / 1000, ms % 1000 * 1000000L};
    return syscall(SYS_epoll_pwait2, queue, &event, 1, ms < 0 ? NULL : &time, NULL, 0);
}

static int by_semtimedop(int ms) {
    struct sembuf take = {0, -1, 0};
    struct timespec time = {ms / 1000, ms % 1000 * 1000000L};
    return semtimedop(semaphore, &take, 1, ms < 0 ? NULL : &time);
}

static int by_sigtimedwait(int ms) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    struct timespec time = {ms / 1000, ms % 1000 * 1000000L};
    return sigtimedwait(&set, NULL, ms < 0 ? NULL : &time);
}

static void pause_ms(int ms) {
    struct timespec time = {0, ms * 1000000L};
    nanosleep(&time, NULL);
}

enum { NO_END = -1, BY_EVENT = 0 };

// A child that disturbs its parent, ends its wait by an event or a signal if it is told to, and ends with a SIGCHLD.
static pid_t disturb(int signals, int end) {
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < signals; i++) {
            pause_ms(EVERY_MS);
            kill(parent, i % 3 == 0 ? SIGUSR1 : i % 3 == 1 ? SIGWINCH : SIGCHLD);
        }
        pause_ms(EVERY_MS);
        if (end > 0) {
            kill(parent, end);
        }
        struct sembuf give = {0, 1, 0};
        if (end == BY_EVENT &&
            (write(wakeup[1], "x", 1) != 1 || semop(semaphore, &give, 1) != 0 || kill(parent, SIGRTMIN) != 0)) {
            _exit(1);
        }
        _exit(0);
    }
    return child;
}

static void handler(int signal) {
    (void)signal;
}

static void drain(void) {
    char octet;
    struct sembuf take = {0, -1, IPC_NOWAIT};
    struct timespec now = {0, 0};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    if (read(wakeup[0], &octet, 1) != 1 || (semop(semaphore, &take, 1) != 0 && errno != EAGAIN)) {
        perror("drain");
    }
    sigtimedwait(&set, NULL, &now);
}

static void try(const char *name, int (*wait_for)(int)) {
    struct timespec before, after;
    pid_t child = disturb(SIGNALS, NO_END);
    clock_gettime(CLOCK_MONOTONIC, &before);
    int result = wait_for(WAIT_MS);
    int error = result < 0 ? errno : 0;
    clock_gettime(CLOCK_MONOTONIC, &after);
    long ms = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
    printf("%s: %d %s, %s\n", name, result, error ? strerror(error) : "-",
           ms < WAIT_MS - 1 ? "too early" : ms > WAIT_MS + TOLERATED_MS ? "too late" : "in time");
    waitpid(child, NULL, 0);

    child = disturb(3, BY_EVENT);
    result = wait_for(-1);
    printf("%s: %s\n", name, result < 0 ? strerror(errno) : "woken");
    waitpid(child, NULL, 0);
    drain();

    child = disturb(3, SIGALRM);
    result = wait_for(-1);
    printf("%s: %d %s\n", name, result, result < 0 ? strerror(errno) : "-");
    waitpid(child, NULL, 0);
}

int main(void) {
    struct epoll_event in = {.events = EPOLLIN};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGUSR1, SIG_IGN);
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    semaphore = semget(IPC_PRIVATE, 1, 0600);
    queue = epoll_create1(0);
    if (semaphore < 0 || queue < 0 || pipe(wakeup) != 0 || epoll_ctl(queue, EPOLL_CTL_ADD, wakeup[0], &in) != 0) {
        perror("prepare");
        return 1;
    }
    try("epoll_wait", by_epoll_wait);
    try("epoll_pwait", by_epoll_pwait);
    try("epoll_pwait2", by_epoll_pwait2);
    try("semtimedop", by_semtimedop);
    try("sigtimedwait", by_sigtimedwait);
    semctl(semaphore, 0, IPC_RMID);
    return 0;
}
