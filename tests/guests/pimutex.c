// Priority-inheriting mutexes, contended: the kernel marks the word of a lock while others wait for it.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct shared {
    pthread_mutex_t mutex;
    long count;
};

static struct shared *all;

static void *work(void *unused) {
    (void) unused;
    for (int i = 0; i < 20; i++) {
        int error = pthread_mutex_lock(&all->mutex);
        if (error == EOWNERDEAD) {
            pthread_mutex_consistent(&all->mutex);
            all->count += 1000000;
        }
        long seen = all->count;
        nanosleep(&(struct timespec){0, 200000}, NULL);
        all->count = seen + 1;
        pthread_mutex_unlock(&all->mutex);
    }
    return NULL;
}

int main(void) {
    all = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&all->mutex, &attributes);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, work, NULL);
    }
    if (fork() == 0) {
        work(NULL);
        pthread_mutex_lock(&all->mutex);
        _exit(0); // still holds it
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    wait(NULL);
    work(NULL);
    printf("count %ld\n", all->count);
    return 0;
}
