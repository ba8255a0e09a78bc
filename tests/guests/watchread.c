// System calls that write watched variables: read(), fgets on a pipe, clock_gettime.
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

char buffer[64];
char line[64];
struct timespec stamp;
int after;

int main(void) {
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], "first\nsecond\n", 13) != 13) {
        return 1;
    }
    strcpy(buffer, "empty");
    ssize_t got = read(ends[0], buffer, 6); // mark: read
    after = 1;                           // mark: after-read
    buffer[got - 1] = 0;                 // mark: terminate
    FILE *input = fdopen(ends[0], "r");
    if (fgets(line, sizeof line, input) == NULL) { // mark: fgets
        return 2;
    }
    after = 2; // mark: after-fgets
    clock_gettime(CLOCK_MONOTONIC, &stamp); // mark: clock
    after = 3;                              // mark: after-clock
    printf("%s %s", buffer, line);          // mark: print
    return 0;
}
