// A thread that is not the leader starts the program anew, with one round less: it takes over the leader's id each time.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char rounds[16];
static char *program;

static void *start_anew(void *unused) {
    char *arguments[] = {program, rounds, NULL};
    execv("/proc/self/exe", arguments);
    perror("execv");
    _exit(1);
    return unused;
}

int main(int argc, char **argv) {
    int left = argc > 1 ? atoi(argv[1]) : 3;
    if (left == 0) {
        printf("process is still its leader: %d\n", getpid() == gettid());
        return 7;
    }
    program = argv[0];
    snprintf(rounds, sizeof rounds, "%d", left - 1);
    pthread_t thread;
    pthread_create(&thread, NULL, start_anew, NULL);
    pthread_join(thread, NULL);
    return 1;
}
