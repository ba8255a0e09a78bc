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
        sweep(site, site.pc(), site.pc() + REACH, targets);
        // Going backwards, instruction boundaries are unknown: trust the sweeps that arrive at pc exactly.
        for (long start = site.pc() - REACH; start < site.pc() - REACH / 2; start++) {
            Set<Long> found = new HashSet<>();
            if (start >= site.windowAddress() && sweep(site, start, site.pc(), found) == site.pc()) {
                targets.addAll(found);
            }
        }
        for (long start = Math.max(site.windowAddress(), site.pc() - REACH / 2); start < site.pc(); start++) {
            Set<Long> found = new HashSet<>();
            if (site.windowAddress() > site.pc() - REACH && sweep(site, start, site.pc(), found) == site.pc()) {
                targets.addAll(found);
            }
        }
        return targets;
    }

    private static long sweep(ProbeSite site, long from, long to, Set<Long> targets) {
        long at = from;
        while (at < to) {
            Decoded decoded = InstructionDecoder.decode(site.window(), site.offset(at), at);
            if (!(decoded instanceof Instruction instruction)) {
                return -1;
            }
            if (instruction.flow().isRelative()) {
                targets.add(instruction.target());
            }
            at += instruction.length();
        }
        return at;
    }
}
