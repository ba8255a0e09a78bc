// Thread-local variables with initial values, also from a thread that ends first.
#include <pthread.h>
#include <stdio.h>

__thread int number = 42;
__thread char text[16] = "start";
static int results[3];

static void *work(void *argument) {
    int id = (int) (long) argument;
    number += id;
    snprintf(text, sizeof text, "thread %d", id);
    results[id] = number;                           // mark: tls-result
    return NULL;
}

int main(void) {
    for (long i = 0; i < 3; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, (void *) i);
        pthread_join(thread, NULL);
    }
    printf("%d %d %d here %d %s\n", results[0], results[1], results[2], number, text); // mark: main-print
    return 0;
}
