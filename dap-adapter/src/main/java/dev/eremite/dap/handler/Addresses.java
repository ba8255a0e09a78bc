package dev.eremite.dap.handler;

import dev.eremite.dap.protocol.RequestFailure;

/** Addresses as clients give them back. */
final class Addresses {
    private Addresses() {}

    /** Reads a number, in decimal or in hexadecimal after 0x. */
    static long parse(String reference) {
        try {
            return reference.startsWith("0x")
                    ? Long.parseUnsignedLong(reference.substring(2), 16)
                    : Long.parseUnsignedLong(reference);
        } catch (NumberFormatException e) {
            throw new RequestFailure("not an address: " + reference, e);
        }
    }
}
