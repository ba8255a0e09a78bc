// A process with several threads is killed, stopped first or not, while it holds a robust mutex that others wait for.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum way { KILL, KILL_PAUSED, KILL_STOPPED, TERMINATE, CONTINUE_AND_KILL, WAYS };

static pthread_mutex_t *mutex;
static volatile long rounds;

static void *work(void *yields) {
    for (;;) {
        rounds++;
        if (yields) {
            sched_yield();
        } else {
            getppid();
        }
    }
    return NULL;
}

static void hold(enum way way, int ready) {
    pthread_t thread;
    pthread_mutex_lock(mutex);
    for (int i = 0; i < 3; i++) {
        pthread_create(&thread, NULL, work, i == 1 ? mutex : NULL);
    }
    write(ready, "x", 1);
    if (way == KILL_PAUSED) {
        pause();
    }
    work(mutex);
}

static void end(enum way way, pid_t child) {
    int status;
    if (way == KILL_STOPPED) {
        kill(child, SIGSTOP);
        usleep(2000);
    } else if (way == CONTINUE_AND_KILL) {
        kill(child, SIGSTOP);
        waitpid(child, &status, WUNTRACED);
        printf("stopped %d\n", WIFSTOPPED(status));
        kill(child, SIGCONT);
        waitpid(child, &status, WCONTINUED);
        printf("continued %d\n", WIFCONTINUED(status));
    }
    kill(child, way == TERMINATE ? SIGTERM : SIGKILL);
}

int main(void) {
    mutex = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(mutex, &attributes);
    for (enum way way = 0; way < WAYS; way++) {
        int ready[2];
        pipe(ready);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            hold(way, ready[1]);
        }
        char byte;
        read(ready[0], &byte, 1);
        end(way, child);
        int error = pthread_mutex_lock(mutex);
        printf("way %d: %s\n", way, error == EOWNERDEAD ? "owner dead" : error == 0 ? "locked" : "error");
        if (error == EOWNERDEAD) {
            pthread_mutex_consistent(mutex);
        }
        pthread_mutex_unlock(mutex);
        int status;
        waitpid(child, &status, 0);
        printf("signal %d\n", WTERMSIG(status));
    }
    return 0;
}
