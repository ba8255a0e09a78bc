// About three seconds of computation hit by 20 timer signals. Each handler notes the interrupted registers, so the
// output says exactly where each signal landed.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <ucontext.h>

enum { HITS = 20 };

static volatile sig_atomic_t hits;
static unsigned long places[HITS][3];
unsigned long counter;

static void hit(int signal, siginfo_t *info, void *context) {
    (void) signal;
    (void) info;
    const greg_t *registers = ((ucontext_t *) context)->uc_mcontext.gregs;
    if (hits == HITS) {
        return;
    }
    unsigned long hash = 14695981039346656037UL;
    for (int i = REG_R8; i <= REG_RIP; i++) {
        hash = (hash ^ (unsigned long) registers[i]) * 1099511628211UL;
    }
    places[hits][0] = counter;
    places[hits][1] = (unsigned long) registers[REG_RIP];
    places[hits][2] = hash;
    hits++;
}

int main(void) {
    struct sigaction action = {.sa_sigaction = hit, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    struct itimerval timer = {.it_value = {.tv_usec = 100000}, .it_interval = {.tv_usec = 100000}};
    setitimer(ITIMER_REAL, &timer, NULL);
    unsigned long x = 88172645463325252UL;
    for (unsigned long i = 0; i < ROUNDS; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17; // mark: compute
        counter = i;
    }
    timer.it_value.tv_usec = timer.it_interval.tv_usec = 0;
    setitimer(ITIMER_REAL, &timer, NULL);
    printf("x %lx hits %d\n", x, (int) hits);
    for (int i = 0; i < hits; i++) {
        printf("%2d counter %lu rip %lx registers %016lx\n", i, places[i][0], places[i][1], places[i][2]);
    }
    return hits >= 15 ? 0 : 1;
}
