// Maps a large file that is mostly holes, /dev/zero, and things that cannot be mapped.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const long GIGABYTE = 1L << 30;

static void zeros(void) {
    int zero = open("/dev/zero", O_RDWR);
    int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, zero, 0);
    int *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, zero, 0);
    if (fork() == 0) {
        shared[0] = 5;
        own[0] = 6;
        _exit(0);
    }
    wait(NULL);
    printf("shared %d, own %d\n", shared[0], own[0]);
}

static void refused(const char *path) {
    void *map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, open(path, O_RDONLY), 0);
    printf("%s: %s\n", path, map == MAP_FAILED ? strerror(errno) : "mapped");
}

int main(void) {
    zeros();
    refused("/dev/null");
    refused("/");

    char name[] = "/tmp/mapsparse-XXXXXX";
    int file = mkstemp(name);
    if (file < 0 || ftruncate(file, GIGABYTE) != 0) {
        return 1;
    }
    char *map = mmap(NULL, GIGABYTE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    printf("empty %d %d\n", map[0], map[GIGABYTE - 1]);
    map[100] = 1;
    map[1 << 21] = 2;
    pwrite(file, "x", 1, 5);
    int again = open(name, O_RDWR);
    unlink(name);
    char *second = mmap(NULL, GIGABYTE, PROT_READ, MAP_SHARED, again, 0); // mark: second
    printf("%d %d %d %d\n", second[100], second[1 << 21], second[5], second[GIGABYTE / 2]);
    map[GIGABYTE - 1] = 3;
    printf("%d\n", second[GIGABYTE - 1]);
    int memory = memfd_create("sparse", 0);
    ftruncate(memory, GIGABYTE);
    char *third = mmap(NULL, GIGABYTE, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    third[GIGABYTE / 2] = 4;
    printf("%d %d\n", third[0], third[GIGABYTE / 2]); // mark: end
    return 0;
}
