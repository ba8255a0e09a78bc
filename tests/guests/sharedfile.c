// A file that one process has mapped shared is changed by others without a mapping, in every way that Linux has.
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[] = "/tmp/sharedfile-XXXXXX";
static volatile char *map;
static sigjmp_buf beyond;

static void on_bus(int signal) {
    (void) signal;
    siglongjmp(beyond, 1);
}

static void show(const char *what) {
    char text[41];
    for (int i = 0; i < 40; i++) {
        text[i] = map[i] ? map[i] : '.';
    }
    text[40] = 0;
    printf("%-10s %s, second page: ", what, text);
    if (sigsetjmp(beyond, 1) == 0) {
        printf("%d\n", map[4096]);
    } else {
        printf("none\n");
    }
    fflush(stdout);
}

// Runs the change in a child that has unmapped the file.
static void by_child(const char *what, void (*change)(void)) {
    if (fork() == 0) {
        munmap((void *) map, 8192);
        change();
        _exit(0);
    }
    wait(NULL);
    show(what);
}

static void c_write(void) {
    int fd = open(path, O_WRONLY);
    lseek(fd, 3, SEEK_SET);
    write(fd, "WRITE", 5);
}

static void c_pwrite(void) {
    pwrite(open(path, O_RDWR), "pwrite", 6, 10);
}

static void c_append(void) {
    int fd = open(path, O_WRONLY | O_APPEND);
    struct iovec v[2] = {{"app", 3}, {"end", 3}};
    writev(fd, v, 2);
}

static void c_sendfile(void) {
    int in = open("/proc/self/comm", O_RDONLY);
    int fd = open(path, O_WRONLY);
    lseek(fd, 20, SEEK_SET);
    sendfile(fd, in, NULL, 8);
    int out = memfd_create("source", 0);
    write(out, "0123456789", 10);
    loff_t from = 2, to = 33;
    copy_file_range(out, &from, fd, &to, 5, 0);
}

static void c_grow(void) {
    truncate(path, 5000);
}

static void c_shrink(void) {
    ftruncate(open(path, O_RDWR), 25);
}

static void c_empty_and_fill(void) {
    int fd = open(path, O_WRONLY | O_TRUNC);
    write(fd, "anew", 4);
    fallocate(fd, 0, 0, 4200);
}

int main(void) {
    signal(SIGBUS, on_bus);
    int fd = mkstemp(path);
    write(fd, "----------------------------------------", 40);
    map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    show("first");
    by_child("write", c_write);
    by_child("pwrite", c_pwrite);
    by_child("append", c_append);
    by_child("sendfile", c_sendfile);
    by_child("grow", c_grow);
    by_child("shrink", c_shrink);
    by_child("anew", c_empty_and_fill);
    map[1] = '!';
    char back[5] = {0};
    pread(fd, back, 4, 0);
    printf("read back %s\n", back);
    unlink(path);
    return 0;
}
