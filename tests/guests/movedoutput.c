// Moves data to its own standard output without seeing it: sendfile, splice, tee, vmsplice, copy_file_range.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int filled(void) {
    char name[] = "/tmp/moved-XXXXXX";
    int file = mkstemp(name);
    unlink(name);
    for (int i = 0; i < 20000; i++) {
        dprintf(file, "line %d\n", i);
    }
    return file;
}

static void report(const char *call, long result) {
    fprintf(stderr, "%s %ld %d\n", call, result, result < 0 ? errno : 0);
}

static void interrupted(int signal) {
    (void) signal;
}

// The data comes late, and a signal before it.
static void late(const int *pipe_ends, int handled) {
    pid_t child = fork();
    if (child == 0) {
        usleep(60000);
        kill(getppid(), SIGUSR1);
        usleep(60000);
        write(pipe_ends[1], "late\n", 5);
        _exit(0);
    }
    struct sigaction action = {.sa_handler = handled ? interrupted : SIG_IGN};
    sigaction(SIGUSR1, &action, NULL);
    long result = splice(pipe_ends[0], NULL, 1, NULL, 100, 0);
    report("splice late", result);
    waitpid(child, NULL, 0);
    if (result < 0) {
        report("splice again", splice(pipe_ends[0], NULL, 1, NULL, 100, 0));
    }
}

int main(void) {
    int file = filled();
    off_t offset = 7;
    report("sendfile", sendfile(1, file, &offset, 1000));
    lseek(file, 0, SEEK_SET);
    long sum = 0;
    long part;
    while ((part = sendfile(1, file, NULL, 100000)) > 0) {
        sum += part;
    }
    report("sendfile", sum);
    report("sendfile", sendfile(1, 99, NULL, 10));
    lseek(file, 0, SEEK_SET);
    long copied = copy_file_range(file, NULL, 1, NULL, 70, 0);
    fprintf(stderr, "copy_file_range %s\n", copied == 70 || errno == EINVAL || errno == EXDEV ? "as expected" : "fails");

    int ends[2];
    if (pipe(ends) != 0) {
        return 1;
    }
    // Where the output is no pipe, tee and vmsplice are refused.
    write(ends[1], "piped\n", 6);
    part = tee(ends[0], 1, 100, 0);
    fprintf(stderr, "tee %s\n", part == 6 || errno == EINVAL ? "as expected" : "fails");
    report("splice", splice(ends[0], NULL, 1, NULL, 3, 0));
    report("splice", splice(ends[0], NULL, 1, NULL, 100, 0));
    report("splice empty", splice(ends[0], NULL, 1, NULL, 100, SPLICE_F_NONBLOCK));
    struct iovec text = {"from memory\n", 12};
    part = vmsplice(1, &text, 1, 0);
    fprintf(stderr, "vmsplice %s\n", part == 12 || errno == EBADF ? "as expected" : "fails");
    late(ends, 0);
    late(ends, 1);
    close(ends[1]);
    report("splice at the end", splice(ends[0], NULL, 1, NULL, 100, 0));

    // The same output by another descriptor.
    int again = open("/dev/stdout", O_WRONLY | O_APPEND);
    if (again >= 0) {
        write(again, "opened again\n", 13);
    }
    return 0;
}
