// SIGALRM interrupts a computation; its result must not change, and the places are printed when asked.
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static volatile sig_atomic_t ticks;
static volatile unsigned long rounds;
static unsigned long seen[10];

static void tick(int signal) {
    (void) signal;
    if (ticks < 10) {
        seen[ticks++] = rounds; // mark: tick
    }
}

int main(int argc, char **argv) {
    (void) argv;
    struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    struct itimerval timer = {.it_value = {.tv_usec = 20000}, .it_interval = {.tv_usec = 20000}};
    setitimer(ITIMER_REAL, &timer, NULL);
    unsigned x = 1;
    while (ticks < 10) {
        x = x * 1103515245u + 12345u; // mark: compute
        rounds++;
    }
    timer.it_value.tv_usec = timer.it_interval.tv_usec = 0;
    setitimer(ITIMER_REAL, &timer, NULL);
    printf("ticks %d\n", (int) ticks);
    for (int i = 0; i < 10 && argc > 1; i++) {
        printf("%d at %lu\n", i, seen[i]);
    }
    return 0;
}
