// One thread waits in read(2) or recv(2) for what another polls in memory: it must see it at the same moment in replay.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static _Atomic int flag;
static int ends[2];
static int receives;

static void *reader(void *unused) {
    (void) unused;
    if (receives) {
        recv(ends[0], (void *) &flag, sizeof flag, MSG_WAITALL);
    } else {
        read(ends[0], (void *) &flag, sizeof flag);
    }
    return NULL;
}

static void *writer(void *unused) {
    (void) unused;
    usleep(20000);
    int value = 7;
    write(ends[1], &value, sizeof value);
    return NULL;
}

int main(void) {
    unsigned long rounds = 0;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    for (int i = 0; i < 4; i++) {
        receives = i & 1;
        atomic_store(&flag, 0);
        pthread_t threads[2];
        pthread_create(&threads[0], NULL, reader, NULL);
        pthread_create(&threads[1], NULL, writer, NULL);
        while (atomic_load(&flag) == 0) {
            rounds++;
            if (i > 1) {
                getppid();
            }
        }
        pthread_join(threads[0], NULL);
        pthread_join(threads[1], NULL);
        printf("%d after %lu\n", atomic_load(&flag), rounds);
    }
    return 0;
}
