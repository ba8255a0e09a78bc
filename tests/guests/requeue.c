// Futexes by hand: wait, wake, requeue, cmp_requeue, wake_op, bitsets, time-outs.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { WAITERS = 4 };

static atomic_int from, to, woken, waiting;

static long futex(atomic_int *word, int operation, int value, const void *time, atomic_int *second, int third) {
    return syscall(SYS_futex, word, operation, value, time, second, third);
}

static void *wait(void *argument) {
    atomic_fetch_add(&waiting, 1);
    while (futex(&from, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) != 0 && errno == EINTR) {
    }
    atomic_fetch_add(&woken, 1);
    return argument;
}

int main(void) {
    pthread_t threads[WAITERS];
    for (int i = 0; i < WAITERS; i++) {
        pthread_create(&threads[i], NULL, wait, NULL);
    }
    struct timespec little = {.tv_nsec = 10000000};
    int moved = 0, woke = 0;
    // Repeated until all are seen on a queue: nothing else tells that a thread has reached the kernel.
    while (moved + woke < WAITERS) {
        long done = futex(&from, FUTEX_CMP_REQUEUE_PRIVATE, woke == 0 ? 1 : 0, (void *) (long) WAITERS, &to, 0);
        if (done > 0 && woke == 0) {
            woke = 1;
            done--;
        }
        moved += done > 0 ? (int) done : 0;
        nanosleep(&little, NULL);
    }
    printf("woke %d moved %d\n", woke, moved);
    printf("from has %ld\n", futex(&from, FUTEX_WAKE_PRIVATE, WAITERS, NULL, NULL, 0));
    long total = futex(&to, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    total += futex(&to, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, -1);
    total += futex(&from, FUTEX_WAKE_OP_PRIVATE, 1, (void *) 9L, &to,
            FUTEX_OP(FUTEX_OP_ADD, 5, FUTEX_OP_CMP_EQ, 0));
    for (int i = 0; i < WAITERS; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("woken later %ld in all %d, added %d\n", total, atomic_load(&woken), atomic_load(&to));
    long result = futex(&from, FUTEX_WAIT_PRIVATE, 0, &little, NULL, 0);
    printf("time-out %ld %d\n", result, errno == ETIMEDOUT);
    result = futex(&from, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
    printf("changed %ld %d\n", result, errno == EAGAIN);
    return 0;
}
