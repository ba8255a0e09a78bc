// Changes a few bytes of large variables, with long computations and some output in between.
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static char table[100];
static char copy[100];
static long one, two, three, four;
static volatile unsigned long sink;

static void compute(void) {
    for (int i = 0; i < 20000000; i++) {
        sink = sink * 31 + i;
    }
}

int main(void) {
    compute();                              // mark: wide-start
    table[3] = 1;                           // mark: wide-a
    compute();
    one = 1;                                // mark: wide-b
    table[97] = 2;                          // mark: wide-c
    compute();
    write(1, "half\n", 5);
    table[97] = 2;
    table[50] = 3;                          // mark: wide-d
    compute();
    for (int i = 0; i < 3; i++) {
        three = i;                          // mark: wide-e
    }
    four = 4;                               // mark: wide-f
    compute();
    struct iovec parts[] = {{"near", 4}, {"ly\n", 3}};
    writev(1, parts, 2);
    memcpy(copy, table, sizeof copy);
    two = 2;                                // mark: wide-g
    compute();
    printf("%d %ld\n", copy[97], one + two + three + four);
    return 0;                               // mark: wide-end
}
