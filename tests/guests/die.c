// Ends by the signal that its argument names.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int zero;

static void *crash(void *argument) {
    *(volatile int *) argument = 1; // mark: crash
    return NULL;
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    printf("dying by %s\n", how);
    fflush(stdout);
    if (strcmp(how, "segv") == 0) {
        crash(NULL);
    } else if (strcmp(how, "abrt") == 0) {
        abort();
    } else if (strcmp(how, "kill") == 0) {
        kill(getpid(), SIGKILL);
    } else if (strcmp(how, "term") == 0) {
        raise(SIGTERM);
    } else if (strcmp(how, "fpe") == 0) {
        return 100 / zero;
    } else if (strcmp(how, "ill") == 0) {
        __asm__ volatile("ud2");
    } else if (strcmp(how, "trap") == 0) {
        __asm__ volatile("int3");
    } else if (strcmp(how, "pipe") == 0) {
        int ends[2];
        if (pipe(ends) != 0) {
            return 1;
        }
        close(ends[0]);
        return (int) write(ends[1], "x", 1);
    } else if (strcmp(how, "alrm") == 0) {
        alarm(1);
        for (;;) {
            pause();
        }
    } else if (strcmp(how, "thread") == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, crash, NULL);
        pthread_join(thread, NULL);
    }
    return 99;
}
