// setjmp and longjmp out of nested calls.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;
int jumps;
int marker;

static void inner(int n) {
    marker = n; // mark: inner
    if (n == 3) {
        longjmp(back, 5); // mark: jump
    }
    if (n < 1000000) {
        inner(n + 1);
    }
}

int main(void) {
    int value = setjmp(back); // mark: setjmp
    if (value == 0) {
        inner(0); // mark: call
    } else {
        jumps += value; // mark: landed
    }
    printf("jumps %d marker %d\n", jumps, marker); // mark: print
    return 0;
}
