// Threads without locks: the result depends on the schedule, so only a replay repeats it.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static volatile int counter;
static char order[64];
static volatile int next;

static void *work(void *argument) {
    for (int i = 0; i < 8; i++) {
        int seen = counter;
        sched_yield();
        counter = seen + 1;
        order[next++ % 64] = (char) ('a' + (int) (long) argument);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    for (long i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, work, (void *) i);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("counter %d order %.63s\n", counter, order);
    return 0;
}
