// Mapped files that change by other ways than the mapping: emptied when they are opened, written while they are mapped
// privately and only to be read, shifted.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 4, LENGTH = PAGES * PAGE };

static void check(int right, const char *what) {
    if (!right) {
        perror(what);
        exit(1);
    }
}

static int fill(const char *name) {
    int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    check(file >= 0, name);
    for (int i = 0; i < PAGES; i++) {
        char page[PAGE];
        memset(page, 'a' + i, PAGE);
        check(write(file, page, PAGE) == PAGE, "write");
    }
    return file;
}

static char *map(int file, int prot, int flags) {
    char *memory = mmap(NULL, LENGTH, prot, flags, file, 0);
    check(memory != MAP_FAILED, "mmap");
    return memory;
}

static void emptied(void) {
    char *memory = map(fill("emptied"), PROT_READ | PROT_WRITE, MAP_SHARED);
    int again = open("emptied", O_RDWR | O_TRUNC);
    check(again >= 0 && ftruncate(again, LENGTH) == 0, "O_TRUNC");
    printf("open: %d", memory[0]);
    memory[0] = 'x';
    FILE *stream = fopen("emptied", "w+");
    check(stream != NULL && ftruncate(fileno(stream), LENGTH) == 0, "fopen");
    printf(", fopen: %d\n", memory[0]);
}

static void private(void) {
    close(fill("private"));
    int file = open("private", O_RDONLY);
    char *memory = map(file, PROT_READ, MAP_PRIVATE);
    char *writable = map(file, PROT_READ | PROT_WRITE, MAP_PRIVATE);
    close(file);
    printf("private: %c%c", memory[0], writable[0]);
    writable[PAGE] = 'w';
    int other = open("private", O_WRONLY);
    check(pwrite(other, "XYZ", 3, 0) == 3 && pwrite(other, "XYZ", 3, PAGE) == 3, "pwrite");
    printf(" -> %.3s%.3s, own page %c\n", memory, writable, writable[PAGE]);
}

static void shifted(void) {
    int file = fill("shifted");
    char *memory = map(file, PROT_READ, MAP_SHARED);
    // Not every file system can.
    int shifted = fallocate(file, FALLOC_FL_COLLAPSE_RANGE, PAGE, PAGE) == 0;
    printf("shifted: %s", !shifted || (memory[PAGE] == 'c' && memory[2 * PAGE] == 'd') ? "right" : "wrong");
    shifted = fallocate(file, FALLOC_FL_INSERT_RANGE, PAGE, PAGE) == 0;
    printf(", %s\n", !shifted || (memory[PAGE] == 0 && memory[2 * PAGE] == 'c') ? "right" : "wrong");
}

int main(void) {
    char folder[] = "/tmp/mapchanges-XXXXXX";
    check(mkdtemp(folder) != NULL && chdir(folder) == 0, folder);
    emptied();
    private();
    shifted();
    check(unlink("emptied") == 0 && unlink("private") == 0 && unlink("shifted") == 0 && rmdir(folder) == 0, "unlink");
    return 0;
}
