// Recursive functions: factorial, Ackermann, mutual recursion, and a quick sort.
#include <stdio.h>

int calls;

static long factorial(int n) {
    calls++;
    if (n <= 1) {
        return 1; // mark: bottom
    }
    return n * factorial(n - 1);
}

static int ackermann(int m, int n) {
    calls++;
    return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static int odd(unsigned n);

static int even(unsigned n) {
    return n == 0 || odd(n - 1);
}

static int odd(unsigned n) {
    return n != 0 && even(n - 1);
}

static void sort(int *values, int low, int high) {
    if (low >= high) {
        return;
    }
    int pivot = values[(low + high) / 2], i = low, j = high;
    while (i <= j) {
        while (values[i] < pivot) {
            i++;
        }
        while (values[j] > pivot) {
            j--;
        }
        if (i <= j) {
            int swap = values[i];
            values[i++] = values[j];
            values[j--] = swap;
        }
    }
    sort(values, low, j);
    sort(values, i, high);
}

int main(void) {
    long f = factorial(10);
    printf("factorial %ld calls %d\n", f, calls);
    int a = ackermann(2, 4);
    printf("ackermann %d calls %d\n", a, calls);
    printf("even %d odd %d\n", even(100), odd(100));
    int values[50];
    for (int i = 0; i < 50; i++) {
        values[i] = (i * 37) % 50;
    }
    sort(values, 0, 49);
    int ordered = 1;
    for (int i = 0; i < 50; i++) {
        ordered &= values[i] == i;
    }
    printf("ordered %d\n", ordered); // mark: ordered
    return 0;
}
