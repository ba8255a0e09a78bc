// A function called a million times in one segment; with CALLS, in two thousand.
#include <stdio.h>
#include <unistd.h>

volatile unsigned long hits;
unsigned long target;

__attribute__((noinline)) static void touch(unsigned long i) {
    hits = i; // mark: million
}

int main(void) {
    printf("start\n"); // mark: start
    fflush(stdout);
    for (unsigned long i = 1; i <= 1000000; i++) {
        touch(i);
#ifdef CALLS
        if (i % 500 == 0) {
            getppid();
        }
#endif
        if (i == 777777) {
            target = i; // mark: target
        }
    }
    printf("hits %lu target %lu\n", hits, target); // mark: end
    return 0;
}
