package dev.eremite.replay.store;

/** What CPUID answered to the guest for one leaf and subleaf (Intel SDM volume 2, CPUID). */
public record CpuidLeaf(int leaf, int subleaf, int eax, int ebx, int ecx, int edx) {}
