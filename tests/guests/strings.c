// Repeated string instructions, which write, copy and compare megabytes: watched, stepped over, and one that faults.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define SIZE (4L << 20)

char *from;
char *to;
long head[8];
int after;
long other[5];

static void fill(char *at, char value, long count) {
    __asm__ volatile("rep stosb" : "+D"(at), "+c"(count) : "a"(value) : "memory"); // mark: fill
}

static void copy_down(char *end, const char *source, long count) {
    __asm__ volatile("std\n\trep movsb\n\tcld" // mark: down
                     : "+D"(end), "+S"(source), "+c"(count)
                     :
                     : "memory");
}

// A word is written directly before the string instruction that begins behind it.
static void header(long *at) {
    long *body = at + 1;
    long count = 7;
    __asm__ volatile("movq $0, %3\n\trep stosq" // mark: header
                     : "+D"(body), "+c"(count)
                     : "a"(0L), "m"(*at)
                     : "memory");
}

static long equal_bytes(const char *one, const char *two, long count) {
    __asm__ volatile("repe cmpsb" : "+S"(one), "+D"(two), "+c"(count) : : "memory", "cc"); // mark: compare
    return count;
}

int main(int argc, char **argv) {
    from = malloc(SIZE);
    to = malloc(SIZE);
    head[0] = 5;
    fill(to, 1, SIZE);                                  // mark: first
    fill(from, 2, SIZE);                                // mark: second
    copy_down(to + SIZE - 1, from + SIZE - 1, SIZE);    // mark: copy
    after = 1;                                          // mark: copied
    header(head);                                       // mark: head
    after = 2;                                          // mark: headed
    to[SIZE - 2] = 3;                                   // mark: differ
    printf("%ld left\n", equal_bytes(from, to, SIZE));  // mark: equal
    fflush(stdout);                                     // mark: flush
    if (argc > 1 && argv[1][0] == 'f') {
        char *pages = mmap(NULL, 2 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(pages + (1 << 20), 1 << 20, PROT_READ);
        fill(pages, 4, 2 << 20);                        // mark: fault
    }
    return 0;
}
