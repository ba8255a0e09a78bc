// About two seconds of computation between two system calls.
#include <stdio.h>
#include <unistd.h>

unsigned long result;

int main(void) {
    if (write(1, "start\n", 6) != 6) { // mark: start
        return 1;
    }
    unsigned long x = 88172645463325252UL;
    for (unsigned long i = 0; i < 1400000000UL; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17; // mark: compute
    }
    result = x; // mark: computed
    if (write(1, "end\n", 4) != 4) { // mark: end
        return 1;
    }
    printf("%lx\n", result);
    return 0;
}
