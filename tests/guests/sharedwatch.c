// A parent and three children that count in shared memory, in an order that pipes settle.
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 3, ROUNDS = 30 };

static volatile int *count;
static volatile int computed;

int main(void) {
    count = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int to[CHILDREN][2];
    int from[CHILDREN][2];
    char c = 0;
    for (int j = 0; j < CHILDREN; j++) {
        if (pipe(to[j]) != 0 || pipe(from[j]) != 0) {
            return 1;
        }
        if (fork() == 0) {
            for (int i = 0; i < ROUNDS && read(to[j][0], &c, 1) == 1; i++) {
                ++*count;
                if (write(from[j][1], &c, 1) != 1) {
                    return 1;
                }
            }
            return 0;
        }
    }
    computed = 1; // mark: last-fork
    for (int i = 0; i < 100000; i++) {
        computed += i;
    }
    for (int i = 0; i < ROUNDS; i++) { // mark: forked
        for (int j = 0; j < CHILDREN; j++) {
            if (write(to[j][1], &c, 1) != 1) {
                return 1;
            }
        }
        for (int j = 0; j < CHILDREN; j++) {
            if (read(from[j][0], &c, 1) != 1) { // mark: read
                return 1;
            }
        }
        ++*count; // mark: own-write
    }
    while (wait(NULL) > 0) {
    }
    printf("%d\n", *count);
    return 0;
}
