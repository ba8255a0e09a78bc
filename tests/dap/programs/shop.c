// Values of all kinds, calls and loops, for the clients of the debug adapter.
#include <stdio.h>
#include <string.h>

struct item {
    char name[8];
    int price;
    struct item *next;
};

static int counter;
static int squares[100000];

static int add(int a, int b) {
    int sum = a + b; /* mark: sum */
    counter++;
    return sum;
}

int main(void) {
    struct item book = {"book", 12, NULL};
    struct item pen = {"pen", 2, &book};
    double ratio = 1.5;
    for (int i = 0; i < 100000; i++)
        squares[i] = i * 3;
    int total = 0; /* mark: start */
    for (int i = 0; i < 5; i++) {
        total = add(total, pen.price); /* mark: add */
        printf("round %d\n", i); /* mark: print */
        fflush(stdout);
    }
    pen.price = total; /* mark: price */
    printf("total %d %.1f %d\n", total, ratio, squares[99999] + counter); /* mark: last */
    return 3;
}
