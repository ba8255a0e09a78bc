// Semaphores, barriers, read-write locks, once, keys, cancellation, detached threads and timed waits.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static sem_t semaphore, detached;
static pthread_barrier_t barrier;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int onces, serials, sum, destroyed;

static void initialise(void) {
    onces++;
}

static void destroy(void *value) {
    __atomic_add_fetch(&destroyed, *(int *) value, __ATOMIC_SEQ_CST);
}

static void *work(void *argument) {
    static int one = 1;
    pthread_once(&once, initialise);
    pthread_setspecific(key, &one);
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        __atomic_add_fetch(&serials, 1, __ATOMIC_SEQ_CST);
    }
    for (int i = 0; i < 20; i++) {
        pthread_rwlock_rdlock(&lock);
        int seen = sum;
        pthread_rwlock_unlock(&lock);
        pthread_rwlock_wrlock(&lock);
        sum += seen >= 0;
        pthread_rwlock_unlock(&lock);
    }
    sem_post(&semaphore);
    return argument;
}

static void *forever(void *argument) {
    for (;;) {
        pause();
    }
    return argument;
}

static void *post(void *argument) {
    sem_post(&detached);
    return argument;
}

int main(void) {
    sem_init(&semaphore, 0, 0);
    sem_init(&detached, 0, 0);
    pthread_barrier_init(&barrier, NULL, 4);
    pthread_key_create(&key, destroy);
    pthread_t threads[4], endless, free_thread;
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, work, NULL);
    }
    for (int i = 0; i < 4; i++) {
        sem_wait(&semaphore);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("once %d serial %d sum %d destroyed %d\n", onces, serials, sum, destroyed);
    pthread_create(&endless, NULL, forever, NULL);
    pthread_cancel(endless);
    void *result;
    pthread_join(endless, &result);
    printf("cancelled %d\n", result == PTHREAD_CANCELED);
    pthread_create(&free_thread, NULL, post, NULL);
    pthread_detach(free_thread);
    sem_wait(&detached);
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_nsec += 20000000;
    limit.tv_sec += limit.tv_nsec / 1000000000;
    limit.tv_nsec %= 1000000000;
    int timed = sem_timedwait(&semaphore, &limit);
    printf("timed %d %d\n", timed, errno == ETIMEDOUT);
    return 0;
}
