// Everything that differs between two runs: randomness, clocks, ids, addresses, AT_RANDOM, uninitialised inputs.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static void print(const char *name, const unsigned char *bytes, int length) {
    printf("%s ", name);
    for (int i = 0; i < length; i++) {
        printf("%02x", bytes[i]);
    }
    printf("\n");
}

int main(void) {
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {
        return 1;
    }
    print("getrandom", bytes, sizeof bytes);
    int file = open("/dev/urandom", O_RDONLY);
    if (read(file, bytes, sizeof bytes) != sizeof bytes) {
        return 1;
    }
    print("urandom", bytes, sizeof bytes);
    print("auxv", (unsigned char *) getauxval(AT_RANDOM), 16);
    clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID};
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        struct timespec now;
        clock_gettime(clocks[i], &now);
        printf("clock %d %ld.%09ld\n", (int) clocks[i], (long) now.tv_sec, now.tv_nsec);
    }
    struct timeval day;
    gettimeofday(&day, NULL);
    struct tms tms;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("day %ld.%06ld time %ld times %ld cpu %ld\n", (long) day.tv_sec, (long) day.tv_usec, (long) time(NULL), (long) times(&tms),
            (long) usage.ru_utime.tv_usec);
    void *heap = malloc(10);
    printf("ids %d %d %d stack %p heap %p code %p\n", getpid(), getppid(), gettid(), (void *) bytes, heap, (void *) main);
    struct stat stat;
    lstat("/proc/self", &stat);
    char link[64] = {0};
    ssize_t length = readlink("/proc/self", link, sizeof link - 1);
    printf("self %zd %s inode %lu\n", length, link, (unsigned long) stat.st_ino);
    free(heap);
    return 0;
}
