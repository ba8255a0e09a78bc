// Loops out of which no jump leads, until a signal's handler ends the program, or another thread; with COUNT, one that counts.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void spin(void) {
#ifdef COUNT
    for (;;) {
        asm volatile("inc %%rax" ::: "rax");
    }
#else
    for (;;) {
    }
#endif
}

static void *spinning(void *unused) {
    (void) unused;
    spin();
    return NULL;
}

static void handler(int signal) {
    (void) signal;
    write(1, "handler\n", 8);
    _exit(3);
}

int main(int argc, char **argv) {
    (void) argv;
    if (argc > 1) {
        pthread_t thread;
        pthread_create(&thread, NULL, spinning, NULL);
        usleep(100000);
        write(1, "main\n", 5);
        exit(4);
    }
    signal(SIGALRM, handler);
    alarm(1);
    spin();
}
