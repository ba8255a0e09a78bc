package dev.eremite.replay.session;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Mapping;
import dev.eremite.replay.guest.TrappedInstruction;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A guest process in replay. */
public final class ReplayProcess {
    private final int pid;

    /** Whether its memory is that of its parent still (vfork). */
    private boolean borrowedMemory;

    private Effect.ExecImage image;
    private long brk;

    /** Lengths of System V segments by address. */
    private final Map<Long, Long> segments = new HashMap<>();

    /** Descriptors of files by which threads are named, with the thread. */
    private final Map<Integer, Integer> nameFiles = new HashMap<>();

    /** Shared mappings by address. */
    private final TreeMap<Long, Mapping> shared = new TreeMap<>();

    /** The last mapping that was made at an address, for its name. */
    private final TreeMap<Long, Mapping> named = new TreeMap<>();

    /** Addresses of opcodes that have been replaced so that they fault. */
    private final NavigableSet<Long> traps = new TreeSet<>();

    ReplayProcess(int pid) {
        this.pid = pid;
    }

    /** A copy for a forked child, or for a checkpoint under the same id. */
    ReplayProcess copy(int newPid) {
        ReplayProcess copy = new ReplayProcess(newPid);
        copy.image = image;
        copy.brk = brk;
        copy.borrowedMemory = borrowedMemory;
        copy.segments.putAll(segments);
        copy.nameFiles.putAll(nameFiles);
        copy.shared.putAll(shared);
        copy.traps.addAll(traps);
        copy.named.putAll(named);
        return copy;
    }

    /** The recorded process id. */
    public int pid() {
        return pid;
    }

    /** The program that it runs. */
    public Effect.ExecImage image() {
        return image;
    }

    void image(Effect.ExecImage newImage) {
        image = newImage;
        brk = newImage.brk();
        segments.clear();
        shared.clear();
        traps.clear();
        named.clear();
        // Files of this kind are closed on execve(2), as libraries open them.
        nameFiles.clear();
        newImage.mappings().forEach(this::mapped);
        borrowedMemory = false;
    }

    /** Takes note of a mapping that has been made. */
    void mapped(Mapping mapping) {
        named.put(mapping.start(), mapping);
        for (long trap : mapping.traps()) {
            traps.add(mapping.start() + trap);
        }
    }

    void forgetTraps(long start, long length) {
        traps.subSet(start, start + length).clear();
    }

    /** The name that the recording has for what is mapped from a file at an address; empty when it has none. */
    public String mappedName(long address) {
        Map.Entry<Long, Mapping> last = named.floorEntry(address);
        boolean inside =
                last != null && address < last.getKey() + last.getValue().length();
        return inside ? last.getValue().name() : "";
    }

    /** Puts the opcodes back that have been replaced, in what has been read of the process's memory. */
    public void hideTraps(long address, byte[] memory) {
        for (long trap : traps.subSet(address, address + memory.length)) {
            int at = (int) (trap - address);
            if (memory[at] == TrappedInstruction.TRAP) {
                memory[at] = TrappedInstruction.ESCAPE;
            }
        }
    }

    long brk() {
        return brk;
    }

    void brk(long value) {
        brk = value;
    }

    Map<Long, Long> segments() {
        return segments;
    }

    Map<Integer, Integer> nameFiles() {
        return nameFiles;
    }

    TreeMap<Long, Mapping> shared() {
        return shared;
    }

    /** Whether its memory is its parent's still (vfork(2)). */
    public boolean borrowedMemoryNow() {
        return borrowedMemory;
    }

    boolean borrowedMemory() {
        return borrowedMemory;
    }

    void borrowedMemory(boolean borrowed) {
        borrowedMemory = borrowed;
    }
}
