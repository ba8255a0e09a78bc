// Executes itself with one argument less until none is left.
#include <stdio.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv) {
    printf("stage %d\n", argc);
    fflush(stdout);
    if (argc > 1) {
        argv[argc - 1] = NULL;
        execve("/proc/self/exe", argv, environ);
        return 3;
    }
    return 4;
}
