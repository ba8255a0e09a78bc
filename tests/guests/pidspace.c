// Children in PID namespaces of their own know themselves and each other by other ids (pid_namespaces(7)).
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int signals;

static void count(int signal) {
    (void) signal;
    signals++;
}

static void *thread(void *unused) {
    (void) unused;
    printf("thread %d of %d\n", (int) syscall(SYS_gettid), getpid());
    return NULL;
}

static void inside(int depth) {
    printf("process %d, parent %d, depth %d\n", getpid(), getppid(), depth);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        printf("child %d of %d\n", getpid(), getppid());
        exit(4);
    }
    int status;
    pid_t reaped = waitpid(child, &status, 0);
    printf("fork gave %d, wait %d with status %d\n", child, reaped, WEXITSTATUS(status));
    pthread_t id;
    pthread_create(&id, NULL, thread, NULL);
    pthread_join(id, NULL);
    signal(SIGUSR1, count);
    kill(getpid(), SIGUSR1);
    alarm(0);
    printf("%d signal\n", signals);
    fflush(stdout);
}

int main(void) {
    if (unshare(CLONE_NEWPID) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) {
        puts("no namespaces here");
        return 0;
    }
    pid_t first = fork();
    if (first == 0) {
        inside(1);
        if (unshare(CLONE_NEWPID) == 0) {
            pid_t second = fork();
            if (second == 0) {
                inside(2);
                exit(0);
            }
            printf("the inner one is %d here\n", second);
            waitpid(second, NULL, 0);
        }
        exit(0);
    }
    waitpid(first, NULL, 0);
    return 0;
}
