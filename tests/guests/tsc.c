// Reads the time-stamp counter and CPUID.
#include <cpuid.h>
#include <stdio.h>
#include <x86intrin.h>

int main(void) {
    unsigned a, b, c, d, processor;
    __get_cpuid(0, &a, &b, &c, &d);
    printf("vendor %.4s%.4s%.4s\n", (char *) &b, (char *) &d, (char *) &c);
    __get_cpuid(1, &a, &b, &c, &d);
    printf("signature %x features %x %x apic %u\n", a, c, d, b >> 24);
    unsigned long long first = __rdtsc();
    unsigned long long sum = 0;
    for (int i = 0; i < 100; i++) {
        sum += __rdtsc() - first;
    }
    unsigned long long last = __rdtscp(&processor);
    printf("first %llu sum %llu last %llu ordered %d cpu %u\n", first, sum, last, last > first, processor & 0xfff);
    return 0;
}
