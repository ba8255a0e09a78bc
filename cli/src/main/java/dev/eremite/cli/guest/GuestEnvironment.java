package dev.eremite.cli.guest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The environment that a guest gets: the caller's, byte for byte and in its order, with what the user asks to change
 * and without what the launcher added.
 */
public final class GuestEnvironment {
    /** The launcher moves variables that a JVM would obey out of its sight under this prefix. */
    private static final String KEPT = "EREMITE_KEPT_";

    /** A shell sets this variable to each command's program. */
    private static final String UNDERSCORE = "_";

    // Entries as Latin-1 strings: one character is one byte, so nothing is lost.
    private final List<String> entries = new ArrayList<>();

    private GuestEnvironment() {}

    /**
     * The environment of this process, as the launcher's caller gave it.
     *
     * @param raw this process's environment
     * @param program the guest's program, which a shell puts into {@code _}
     * @param names the names of the caller's variables in their order, or null to take the environment as it is
     */
    public static GuestEnvironment ofCaller(List<byte[]> raw, String program, List<String> names) {
        Map<String, String> values = new LinkedHashMap<>();
        for (byte[] bytes : raw) {
            String entry = new String(bytes, ISO_8859_1);
            boolean kept = entry.startsWith(KEPT);
            String own = kept ? entry.substring(KEPT.length()) : entry;
            String name = own.substring(0, Math.max(0, own.indexOf('=')));
            if (kept) {
                values.put(name, own);
            } else {
                // The launcher may have set the variable to something else after it had kept it.
                values.putIfAbsent(name, own);
            }
        }
        if (names == null || names.contains(UNDERSCORE)) {
            values.put(UNDERSCORE, UNDERSCORE + "=" + latin1(program));
        }
        GuestEnvironment environment = new GuestEnvironment();
        for (String name : names == null ? values.keySet() : names) {
            String entry = values.get(name);
            if (entry != null) {
                environment.entries.add(entry);
            }
        }
        return environment;
    }

    /**
     * Gives another program of this process what the launcher's caller gave.
     *
     * @param environment what it would inherit, to be changed
     * @param names the names of the caller's variables, or null to leave what the launcher added
     */
    public static void restore(Map<String, String> environment, List<String> names) {
        for (String name : List.copyOf(environment.keySet())) {
            if (name.startsWith(KEPT)) {
                environment.put(name.substring(KEPT.length()), environment.remove(name));
            }
        }
        if (names != null) {
            environment.keySet().retainAll(names);
        }
    }

    /** The names of the variables that the launcher's caller had, in their order; null without a launcher. */
    public static List<String> callersNames() {
        String names = System.getProperty("eremite.environment");
        return names == null ? null : names.lines().toList();
    }

    /**
     * Applies {@code NAME=VALUE}, or {@code NAME} alone to take the variable out.
     *
     * @throws UsageException E100 if the name is empty
     */
    public void change(String assignment) {
        int sign = assignment.indexOf('=');
        String name = latin1(sign < 0 ? assignment : assignment.substring(0, sign));
        if (name.isEmpty()) {
            throw new UsageException(ErrorCode.USAGE, "-e needs NAME or NAME=VALUE, not '" + assignment + "'");
        }
        int place = indexOf(name);
        if (sign < 0) {
            entries.removeIf(entry -> entry.startsWith(name + "="));
        } else if (place >= 0) {
            entries.set(place, latin1(assignment));
        } else {
            entries.add(latin1(assignment));
        }
    }

    /** The value of a variable as a string of bytes read as UTF-8, or null. */
    public String get(String name) {
        int place = indexOf(latin1(name));
        return place < 0
                ? null
                : new String(
                        entries.get(place).substring(latin1(name).length() + 1).getBytes(ISO_8859_1), UTF_8);
    }

    /** The entries as {@code NAME=VALUE}, without terminating zero bytes. */
    public List<byte[]> bytes() {
        return entries.stream().map(entry -> entry.getBytes(ISO_8859_1)).toList();
    }

    private int indexOf(String name) {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).startsWith(name + "=")) {
                return i;
            }
        }
        return -1;
    }

    private static String latin1(String text) {
        return new String(text.getBytes(UTF_8), ISO_8859_1);
    }
}
