// Spins on a flag that another thread (BY_THREAD) or a SIGALRM handler sets; counts meanwhile when COUNT is set.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

static volatile int flag;

static void set(int signal) {
    (void) signal;
    flag = 1;
}

#ifdef BY_THREAD
static void *setter(void *argument) {
    struct timespec pause = {.tv_nsec = 300000000};
    nanosleep(&pause, NULL);
    set(0);
    return argument;
}
#endif

int main(void) {
#ifdef BY_THREAD
    pthread_t thread;
    pthread_create(&thread, NULL, setter, NULL);
#else
    signal(SIGALRM, set);
    struct itimerval timer = {.it_value = {.tv_usec = 300000}};
    setitimer(ITIMER_REAL, &timer, NULL);
#endif
    unsigned long n = 0;
#ifdef COUNT
    while (!flag) {
        n++;
    }
#else
    while (!flag) {
    }
#endif
    printf("flag %d n %lu\n", flag, n);
    return 0;
}
