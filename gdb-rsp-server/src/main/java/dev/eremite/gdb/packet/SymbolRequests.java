package dev.eremite.gdb.packet;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The symbols that the server asks the client for: where the C library tells debuggers about its structures. */
final class SymbolRequests {
    static final String LINK_MAP_MODULE = "_thread_db_link_map_l_tls_modid";
    static final String LINK_MAP_OFFSET = "_thread_db_link_map_l_tls_offset";
    static final String THREAD_DTV = "_thread_db_pthread_dtvp";
    static final String DTV_ENTRY = "_thread_db_dtv_dtv";
    static final String DTV_POINTER = "_thread_db_dtv_t_pointer_val";
    private static final List<String> WANTED =
            List.of(LINK_MAP_MODULE, LINK_MAP_OFFSET, THREAD_DTV, DTV_ENTRY, DTV_POINTER);

    private final Map<String, Long> known = new HashMap<>();
    private final Deque<String> toAsk = new ArrayDeque<>();

    /** Begins again; the client has loaded symbols. */
    void begin() {
        toAsk.clear();
        toAsk.addAll(WANTED);
    }

    /** Keeps a symbol's address. */
    void resolve(String name, long address) {
        known.put(name, address);
    }

    /** Takes the next name to ask for; null when there is none. */
    String next() {
        return toAsk.poll();
    }

    OptionalLong address(String name) {
        Long address = known.get(name);
        return address == null ? OptionalLong.empty() : OptionalLong.of(address);
    }
}
