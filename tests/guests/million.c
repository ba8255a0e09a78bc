// A function called a million times in one segment.
#include <stdio.h>

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
        if (i == 777777) {
            target = i; // mark: target
        }
    }
    printf("hits %lu target %lu\n", hits, target); // mark: end
    return 0;
}
