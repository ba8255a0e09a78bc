// Signals between threads: pthread_kill at a computing and at a waiting thread, masks of each.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static __thread int received;
static atomic_int ready;
static int results[2];

static void note(int signal) {
    (void) signal;
    received++;
}

static void *computing(void *argument) {
    volatile unsigned long n = 0;
    atomic_fetch_add(&ready, 1);
    while (received < 3) {
        n++;
    }
    results[0] = received;
    return argument;
}

static void *waiting(void *argument) {
    sigset_t block, none;
    sigemptyset(&none);
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &block, NULL);
    atomic_fetch_add(&ready, 1);
    while (received < 1) {
        sigsuspend(&none);
    }
    results[1] = received;
    return argument;
}

int main(void) {
    struct sigaction action = {.sa_handler = note};
    sigaction(SIGUSR1, &action, NULL);
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, computing, NULL);
    pthread_create(&threads[1], NULL, waiting, NULL);
    while (atomic_load(&ready) < 2) {
        usleep(1000);
    }
    for (int i = 0; i < 3; i++) {
        pthread_kill(threads[0], SIGUSR1);
        usleep(30000);
    }
    pthread_kill(threads[1], SIGUSR1);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("computing %d waiting %d main %d\n", results[0], results[1], received);
    return 0;
}
