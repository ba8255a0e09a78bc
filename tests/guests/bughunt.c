// The bug hunt: one of several workers writes one slot too far and destroys a neighbour on the heap; much later the
// main thread follows the destroyed pointer and crashes.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 8, WORKERS = 3, ROUNDS = 40 };

struct account {
    long slots[SLOTS];
    const char *owner;
};

static struct account *account;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void deposit(int slot, long amount) {
    account->slots[slot] = amount; // mark: guilty
}

static void *work(void *argument) {
    int worker = (int) (long) argument;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&mutex);
        int last = worker == 2 && round == 17 ? SLOTS : SLOTS - 1;
        for (int slot = 0; slot <= last; slot++) {
            deposit(slot, worker * 1000 + round);
        }
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    account = malloc(sizeof *account);
    memset(account->slots, 0, sizeof account->slots);
    account->owner = "alice";
    pthread_t workers[WORKERS];
    for (long i = 0; i < WORKERS; i++) {
        pthread_create(&workers[i], NULL, work, (void *) i);
    }
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(workers[i], NULL);
    }
    printf("all deposited\n");
    fflush(stdout);
    size_t length = strlen(account->owner); // mark: crash
    printf("owner %s has %zu letters\n", account->owner, length);
    return 0;
}
