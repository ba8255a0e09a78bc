package dev.eremite.replay.event;

import java.util.List;

/** What replay has to do for a system call besides writing its memory outputs and its result. */
public sealed interface Effect {
    /** Nothing. */
    record None() implements Effect {
        /** The one value. */
        public static final None INSTANCE = new None();
    }

    /** Run the same call natively with the same arguments and expect the same result (munmap, mprotect, …). */
    record Native() implements Effect {
        /** The one value. */
        public static final Native INSTANCE = new Native();
    }

    /** A mapping was made at the address that is the call's result. */
    record Map(Mapping mapping) implements Effect {}

    /**
     * A task was created.
     *
     * @param child the recorded thread id of the new task
     * @param process the recorded thread-group id of the new task
     * @param flags clone flags (clone(2)), with the exit signal in the low byte
     * @param stack the child's stack pointer, or 0 to keep the parent's
     * @param tls the child's thread pointer where CLONE_SETTLS is set
     * @param childTid where CLONE_CHILD_SETTID and CLONE_CHILD_CLEARTID write, else 0
     * @param ownTid the new task's thread id as the task itself knows it; another than child in a PID namespace
     */
    record Spawn(int child, int process, long flags, long stack, long tls, long childTid, int ownTid)
            implements Effect {
        private static final long CLONE_VFORK = 0x4000;

        /** Whether the task that made it waits until it has executed a program or ended (vfork(2)). */
        public boolean vfork() {
            return (flags & CLONE_VFORK) != 0;
        }
    }

    /**
     * The content of an object that is mapped shared was changed through a file descriptor or a path (write(2),
     * ftruncate(2), …).
     *
     * @param object the number of {@link Mapping.Backing.Shared}
     * @param size the object's size in bytes afterwards
     * @param offset where the changed bytes begin
     * @param bytes the changed bytes as they are afterwards, possibly none
     */
    record Store(int object, long size, long offset, byte[] bytes) implements Effect {}

    /** The address space was replaced by a new program. */
    record Exec(ExecImage image) implements Effect {}

    /**
     * The program image as execve left it.
     *
     * @param path the executable as the kernel mapped it
     * @param mappings all mappings in ascending order, but the engine's own
     * @param contents memory that differs from what the mappings hold by themselves
     * @param registers user_regs_struct (27 longs) at the first instruction
     * @param auxv the auxiliary vector as raw bytes
     * @param brk the initial program break
     */
    record ExecImage(
            String path, List<Mapping> mappings, List<MemoryWrite> contents, long[] registers, byte[] auxv, long brk) {}
}
