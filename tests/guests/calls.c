// Functions that a debugger calls while the program stands still.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int factor = 5;

int scaled(int a, int b) {
    return (a + b) * factor; /* mark: scaled */
}

int length(const char *text) {
    return (int) strlen(text);
}

char *joined(const char *a, const char *b) {
    char *result = malloc(strlen(a) + strlen(b) + 1);
    strcpy(result, a);
    strcat(result, b);
    return result;
}

int content(const int *pointer) {
    return *pointer; /* mark: content */
}

int said(const char *text) {
    return printf("said: %s\n", text) + fflush(stdout);
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 5; i++) {
        sum += scaled(i, 1); /* mark: round */
    }
    char *name = joined("done", "!"); /* mark: name */
    printf("%s sum %d\n", name, sum); /* mark: print */
    free(name);
    return content(&sum) == 75 ? length("seven") + 2 : said("wrong"); /* mark: last */
}
