package dev.eremite.gdb.packet;

import java.util.Set;

/**
 * What the client announced in {@code qSupported}.
 *
 * @param multiprocess thread ids carry the process
 * @param swbreak it understands the stop reason swbreak
 * @param hwbreak it understands the stop reason hwbreak
 * @param errorText it shows the text of {@code E.text}
 */
record ClientFeatures(boolean multiprocess, boolean swbreak, boolean hwbreak, boolean errorText) {
    /** Before qSupported, and for a client that never sends it. */
    static final ClientFeatures NONE = new ClientFeatures(false, false, false, false);

    static ClientFeatures of(Set<String> announced) {
        return new ClientFeatures(
                announced.contains("multiprocess+"),
                announced.contains("swbreak+"),
                announced.contains("hwbreak+"),
                announced.contains("error-message+"));
    }
}
