// vfork and posix_spawn; the children are the shell and a failing program.
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int finish(pid_t pid) {
    int status;
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void) {
    char *echo[] = {"sh", "-c", "echo spawned; exit 5", NULL};
    pid_t pid;
    int failed = posix_spawn(&pid, "/bin/sh", NULL, NULL, echo, environ);
    printf("posix_spawn %d status %d\n", failed, finish(pid));
    fflush(stdout);
    failed = posix_spawn(&pid, "/nonexistent/program", NULL, NULL, echo, environ);
    printf("missing %d\n", failed);
    fflush(stdout);
    volatile int shared = 1;
    pid = vfork();
    if (pid == 0) {
        shared = 2;
        execl("/bin/sh", "sh", "-c", "exit 6", (char *) NULL);
        _exit(1);
    }
    printf("vfork status %d shared %d\n", finish(pid), shared);
    pid = vfork();
    if (pid == 0) {
        shared = 3;
        _exit(7);
    }
    printf("vfork status %d shared %d\n", finish(pid), shared);
    return 0;
}
