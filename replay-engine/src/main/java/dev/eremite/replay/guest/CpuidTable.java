package dev.eremite.replay.guest;

import dev.eremite.tracer.linux.Tracee;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The processor as guests see it: the host's CPUID leaves without what replay could not reproduce: RDRAND and RDSEED,
 * transactions, RDPID, and the save instructions that show which registers are in use.
 */
public final class CpuidTable {
    /** eax, ebx, ecx, edx by leaf (upper half) and subleaf. */
    private final Map<Long, int[]> leaves = new LinkedHashMap<>();

    /** Reads the host's table in a stopped task whose CPUID does not fault and that has the engine's data pages. */
    public static CpuidTable read(Tracee tracee) {
        CpuidTable table = new CpuidTable();
        table.ask(tracee, List.of(key(0, 0), key(0x80000000, 0), key(0xd, 0), key(0xd, 1)));
        List<Long> questions = new ArrayList<>();
        int maximum = table.leaves.get(key(0, 0))[0];
        for (int leaf = 1; leaf <= Math.min(maximum, 0x40); leaf++) {
            table.addSubleaves(leaf, questions);
        }
        int extended = table.leaves.get(key(0x80000000, 0))[0];
        for (int leaf = 0x80000001; leaf <= extended && leaf <= 0x80000040; leaf++) {
            table.addSubleaves(leaf, questions);
        }
        table.ask(tracee, questions);
        table.mask();
        return table;
    }

    private void addSubleaves(int leaf, List<Long> questions) {
        if (leaf == 0xd) {
            // Two about all components, and one about each that there is; the others are zero.
            int[] user = leaves.get(key(leaf, 0));
            int[] supervisor = leaves.get(key(leaf, 1));
            long components = Integer.toUnsignedLong(user[0] | supervisor[2])
                    | Integer.toUnsignedLong(user[3] | supervisor[3]) << 32;
            for (int component = 2; component < 63; component++) {
                if ((components >>> component & 1) != 0) {
                    questions.add(key(leaf, component));
                }
            }
            return;
        }
        int subleaves = switch (leaf) {
            case 4, 7, 0xb, 0xf, 0x10, 0x12, 0x14, 0x18, 0x1f, 0x8000001d, 0x80000020, 0x80000026 -> 8;
            default -> 1;
        };
        for (int subleaf = 0; subleaf < subleaves; subleaf++) {
            questions.add(key(leaf, subleaf));
        }
    }

    private void ask(Tracee tracee, List<Long> questions) {
        int[][] answers =
                tracee.cpuid(questions.stream().mapToLong(Long::longValue).toArray());
        for (int i = 0; i < answers.length; i++) {
            leaves.put(questions.get(i), answers[i]);
        }
    }

    private void mask() {
        clear(1, 0, 2, 1 << 30); // RDRAND
        clear(1, 0, 1, 0xff000000); // initial APIC id
        clear(7, 0, 1, 1 << 4 | 1 << 11 | 1 << 18); // HLE, RTM, RDSEED
        clear(7, 0, 2, 1 << 5 | 1 << 22); // WAITPKG, RDPID
        clear(0xd, 1, 0, 0xf); // XSAVEOPT, XSAVEC, XGETBV1, XSAVES
        for (int subleaf = 0; subleaf < 8; subleaf++) {
            clear(0xb, subleaf, 3, -1); // x2APIC id
            clear(0x1f, subleaf, 3, -1);
        }
        clear(0x8000001e, 0, 0, -1); // extended APIC id
        clear(0x80000001, 0, 2, 1 << 15); // LWP
        clear(0x80000001, 0, 3, 1 << 27); // RDTSCP
    }

    private void clear(int leaf, int subleaf, int register, int bits) {
        int[] values = leaves.get(key(leaf, subleaf));
        if (values != null) {
            values[register] &= ~bits;
        }
    }

    private static long key(int leaf, int subleaf) {
        return ((long) leaf << 32) | (subleaf & 0xffffffffL);
    }

    /** eax, ebx, ecx, edx; zeroes for leaves the processor does not have. */
    public int[] lookup(int leaf, int subleaf) {
        int[] values = leaves.get(key(leaf, subleaf));
        if (values == null) {
            // Leaves without subleaves ignore ecx.
            values = leaves.containsKey(key(leaf, 1)) ? null : leaves.get(key(leaf, 0));
        }
        return values == null ? new int[4] : values;
    }

    /** Where the components lie in the XSAVE area; −1 for those that are absent. */
    public dev.eremite.replay.debug.ThreadRegisters.XsaveLayout xsaveLayout() {
        return new dev.eremite.replay.debug.ThreadRegisters.XsaveLayout(
                offset(2), offset(5), offset(6), offset(7), offset(9));
    }

    private int offset(int component) {
        int[] values = leaves.get(key(0xd, component));
        return values == null || values[0] == 0 ? -1 : values[1];
    }
}
