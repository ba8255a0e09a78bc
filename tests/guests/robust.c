// A thread and a child process die while they hold robust mutexes; the next owner learns it. Also a PI mutex.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void make(pthread_mutex_t *mutex, int protocol) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setprotocol(&attributes, protocol);
    pthread_mutex_init(mutex, &attributes);
}

static void *die(void *mutex) {
    pthread_mutex_lock(mutex);
    return NULL;
}

static void take(const char *name, pthread_mutex_t *mutex) {
    int result = pthread_mutex_lock(mutex);
    printf("%s: owner dead %d", name, result == EOWNERDEAD);
    if (result == EOWNERDEAD) {
        pthread_mutex_consistent(mutex);
    }
    int unlocked = pthread_mutex_unlock(mutex);
    printf(" unlocked %d again %d\n", unlocked, pthread_mutex_lock(mutex));
    pthread_mutex_unlock(mutex);
    fflush(stdout);
}

int main(void) {
    pthread_mutex_t *mutexes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    make(&mutexes[0], PTHREAD_PRIO_NONE);
    make(&mutexes[1], PTHREAD_PRIO_INHERIT);
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, die, &mutexes[i]);
        pthread_join(thread, NULL);
        take(i == 0 ? "thread" : "thread, inheriting", &mutexes[i]);
        if (fork() == 0) {
            pthread_mutex_lock(&mutexes[i]);
            _exit(0);
        }
        wait(NULL);
        take(i == 0 ? "process" : "process, inheriting", &mutexes[i]);
    }
    return 0;
}
