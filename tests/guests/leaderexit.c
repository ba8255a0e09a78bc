// The first thread leaves, another one ends the process with a status of its own, or the last one leaves as well.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_t leader;
static int group;

static void *other(void *unused) {
    (void) unused;
    printf("leader joined: %d\n", pthread_join(leader, NULL));
    fflush(stdout);
    if (group) {
        exit(5);
    }
    syscall(SYS_exit, 3);
    return NULL;
}

int main(int argc, char **argv) {
    group = argc > 1 && strcmp(argv[1], "group") == 0;
    leader = pthread_self();
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    if (group) {
        pthread_exit(NULL);
    }
    syscall(SYS_exit, 3);
}
