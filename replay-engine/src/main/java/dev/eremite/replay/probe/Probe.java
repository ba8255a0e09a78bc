package dev.eremite.replay.probe;

import dev.eremite.tracer.linux.Reg;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A probe ready to be written into a guest: write {@link #stub} first, then {@link #patch}, while every task is stopped
 * and none has a rip from pc + 1 to pc + 4 (move such a task to {@link #relocated} of its rip).
 *
 * @param pc the probed address
 * @param patch the bytes to write at pc, {@link ProbeAssembler#PATCH_BYTES}
 * @param original the bytes that they replace
 * @param displacedEnd the first address after the instructions that were moved into the stub
 * @param stubAddress where the stub belongs
 * @param stub its bytes, code and constants
 * @param hitAddress address of the int3; a task that was hit stops with rip one above it
 * @param missAddress where a visit goes on when the predicate does not hold; rcx is still saved there
 * @param scratch address of the {@link ProbeAssembler#SCRATCH_BYTES}: saved rcx, counter, temporary
 * @param boundaries every instruction of the stub, in order of address
 * @param traps for jumps that enter the patch in its middle: instruction boundaries inside the patch whose byte is an
 *     int3, with the stub addresses where such a task must go on; it stops with rip one above the boundary
 * @param closed whether a jump to any instruction inside the patch hits such a trap, or there is no boundary inside; if
 *     not, the caller relies on the known targets being all
 */
public record Probe(
        long pc,
        byte[] patch,
        byte[] original,
        long displacedEnd,
        long stubAddress,
        byte[] stub,
        long hitAddress,
        long missAddress,
        long scratch,
        List<Boundary> boundaries,
        Map<Long, Long> traps,
        boolean closed)
        implements ProbePlan {

    /**
     * An instruction of the stub, and what a task about to execute it looks like to the guest.
     *
     * @param address where it is in the stub
     * @param originalPc the guest's pc there
     * @param rcxSaved whether the guest's rcx is in scratch memory
     * @param visitCounted whether the counter already includes this visit
     * @param rspDelta to be added to rsp to get the guest's
     * @param predicate whether it belongs to the predicate (so a fault there is the probe's, not the guest's)
     */
    public record Boundary(
            long address, long originalPc, boolean rcxSaved, boolean visitCounted, int rspDelta, boolean predicate) {}

    /**
     * The guest's own view of a stop.
     *
     * @param registers user_regs_struct with rip, rcx and rsp as they are without the probe
     * @param visitCounted whether the counter includes the visit that is under way at rip; if the task is moved back to
     *     pc while the probe stays, it is counted again: add one to the counter. If the condition compares as well,
     *     only visits at which {@link ProbeCondition#holds} are counted
     */
    public record Normalised(long[] registers, boolean visitCounted) {}

    /** Address of the guest's rcx while a stub has it saved. */
    public long savedRcxAddress() {
        return scratch;
    }

    /** Address of the 64-bit visit counter; write the number of the wanted visit, 1 for the next. */
    public long counterAddress() {
        return scratch + ProbeAssembler.COUNTER_OFFSET;
    }

    /** Whether an address lies in the stub. */
    public boolean contains(long address) {
        return address >= stubAddress && address < stubAddress + stub.length;
    }

    /** Whether a task with this rip has just been hit. */
    public boolean isHit(long rip) {
        return rip == hitAddress + 1;
    }

    /**
     * The state that a task stopped in the stub would have without the probe. Nothing in memory needs to change: the
     * stub writes no guest memory of its own; where it was about to finish a call, the return address that it pushed
     * lies below the normalised rsp, where the call puts it again.
     *
     * <p>A view whose rip is inside the patch (pc + 1 to pc + 4) is for showing, for delivering a signal, or for going on
     * once the original bytes are back; it must not be resumed at while the patch is in place, unless {@link #traps} has
     * that rip. To go on from a hit without another visit, even under a new probe at the same pc, set rip to
     * {@link #relocated} of pc.
     *
     * @param registers user_regs_struct of a stopped task
     * @param savedRcx the word at {@link #savedRcxAddress}
     * @return the guest's view, or empty if rip is at no instruction of the stub
     */
    public Optional<Normalised> normalise(long[] registers, long savedRcx) {
        return boundaryAt(registers[Reg.RIP]).map(boundary -> {
            long[] guest = registers.clone();
            guest[Reg.RIP] = boundary.originalPc();
            guest[Reg.RSP] += boundary.rspDelta();
            if (boundary.rcxSaved()) {
                guest[Reg.RCX] = savedRcx;
            }
            return new Normalised(guest, boundary.visitCounted());
        });
    }

    /** The stub's instruction at an address, if one starts there. */
    public Optional<Boundary> boundaryAt(long address) {
        return boundaries.stream().filter(b -> b.address() == address).findFirst();
    }

    /**
     * Whether a stub address belongs to the predicate. A task that faults there (a compared word is not mapped) has not
     * failed itself: set its rip to {@link #missAddress} and go on.
     */
    public boolean isPredicate(long address) {
        return boundaryAt(address).map(Boundary::predicate).orElse(false);
    }

    /**
     * Where in the stub the moved copy of an original instruction is.
     *
     * @param originalPc pc, or another instruction boundary before {@link #displacedEnd}
     * @return the copy's address, for pc the one behind the predicate: going on there does not visit the probe
     */
    public OptionalLong relocated(long originalPc) {
        return originalPc >= pc && originalPc < displacedEnd
                ? relocated(boundaries, missAddress, originalPc)
                : OptionalLong.empty();
    }

    static OptionalLong relocated(List<Boundary> boundaries, long missAddress, long originalPc) {
        return boundaries.stream()
                .filter(b -> b.address() > missAddress && b.originalPc() == originalPc && b.rspDelta() == 0)
                .mapToLong(Boundary::address)
                .findFirst();
    }
}
