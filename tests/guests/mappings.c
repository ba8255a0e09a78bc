// mmap of files (private and shared) and anonymous memory, mremap, mprotect, madvise, msync, brk, memory shared by fork.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long sum(const unsigned char *bytes, size_t length) {
    unsigned long sum = 0;
    for (size_t i = 0; i < length; i++) {
        sum = sum * 31 + bytes[i];
    }
    return sum;
}

int main(void) {
    char name[] = "/tmp/mappings-XXXXXX";
    int file = mkstemp(name);
    unlink(name);
    for (int i = 0; i < 3000; i++) {
        dprintf(file, "line %d\n", i);
    }
    size_t length = (size_t) lseek(file, 0, SEEK_END);
    unsigned char *private = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    unsigned char *shared = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    printf("length %zu private %lx shared %lx\n", length, sum(private, length), sum(shared, length));
    private[4100] = '!';
    shared[10] = '#';
    msync(shared, length, MS_SYNC);
    char back[4] = {0};
    if (pread(file, back, 3, 9) != 3 || pwrite(file, "written", 7, 8192) != 7) {
        return 1;
    }
    printf("read back %s, seen %.7s\n", back, shared + 8192);
    unsigned char *anonymous = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(anonymous, 7, 1 << 16);
    anonymous = mremap(anonymous, 1 << 16, 1 << 20, MREMAP_MAYMOVE);
    printf("grown %lx\n", sum(anonymous, 1 << 20));
    madvise(anonymous, 1 << 14, MADV_DONTNEED);
    printf("dropped %lx\n", sum(anonymous, 1 << 20));
    printf("protect %d unmap %d\n", mprotect(anonymous, 4096, PROT_READ), munmap(anonymous + 4096, 4096));
    int *common = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (fork() == 0) {
        *common = 4711;
        _exit(0);
    }
    wait(NULL);
    printf("from child %d\n", *common);
    char *before = sbrk(0);
    char *heap = sbrk(100000);
    memset(heap, 3, 100000);
    printf("brk %d %lx\n", heap == before, sum((unsigned char *) heap, 100000));
    sbrk(-100000);
    printf("shrunk %d\n", sbrk(0) == (void *) before);
    return 0;
}
