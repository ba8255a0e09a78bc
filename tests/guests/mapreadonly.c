// Files that are mapped only to be read, and are changed meanwhile by write(2), by other mappings, and in their size.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *shared;
static const char *own;

static void show(const char *what) {
    printf("%-8s shared %.8s, private %.8s\n", what, shared, own);
    fflush(stdout);
}

int main(void) {
    char name[] = "/tmp/mapreadonly-XXXXXX";
    int file = mkstemp(name);
    write(file, "aaaaaaaa", 8);
    int reader = open(name, O_RDONLY);
    unlink(name);
    shared = mmap(NULL, 4096, PROT_READ, MAP_SHARED, reader, 0);
    own = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, reader, 0);
    char *copy = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    show("mapped");
    if (fork() == 0) {
        pwrite(file, "bb", 2, 2);
        _exit(0);
    }
    wait(NULL);
    show("written");
    copy[0] = 'c';
    pwrite(file, "d", 1, 1);
    printf("a copy of its own %.8s\n", copy);
    if (fork() == 0) {
        char *writer = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        writer[7] = 'z';
        _exit(0);
    }
    wait(NULL);
    show("mapped");
    ftruncate(file, 4);
    ftruncate(file, 8);
    show("cut");
    return 0;
}
