package dev.eremite.dap.session;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where Rust's own pretty printers for GDB lie; {@code rust-gdb} would ask the compiler, which need not be there. */
final class RustPrinters {
    private static final String SCRIPTS = "lib/rustlib/etc";

    private RustPrinters() {}

    /** The folder that has them, none or one: of the compiler in the user's home, else of the system's. */
    static List<Path> folders() {
        List<Path> candidates = new ArrayList<>();
        String home = System.getenv().getOrDefault("RUSTUP_HOME", System.getProperty("user.home", "") + "/.rustup");
        Path toolchains = Path.of(home, "toolchains");
        if (Files.isDirectory(toolchains)) {
            try (DirectoryStream<Path> each = Files.newDirectoryStream(toolchains)) {
                each.forEach(toolchain -> candidates.add(toolchain.resolve(SCRIPTS)));
            } catch (IOException e) {
                // Then those of the system, if any.
                candidates.clear();
            }
        }
        candidates.add(Path.of("/usr/local", SCRIPTS));
        candidates.add(Path.of("/usr", SCRIPTS));
        return candidates.stream()
                .filter(folder -> Files.isRegularFile(folder.resolve("gdb_load_rust_pretty_printers.py")))
                .limit(1)
                .toList();
    }

    /** Lets GDB's Python find them. */
    static void extendPath(Map<String, String> environment) {
        String own = folders().stream().map(Path::toString).collect(Collectors.joining());
        if (!own.isEmpty()) {
            environment.merge(
                    "PYTHONPATH",
                    own,
                    (before, added) -> Stream.of(before, added)
                            .filter(part -> !part.isEmpty())
                            .collect(Collectors.joining(":")));
        }
    }
}
