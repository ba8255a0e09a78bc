// Copies standard input to standard output and says how much it was; prints its arguments and one variable.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        printf("argument %d: %s\n", i, argv[i]);
    }
    const char *variable = getenv("GUEST_VARIABLE");
    printf("variable %s\n", variable == NULL ? "unset" : variable);
    int c, count = 0;
    while ((c = getchar()) != EOF) {
        putchar(c);
        count++;
    }
    fprintf(stderr, "copied %d bytes\n", count);
    return 0;
}
