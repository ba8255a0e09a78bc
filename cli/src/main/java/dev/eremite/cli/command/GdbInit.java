package dev.eremite.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The commands that gdb is given for a replay. */
final class GdbInit {
    private GdbInit() {}

    static String text() {
        try (InputStream in = GdbInit.class.getResourceAsStream("/dev/eremite/cli/gdbinit")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
