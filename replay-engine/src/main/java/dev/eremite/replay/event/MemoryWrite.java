package dev.eremite.replay.event;

/** Bytes that the kernel put into guest memory at an address. */
public record MemoryWrite(long address, byte[] bytes) {}
