package dev.eremite.replay.probe;

import dev.eremite.tracer.x86.Decoded;
import dev.eremite.tracer.x86.Instruction;
import dev.eremite.tracer.x86.InstructionDecoder;
import java.util.HashSet;
import java.util.Set;

/** Finds branches near a place that lead into the bytes of a patch there. */
final class BranchScan {
    private static final int REACH = 256;

    private BranchScan() {}

    /** All relative branch targets in the decodable code around pc, as far as the window and 256 bytes reach. */
    static Set<Long> targetsAround(ProbeSite site) {
        Set<Long> targets = new HashSet<>();
        forwards(site, targets);
        long from = Math.max(site.windowAddress(), site.pc() - REACH);
        Instruction[] arriving = arrivingAtPc(site, from);
        // Going backwards, instruction boundaries are unknown. One of these starts is a true one.
        if (!collect(arriving, InstructionDecoder.MAX_LENGTH, targets)) {
            collect(arriving, arriving.length, targets);
        }
        return targets;
    }

    private static void forwards(ProbeSite site, Set<Long> targets) {
        long at = site.pc();
        while (at < site.pc() + REACH) {
            Decoded decoded = InstructionDecoder.decode(site.window(), site.offset(at), at);
            if (!(decoded instanceof Instruction instruction)) {
                return;
            }
            if (instruction.flow().isRelative()) {
                targets.add(instruction.target());
            }
            at = instruction.nextAddress();
        }
    }

    /** For each address before pc, the instruction there if a sweep from it arrives at pc exactly; otherwise null. */
    private static Instruction[] arrivingAtPc(ProbeSite site, long from) {
        int count = (int) (site.pc() - from);
        Instruction[] arriving = new Instruction[count];
        for (int i = count - 1; i >= 0; i--) {
            Decoded decoded = InstructionDecoder.decode(site.window(), site.offset(from + i), from + i);
            if (decoded instanceof Instruction instruction) {
                int next = i + instruction.length();
                arriving[i] = next == count || next < count && arriving[next] != null ? instruction : null;
            }
        }
        return arriving;
    }

    /** Adds the targets seen by sweeps from the first addresses; false if none of them arrives at pc. */
    private static boolean collect(Instruction[] arriving, int starts, Set<Long> targets) {
        boolean[] swept = new boolean[arriving.length];
        boolean any = false;
        for (int start = 0; start < Math.min(starts, arriving.length); start++) {
            int at = start;
            while (at < arriving.length && arriving[at] != null && !swept[at]) {
                swept[at] = true;
                any = true;
                if (arriving[at].flow().isRelative()) {
                    targets.add(arriving[at].target());
                }
                at += arriving[at].length();
            }
        }
        return any;
    }
}
