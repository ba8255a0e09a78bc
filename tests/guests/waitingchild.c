// A child that waits until its parent tells it a number: it is alive wherever the parent is before that.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int child_value;

int main(void) {
    int ends[2], number = 0, status = 0;
    if (pipe(ends) != 0) {
        return 1;
    }
    pid_t pid = fork();
    if (pid == 0) {
        if (read(ends[0], &number, sizeof number) != sizeof number) {
            exit(9);
        }
        child_value = number * 11;
        exit(number); // mark: child-exit
    }
    number = 1;
    if (write(ends[1], &number, sizeof number) != sizeof number || waitpid(pid, &status, 0) != pid) {
        return 2;
    }
    printf("status %d, child_value %d\n", WEXITSTATUS(status), child_value);
    return 0;
}
