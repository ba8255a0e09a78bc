// Two threads that take two locks in opposite order, and main, which waits for them; or, with an argument, a loop without end.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long rounds;

static void *forwards(void *unused) {
    (void) unused;
    pthread_mutex_lock(&first);
    usleep(50000);
    pthread_mutex_lock(&second); /* mark: forwards */
    return NULL;
}

static void *backwards(void *unused) {
    (void) unused;
    pthread_mutex_lock(&second);
    usleep(50000);
    pthread_mutex_lock(&first); /* mark: backwards */
    return NULL;
}

static void turn(void) {
    for (;;) {
        rounds++;
    }
}

int main(int argc, char **argv) {
    (void) argv;
    printf("begun\n");
    fflush(stdout);
    if (argc > 1) {
        turn();
    }
    pthread_t one, other;
    pthread_create(&one, NULL, forwards, NULL);
    pthread_create(&other, NULL, backwards, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
