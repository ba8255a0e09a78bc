// Runs for a while with a thread and a child that are busy too; the main thread prints a number every millisecond.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int done;

static void *busy(void *argument) {
    while (!atomic_load(&done)) {
        usleep(700);
    }
    return argument;
}

int main(int argc, char **argv) {
    int ticks = argc > 1 ? atoi(argv[1]) : 50;
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < ticks; i++) {
            usleep(1000);
        }
        _exit(0);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, busy, NULL);
    for (int i = 0; i < ticks; i++) {
        printf("tick %d\n", i);
        fflush(stdout);
        usleep(1000);
    }
    atomic_store(&done, 1);
    pthread_join(thread, NULL);
    waitpid(child, NULL, 0);
    printf("end\n");
    return 0;
}
