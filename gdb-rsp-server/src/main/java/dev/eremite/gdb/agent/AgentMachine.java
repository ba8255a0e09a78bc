package dev.eremite.gdb.agent;

/** The thread that an agent expression looks at. */
public interface AgentMachine {
    /** The value of a register by the number that the target description gives it, zero-extended to 64 bits. */
    long register(int number);

    /** Reads guest memory; shorter than asked where it is not mapped. */
    byte[] read(long address, int length);
}
