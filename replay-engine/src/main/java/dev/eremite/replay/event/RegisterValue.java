package dev.eremite.replay.event;

/**
 * The content of a register.
 *
 * @param register its index in user_regs_struct
 * @param value all 64 bits
 */
public record RegisterValue(int register, long value) {}
