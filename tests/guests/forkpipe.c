// A parent and three children talk through pipes; the parent waits for each.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int child_value;

static void child(int number, int output) {
    child_value = number * 11; // mark: child-value
    char line[32];
    int length = snprintf(line, sizeof line, "child %d\n", number);
    if (write(output, line, (size_t) length) != length) {
        exit(9);
    }
    exit(number); // mark: child-exit
}

int main(void) {
    for (int i = 1; i <= 3; i++) {
        int ends[2];
        if (pipe(ends) != 0) {
            return 1;
        }
        pid_t pid = fork(); // mark: fork
        if (pid == 0) {
            close(ends[0]);
            child(i, ends[1]);
        }
        close(ends[1]);
        char text[64];
        ssize_t length = 0, got;
        while ((got = read(ends[0], text + length, sizeof text - 1 - (size_t) length)) > 0) {
            length += got;
        }
        text[length] = 0;
        int status;
        if (waitpid(pid, &status, 0) != pid) {
            return 2;
        }
        close(ends[0]);
        child_value += i; // mark: parent-value
        printf("%sstatus %d\n", text, WEXITSTATUS(status)); // mark: parent-print
        fflush(stdout);
    }
    printf("parent value %d\n", child_value); // mark: parent-end
    return 0;
}
