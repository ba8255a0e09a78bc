package dev.eremite.replay.event;

/**
 * Enough of the registers at an event to prove that replay is on track.
 *
 * @param rip the instruction pointer
 * @param rsp the stack pointer
 * @param hash a 32-bit hash of all other general-purpose registers that hold guest data
 */
public record RegisterProof(long rip, long rsp, int hash) {}
