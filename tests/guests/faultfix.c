// Faults that a handler repairs: a page is unlocked on its first write, a division is skipped, a breakpoint passed.
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static volatile int faults, divisions, traps;
static char *area;
static long page;

static void on_fault(int signal, siginfo_t *info, void *context) {
    ucontext_t *frame = context;
    if (signal == SIGSEGV) {
        faults++; // mark: fault
        mprotect((void *) ((uintptr_t) info->si_addr & ~((uintptr_t) page - 1)), (size_t) page, PROT_READ | PROT_WRITE);
    } else if (signal == SIGFPE) {
        divisions++;
        frame->uc_mcontext.gregs[REG_RCX] = 4;
    } else {
        traps++;
    }
}

int main(void) {
    page = sysconf(_SC_PAGESIZE);
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    sigaction(SIGTRAP, &action, NULL);
    area = mmap(NULL, 8 * (size_t) page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 8; i++) {
        area[i * page + i] = (char) ('a' + i); // mark: touch
    }
    unsigned quotient = 100, remainder = 0, zero = 0;
    __asm__ volatile("idivl %%ecx" : "+a"(quotient), "+d"(remainder), "+c"(zero));
    __asm__ volatile("int3");
    printf("faults %d divisions %d quotient %u traps %d last %c\n", faults, divisions, quotient, traps, area[7 * page + 7]);
    return 0;
}
