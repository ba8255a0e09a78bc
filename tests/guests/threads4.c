// Four threads take turns under a mutex and a condition variable; each has a __thread variable.
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, TURNS = 25 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;
int shared_sum;
int joined;
__thread int mine = -1;

static void *work(void *argument) {
    int id = (int) (long) argument;
    mine = 100 * (id + 1);
    for (int i = 0; i < TURNS; i++) {
        pthread_mutex_lock(&mutex);
        while (turn % THREADS != id) {
            pthread_cond_wait(&changed, &mutex);
        }
        shared_sum += id; // mark: shared-add
        mine++;           // mark: tls-add
        turn++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return (void *) (long) mine; // mark: work-end
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, work, (void *) i);
    }
    for (joined = 0; joined < THREADS; joined++) {
        void *result;
        pthread_join(threads[joined], &result); // mark: main-join
        printf("thread %d: %ld\n", joined, (long) result);
    }
    printf("sum %d turns %d mine %d\n", shared_sum, turn, mine); // mark: main-print
    return 0;
}
