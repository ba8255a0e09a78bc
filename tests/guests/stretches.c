// Many short stretches of computing with a call behind each, and a function that is called at the end only.
#include <stdio.h>
#include <unistd.h>

static volatile long n;
static volatile long work;

static void tick(void) {
    n++; /* mark: tick */
}

static void late(void) {
    work++; /* mark: late */
}

int main(void) {
    for (int i = 0; i < 300; i++) {
        for (int j = 0; j < 1000000; j++) {
            work++;
        }
        getppid();
        tick();
    }
    late();
    printf("%ld\n", n);
    return 0;
}
