package dev.eremite.detcore.syscall;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Prints a number by the symbolic names that C programs use for it, as strace(1) does. */
@FunctionalInterface
interface Symbols {
    /** The text of one value. */
    String format(long value);

    /** A set of bits; {@code zero} is the text when none is set. The list reads "NAME=1 OTHER=0x10". */
    static Symbols flags(String zero, String list) {
        Map<Long, String> names = parse(list);
        return value -> formatFlags(value, zero, names);
    }

    /** One of several values; others are printed as hexadecimal. */
    static Symbols values(String list) {
        Map<Long, String> names = parse(list);
        return value -> {
            String name = names.get(value & 0xffff_ffffL);
            return name != null ? name : hex(value & 0xffff_ffffL);
        };
    }

    /** One of several values in the bits of {@code mask}, and flags in the others. */
    static Symbols valueAndFlags(long mask, String valueList, String flagList) {
        Map<Long, String> names = parse(valueList);
        Map<Long, String> bits = parse(flagList);
        return value -> {
            long word = value & 0xffff_ffffL;
            String name = names.get(word & mask);
            String first = name != null ? name : hex(word & mask);
            String rest = formatFlags(word & ~mask, "", bits);
            return rest.isEmpty() ? first : first + "|" + rest;
        };
    }

    private static String formatFlags(long value, String zero, Map<Long, String> names) {
        long rest = value & 0xffff_ffffL;
        if (rest == 0) {
            return zero;
        }
        StringJoiner text = new StringJoiner("|");
        for (Map.Entry<Long, String> entry : names.entrySet()) {
            long bits = entry.getKey();
            if ((rest & bits) == bits) {
                text.add(entry.getValue());
                rest &= ~bits;
            }
        }
        if (rest != 0) {
            text.add(hex(rest));
        }
        return text.toString();
    }

    private static Map<Long, String> parse(String list) {
        Map<Long, String> names = new LinkedHashMap<>();
        List<String> twice = new ArrayList<>();
        for (String entry : list.trim().split("\\s+")) {
            int equals = entry.indexOf('=');
            if (names.put(Long.decode(entry.substring(equals + 1)), entry.substring(0, equals)) != null) {
                twice.add(entry);
            }
        }
        if (!twice.isEmpty()) {
            throw new IllegalStateException("named twice: " + twice);
        }
        return names;
    }

    private static String hex(long value) {
        return value == 0 ? "0" : "0x" + Long.toHexString(value);
    }
}
