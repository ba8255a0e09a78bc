package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.DebugTarget.Movement;
import dev.eremite.replay.debug.Stop;
import dev.eremite.replay.debug.Stop.Reason;
import dev.eremite.replay.debug.ThreadRegisters;
import dev.eremite.replay.session.ReplaySession;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.TracerException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The copy of the program that is being changed, if there is one, and what its user is to be told. */
final class Diversions implements AutoCloseable {
    private final DebugScope scope;
    private final ScratchMemory scratch = new ScratchMemory();
    private Diversion current;
    private String notice = "";

    Diversions(DebugScope scope) {
        this.scope = scope;
    }

    /** The copy, or the given session when there is none. */
    ReplaySession orElse(ReplaySession present) {
        return current != null ? current.session() : present;
    }

    boolean active() {
        return current != null;
    }

    /** Whether a thread of the copy has been sent somewhere, so that moves forward are meant for the copy. */
    boolean leads() {
        return current != null && current.movedAway() != 0;
    }

    /** The debugger's own memory at an address; empty if there is none, or where a copy has it. */
    Optional<byte[]> readScratch(long address, int length) {
        return active() ? Optional.empty() : scratch.read(address, length);
    }

    /** Makes memory of the debugger's own ({@link ScratchMemory#allocate}). */
    long allocate(int length) {
        long address = scratch.allocate(length);
        if (address != 0 && active()) {
            scratch.mapInto(current.session(), address);
        }
        return address;
    }

    boolean release(long address) {
        return scratch.release(address);
    }

    boolean writeMemory(ReplaySession present, int process, long address, byte[] bytes) {
        if (scratch.write(address, bytes)) {
            if (active()) {
                current.write(process, address, bytes);
            }
            return true;
        }
        if (scope.anyTask(orElse(present), process) == null || !begin(present)) {
            return false;
        }
        try {
            current.write(process, address, bytes);
            return true;
        } catch (TracerException e) {
            return false;
        }
    }

    boolean writeRegisters(ReplaySession present, int thread, ThreadRegisters registers) {
        if (!orElse(present).tasks().containsKey(thread) || !begin(present)) {
            return false;
        }
        current.write(thread, registers);
        return true;
    }

    private boolean begin(ReplaySession present) {
        if (current == null) {
            current = Diversion.of(present, scope).orElse(null);
            if (current != null) {
                scratch.mapInto(current.session());
            }
        }
        return current != null;
    }

    /** Moves the copy on. */
    Stop move(Movement movement, List<Breakpoint> breakpoints, BooleanSupplier interrupted) {
        int thread = movement.thread() != 0 ? movement.thread() : current.movedAway();
        DivertedRun.Halt halt;
        do {
            halt = current.run(thread, movement.thread() != 0, breakpoints, interrupted);
        } while (halt.reason() == Reason.STEP && inRange(movement, thread) && !interrupted.getAsBoolean());
        notice = current.takeNotice();
        scratch.takeFrom(current.session().tasks().get(thread).tracee());
        long event = current.session().position();
        int process = current.session().tasks().get(thread).process().pid();
        return new Stop(halt.reason(), process, thread, halt.signal(), halt.address(), event);
    }

    private boolean inRange(Movement movement, int thread) {
        long pc = current.session().tasks().get(thread).tracee().register(Reg.RIP);
        return movement.rangeStart() <= pc && pc < movement.rangeEnd();
    }

    /** Drops the copy; what has been changed in it is gone. */
    void end() {
        if (current != null) {
            if (current.changesUnused()) {
                notice = "eremite: changes are gone, the recording goes on as it was\n";
            }
            current.close();
            current = null;
        }
    }

    String takeNotice() {
        String text = notice;
        notice = "";
        return text;
    }

    @Override
    public void close() {
        end();
    }
}
