package dev.eremite.replay.timeline;

import dev.eremite.tracer.linux.ProcMaps;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.TracerException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** {@code int3} instructions put into the code of one process while it runs, and taken out before anybody looks. */
final class CodeTraps {
    private static final byte INT3 = (byte) 0xcc;

    private static final int EXECUTE = 4;

    /** What stood there, by address. */
    private final Map<Long, Byte> original = new TreeMap<>();

    /** Whether there is code at an address; data must not be changed, and debuggers leave breakpoints on the stack. */
    private final Map<Long, Boolean> code = new HashMap<>();

    /** Puts traps at all the addresses where code is mapped, and takes out others. */
    void set(Tracee tracee, Set<Long> addresses) {
        Map<Long, Byte> gone = new HashMap<>(original);
        gone.keySet().removeAll(addresses);
        gone.keySet().forEach(address -> remove(tracee, address));
        for (long address : addresses) {
            insert(tracee, address);
        }
    }

    /** Puts a trap at an address; does nothing where no code is mapped (yet), or where it is already. */
    void insert(Tracee tracee, long address) {
        byte[] old = tracee.memory().read(address, 1);
        if (old.length == 0 || original.containsKey(address) && old[0] == INT3) {
            return;
        }
        if (!code.computeIfAbsent(address, a -> isCode(tracee, a))) {
            original.remove(address);
            return;
        }
        try {
            tracee.memory().write(address, new byte[] {INT3});
            original.put(address, old[0]);
        } catch (TracerException e) {
            // Readable but not writable even by force: memory of a device. There is no code in it.
            original.remove(address);
        }
    }

    private static boolean isCode(Tracee tracee, long address) {
        return ProcMaps.read(tracee.tid()).stream()
                .anyMatch(entry -> entry.start() <= address && address < entry.end() && (entry.prot() & EXECUTE) != 0);
    }

    /** What was data may be code now. */
    void mappingsChanged() {
        code.clear();
    }

    void remove(Tracee tracee, long address) {
        Byte old = original.remove(address);
        byte[] now = tracee.memory().read(address, 1);
        // The code may have been replaced or unmapped since.
        if (old != null && now.length == 1 && now[0] == INT3) {
            tracee.memory().write(address, new byte[] {old});
        }
    }

    void removeAll(Tracee tracee) {
        for (long address : Set.copyOf(original.keySet())) {
            remove(tracee, address);
        }
    }

    /** Takes the traps out of a copy of the process, which keeps them itself. */
    void cleanCopy(Tracee copy) {
        for (Map.Entry<Long, Byte> entry : original.entrySet()) {
            byte[] now = copy.memory().read(entry.getKey(), 1);
            if (now.length == 1 && now[0] == INT3) {
                copy.memory().write(entry.getKey(), new byte[] {entry.getValue()});
            }
        }
    }

    boolean contains(long address) {
        return original.containsKey(address);
    }

    /** The process has a new program: nothing of the old one is left. */
    void forget() {
        original.clear();
        code.clear();
    }
}
