// poll, select, epoll, eventfd, timerfd, signalfd, socketpair and pipes, across two threads.
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int events, pipes[2], sockets[2];

static void *writer(void *argument) {
    uint64_t one = 5;
    if (write(events, &one, sizeof one) != sizeof one || write(pipes[1], "pipe", 4) != 4 || send(sockets[1], "socket", 6, 0) != 6) {
        return NULL;
    }
    return argument;
}

static void collect(int epoll) {
    int seen = 0;
    while (seen < 3) {
        struct epoll_event ready[4];
        int count = epoll_wait(epoll, ready, 4, -1);
        for (int i = 0; i < count; i++) {
            char text[16] = {0};
            uint64_t value = 0;
            if (ready[i].data.fd == events) {
                seen += read(events, &value, sizeof value) == sizeof value && value == 5;
            } else {
                seen += read(ready[i].data.fd, text, sizeof text - 1) > 0;
            }
        }
    }
    printf("epoll saw %d\n", seen);
}

int main(void) {
    events = eventfd(0, 0);
    if (pipe(pipes) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) {
        return 1;
    }
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    int watched[] = {events, pipes[0], sockets[0]};
    for (int i = 0; i < 3; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.fd = watched[i]};
        epoll_ctl(epoll, EPOLL_CTL_ADD, watched[i], &event);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    collect(epoll);
    pthread_join(thread, NULL);

    struct pollfd polled[] = {{.fd = pipes[0], .events = POLLIN}, {.fd = pipes[1], .events = POLLOUT}};
    int ready = poll(polled, 2, 20);
    printf("poll %d %x %x\n", ready, (unsigned) polled[0].revents, (unsigned) polled[1].revents);
    printf("poll none %d\n", poll(polled, 1, 20));
    fd_set set;
    FD_ZERO(&set);
    FD_SET(pipes[0], &set);
    struct timeval limit = {.tv_usec = 20000};
    ready = select(pipes[0] + 1, &set, NULL, NULL, &limit);
    printf("select %d %d left %ld\n", ready, FD_ISSET(pipes[0], &set), (long) limit.tv_usec);

    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec when = {.it_value = {.tv_nsec = 20000000}};
    timerfd_settime(timer, 0, &when, NULL);
    uint64_t ticks = 0;
    if (read(timer, &ticks, sizeof ticks) != sizeof ticks) {
        return 2;
    }
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    sigprocmask(SIG_BLOCK, &usr1, NULL);
    int signals = signalfd(-1, &usr1, 0);
    raise(SIGUSR1);
    struct signalfd_siginfo info;
    if (read(signals, &info, sizeof info) != sizeof info) {
        return 3;
    }
    printf("timer %lu signal %u\n", (unsigned long) ticks, info.ssi_signo);
    return 0;
}
