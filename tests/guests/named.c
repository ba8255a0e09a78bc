// Threads with names of three kinds, and a queued signal with a value.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

static pthread_barrier_t ready, done;
static volatile int received;

static void on_signal(int signal, siginfo_t *info, void *context) {
    (void) signal;
    (void) context;
    received = info->si_value.sival_int;
}

static void *own_name(void *argument) {
    pthread_setname_np(pthread_self(), "own-name");
    pthread_barrier_wait(&ready);
    pthread_barrier_wait(&done);
    return argument;
}

static void *given_name(void *argument) {
    pthread_barrier_wait(&ready);
    pthread_barrier_wait(&done);
    return argument;
}

int main(void) {
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &action, NULL);
    pthread_barrier_init(&ready, NULL, 3);
    pthread_barrier_init(&done, NULL, 3);
    pthread_t first, second;
    pthread_create(&first, NULL, own_name, NULL);
    pthread_create(&second, NULL, given_name, NULL);
    pthread_setname_np(second, "given-name");
    pthread_barrier_wait(&ready);
    prctl(PR_SET_NAME, "a name of fifteen and more"); // mark: main-name
    pthread_barrier_wait(&done); // mark: named
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    for (int i = 1; i <= 3; i++) {
        sigqueue(getpid(), SIGUSR1, (union sigval) {.sival_int = 100 * i});
    }
    printf("received %d\n", received); // mark: print
    return 0;
}
