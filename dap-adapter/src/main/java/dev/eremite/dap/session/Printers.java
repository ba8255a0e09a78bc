package dev.eremite.dap.session;

import dev.eremite.dap.mi.MiClient;
import dev.eremite.dap.mi.MiException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Pretty printers for the libraries of C++ and Rust, from where their compilers are installed. */
public final class Printers {
    private static final String SCRIPT = "/dev/eremite/dap/printers.py";
    private static final String RUST = "lib/rustlib/etc";

    private Printers() {}

    /** Makes GDB use them; what the user should know, if anything. */
    static String register(MiClient mi) {
        String folders =
                folders().stream().map(folder -> python(folder.toString())).collect(Collectors.joining(", ", "[", "]"));
        try {
            mi.console("python exec(" + python(script(SCRIPT)) + ", globals())");
            return mi.console("python eremite_printers(" + folders + ")");
        } catch (MiException e) {
            return "eremite: values of libraries show as they are stored: " + e.getMessage() + "\n";
        }
    }

    /** A script that is part of the adapter. */
    public static String script(String name) {
        try (InputStream script = Printers.class.getResourceAsStream(name)) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A text as a literal of Python, of printable ASCII characters without quotes. */
    public static String python(String text) {
        StringBuilder literal = new StringBuilder("'");
        text.codePoints().forEach(c -> {
            if (c < ' ' || c > '~' || c == '\'' || c == '"' || c == '\\') {
                literal.append("\\U%08x".formatted(c));
            } else {
                literal.appendCodePoint(c);
            }
        });
        return literal.append('\'').toString();
    }

    private static List<Path> folders() {
        List<Path> folders = new ArrayList<>();
        String home = System.getenv().getOrDefault("RUSTUP_HOME", System.getProperty("user.home", "") + "/.rustup");
        // The newest toolchains last in the alphabet: "stable" behind the numbers.
        List<Path> toolchains = new ArrayList<>(below(Path.of(home, "toolchains"), "*"));
        toolchains.sort(Comparator.reverseOrder());
        toolchains.forEach(toolchain -> folders.add(toolchain.resolve(RUST)));
        for (String prefix : List.of("/usr/local", "/usr")) {
            folders.add(Path.of(prefix, RUST));
            below(Path.of(prefix, "share"), "gcc*").forEach(gcc -> folders.add(gcc.resolve("python")));
        }
        folders.removeIf(folder -> !Files.isDirectory(folder));
        return folders;
    }

    private static List<Path> below(Path folder, String pattern) {
        List<Path> found = new ArrayList<>();
        if (!Files.isDirectory(folder)) {
            return found;
        }
        try (DirectoryStream<Path> each = Files.newDirectoryStream(folder, pattern)) {
            each.forEach(found::add);
        } catch (IOException e) {
            found.clear();
        }
        return found;
    }
}
