package dev.eremite.gdb.packet;

import dev.eremite.replay.debug.DebugTarget.ProcessEvent;
import java.util.EnumSet;
import java.util.Set;

/**
 * What the client announced in {@code qSupported}.
 *
 * @param multiprocess thread ids carry the process
 * @param swbreak it understands the stop reason swbreak
 * @param hwbreak it understands the stop reason hwbreak
 * @param errorText it shows the text of {@code E.text}
 * @param processEvents the events of processes that it understands
 */
record ClientFeatures(
        boolean multiprocess, boolean swbreak, boolean hwbreak, boolean errorText, Set<ProcessEvent> processEvents) {
    /** Before qSupported, and for a client that never sends it. */
    static final ClientFeatures NONE = new ClientFeatures(false, false, false, false, Set.of());

    static ClientFeatures of(Set<String> announced) {
        Set<ProcessEvent> events = EnumSet.noneOf(ProcessEvent.class);
        boolean multiprocess = announced.contains("multiprocess+");
        if (multiprocess && announced.contains("fork-events+")) {
            events.add(ProcessEvent.FORK);
        }
        if (multiprocess && announced.contains("vfork-events+")) {
            events.add(ProcessEvent.VFORK);
        }
        if (announced.contains("exec-events+")) {
            events.add(ProcessEvent.EXEC);
        }
        return new ClientFeatures(
                multiprocess,
                announced.contains("swbreak+"),
                announced.contains("hwbreak+"),
                announced.contains("error-message+"),
                events);
    }
}
