package dev.eremite.replay.timeline;

import dev.eremite.replay.session.ReplaySession;
import dev.eremite.replay.session.ReplayTask;
import dev.eremite.tracer.linux.Sys;
import dev.eremite.tracer.linux.Tracee;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Memory that a debugger has asked for, where no program has any: LLDB puts the code and the values of its expressions there.
 * It belongs to the debugger, stays over all moves, and is in the program's address space only while a copy of the program
 * runs for the debugger.
 */
final class ScratchMemory {
    private static final long START = 0x3000_0000_0000L;
    private static final int PAGE = 4096;
    private static final int MOST_BYTES = 64 << 20;
    private static final int READ_WRITE_EXECUTE = 7;

    /** MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE (mmap(2)). */
    private static final int MAPPING = 0x2 | 0x20 | 0x100000;

    private final TreeMap<Long, byte[]> areas = new TreeMap<>();
    private long next = START;
    private long total;

    /**
     * Makes an area of zeros.
     *
     * @param length in bytes; rounded up to whole pages
     * @return its address; 0 if there would be too much
     */
    long allocate(int length) {
        int rounded = (int) Math.min((length + (long) PAGE - 1) & -PAGE, MOST_BYTES);
        if (length <= 0 || length > MOST_BYTES || total + rounded > MOST_BYTES) {
            return 0;
        }
        long address = next;
        areas.put(address, new byte[rounded]);
        total += rounded;
        // A page between two areas shows who runs over the end of one.
        next += rounded + PAGE;
        return address;
    }

    /** Gives an area back; false if none begins there. */
    boolean release(long address) {
        byte[] area = areas.remove(address);
        total -= area == null ? 0 : area.length;
        return area != null;
    }

    /** Reads from one area, as far as it goes; empty if none has the address. */
    Optional<byte[]> read(long address, int length) {
        return area(address).map(area -> {
            int offset = (int) (address - area.getKey());
            byte[] bytes = new byte[Math.min(length, area.getValue().length - offset)];
            System.arraycopy(area.getValue(), offset, bytes, 0, bytes.length);
            return bytes;
        });
    }

    /** Writes into an area; false if none has all of the addresses. */
    boolean write(long address, byte[] bytes) {
        Optional<Map.Entry<Long, byte[]>> area = area(address);
        if (area.isEmpty()
                || address - area.get().getKey() + bytes.length > area.get().getValue().length) {
            return false;
        }
        System.arraycopy(
                bytes, 0, area.get().getValue(), (int) (address - area.get().getKey()), bytes.length);
        return true;
    }

    private Optional<Map.Entry<Long, byte[]>> area(long address) {
        return Optional.ofNullable(areas.floorEntry(address))
                .filter(area -> address - area.getKey() < area.getValue().length);
    }

    /** Maps all areas into the processes of a copy. */
    void mapInto(ReplaySession copy) {
        for (long address : areas.keySet()) {
            mapInto(copy, address);
        }
    }

    /** Maps an area into the processes of a copy. */
    void mapInto(ReplaySession copy, long address) {
        byte[] area = areas.get(address);
        for (Tracee tracee : processes(copy.tasks().values())) {
            if (tracee.inject(Sys.MMAP, address, area.length, READ_WRITE_EXECUTE, MAPPING, -1, 0) == address) {
                tracee.memory().write(address, area);
            }
        }
    }

    private static Collection<Tracee> processes(Collection<ReplayTask> tasks) {
        Set<Integer> seen = new HashSet<>();
        return tasks.stream()
                .filter(task -> seen.add(task.process().pid()))
                .map(ReplayTask::tracee)
                .toList();
    }

    /** Takes over what a copy has written into the areas. */
    void takeFrom(Tracee tracee) {
        areas.replaceAll((address, area) -> {
            byte[] now = tracee.memory().read(address, area.length);
            return now.length == area.length ? now : area;
        });
    }
}
