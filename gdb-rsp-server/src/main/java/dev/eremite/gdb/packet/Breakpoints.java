package dev.eremite.gdb.packet;

import dev.eremite.gdb.agent.AgentException;
import dev.eremite.gdb.agent.AgentExpression;
import dev.eremite.gdb.agent.AgentMachine;
import dev.eremite.gdb.registers.RegisterTable;
import dev.eremite.replay.debug.DebugTarget;
import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.DebugTarget.BreakpointKind;
import dev.eremite.replay.debug.DebugTarget.Condition;
import dev.eremite.replay.debug.Equality;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The breakpoints that a client has inserted, so that they can be taken out when it goes. */
final class Breakpoints {
    private static final Logger LOG = LoggerFactory.getLogger(Breakpoints.class);

    /** What the target knows a breakpoint by. */
    record Place(BreakpointKind kind, int process, long address, long length) {}

    private final DebugSession session;
    private final Set<Place> inserted = new LinkedHashSet<>();

    Breakpoints(DebugSession session) {
        this.session = session;
    }

    void insert(Place place, List<AgentExpression> conditions) {
        List<Condition> checks = conditions.stream().map(this::condition).toList();
        session.target()
                .addBreakpoint(new Breakpoint(place.kind(), place.process(), place.address(), place.length(), checks));
        inserted.add(place);
    }

    void remove(Place place) {
        session.target().removeBreakpoint(place.kind(), place.process(), place.address(), place.length());
        inserted.remove(place);
    }

    void clear() {
        new ArrayList<>(inserted).forEach(this::remove);
    }

    void clear(int process) {
        inserted.stream().filter(place -> place.process() == process).toList().forEach(this::remove);
    }

    private Condition condition(AgentExpression expression) {
        RegisterTable table = session.table();
        List<Equality> needs = expression.needs(table::generalPurpose);
        return new Condition() {
            @Override
            public boolean holds(int process, int thread) {
                try {
                    return expression.evaluate(new ThreadView(session.target(), table, process, thread)) != 0;
                } catch (AgentException e) {
                    // Stop, as GDB's own server does: GDB evaluates the condition again and shows what is wrong with
                    // it.
                    LOG.debug("condition: {}", e.getMessage());
                    return true;
                }
            }

            @Override
            public List<Equality> needs() {
                return needs;
            }
        };
    }

    /** A thread in the middle of a movement, where nothing may be kept from the last stop. */
    private record ThreadView(DebugTarget target, RegisterTable table, int process, int thread)
            implements AgentMachine {
        @Override
        public long register(int number) {
            if (number >= table.count()) {
                throw new AgentException("no register " + number);
            }
            byte[] bytes = table.read(target.registers(thread), number);
            long value = 0;
            for (int i = Math.min(bytes.length, Long.BYTES) - 1; i >= 0; i--) {
                value = value << 8 | bytes[i] & 0xFF;
            }
            return value;
        }

        @Override
        public byte[] read(long address, int length) {
            return target.readMemory(process, address, length);
        }
    }
}
