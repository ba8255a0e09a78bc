// Instructions that tell of the time, of chance or of the processor, in the program's text and in code that it makes.
#include <cpuid.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// rdtsc; shl $32, %rdx; or %rdx, %rax; ret
static const unsigned char CLOCK[] = {0x0f, 0x31, 0x48, 0xc1, 0xe2, 0x20, 0x48, 0x09, 0xd0, 0xc3};

typedef unsigned long long (*clock_function)(void);

static volatile clock_function shared_clock;

static int processor_has(const char *feature) {
    char line[16384];
    FILE *file = fopen("/proc/cpuinfo", "r");
    int found = 0;
    while (file && !found && fgets(line, sizeof line, file)) {
        found = strncmp(line, "flags", 5) == 0 && strstr(line, feature) != NULL;
    }
    if (file) {
        fclose(file);
    }
    return found;
}

static void random_numbers(void) {
    unsigned short word = 0;
    unsigned half = 0;
    unsigned long whole = 0, high = 0, kept = 0x1122334455667788;
    unsigned char carry = 0;
    if (processor_has(" rdrand")) {
        __asm__ volatile("rdrand %0; setc %1" : "=r"(word), "=qm"(carry) : : "cc");
        printf("rdrand 16: %04x carry %d\n", word, carry);
        __asm__ volatile("rdrand %0; setc %1" : "=r"(half), "=qm"(carry) : : "cc");
        printf("rdrand 32: %08x carry %d\n", half, carry);
        __asm__ volatile("rdrand %0; setc %1" : "=r"(whole), "=qm"(carry) : : "cc");
        printf("rdrand 64: %016lx carry %d\n", whole, carry);
        __asm__ volatile("rdrand %%r11; mov %%r11, %0" : "=r"(high) : : "r11", "cc");
        printf("rdrand r11: %016lx\n", high);
        __asm__ volatile("rdrand %w0" : "+r"(kept) : : "cc");
        printf("rdrand keeps the upper part: %d\n", kept >> 16 == 0x112233445566);
    }
    if (processor_has(" rdseed")) {
        do {
            __asm__ volatile("rdseed %0; setc %1" : "=r"(whole), "=qm"(carry) : : "cc");
        } while (!carry);
        printf("rdseed 64: %016lx\n", whole);
    }
}

static clock_function made_code(int rewritable) {
    int protection = PROT_READ | PROT_WRITE | (rewritable ? PROT_EXEC : 0);
    void *code = mmap(NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(code, CLOCK, sizeof CLOCK);
    if (!rewritable) {
        mprotect(code, 4096, PROT_READ | PROT_EXEC);
    }
    clock_function result;
    memcpy(&result, &code, sizeof result);
    return result;
}

static void *reader(void *unused) {
    (void) unused;
    while (!shared_clock) {
        usleep(100);
    }
    printf("thread: %llu\n", shared_clock());
    return NULL;
}

int main(void) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    __get_cpuid(1, &a, &b, &c, &d);
    printf("cpuid %x %x %x\n", a, c, d);
    random_numbers();
    printf("clock in text: %llu\n", __builtin_ia32_rdtsc());

    // The thread exists before there is any code to look through.
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    clock_function first = made_code(0);
    printf("clock in code made executable: %llu\n", first());
    shared_clock = first;
    pthread_join(thread, NULL);
    clock_function second = made_code(1);
    unsigned long long before = second(), after = second();
    printf("clock in rewritable code: %llu, then %llu more\n", before, after - before);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        printf("child: %llu %llu\n", first(), __builtin_ia32_rdtsc());
        fflush(stdout);
        _exit(after > before ? 3 : 4);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("status %d, clock in text: %llu\n", WEXITSTATUS(status), __builtin_ia32_rdtsc());
    return WEXITSTATUS(status);
}
