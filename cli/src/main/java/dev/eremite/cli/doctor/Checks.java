package dev.eremite.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The questions of {@code eremite doctor}. */
public final class Checks {
    private static final long MEBIBYTE = 1L << 20;
    private static final long SPACE_WANTED = 1024 * MEBIBYTE;
    private static final int GDB_WANTED = 12;
    private static final int KERNEL_MAJOR = 5;
    private static final int KERNEL_MINOR = 13; // perf_event_open with sigtrap

    private Checks() {}

    /** Answers all of them. {@code dataDirectory} need not exist. */
    public static List<Check> all(Path dataDirectory) {
        List<Check> checks = new ArrayList<>(List.of(machine(), kernel()));
        checks.addAll(TracingChecks.all());
        checks.addAll(List.of(gdb(), space(dataDirectory)));
        return checks;
    }

    private static Check machine() {
        String architecture = System.getProperty("os.arch");
        return architecture.equals("amd64")
                ? Check.good("processor", cpuInfo("model name").orElse("x86-64"))
                : Check.broken("processor", architecture, "only x86-64 programs can be recorded", "use such a machine");
    }

    private static Check kernel() {
        String release = read("/proc/sys/kernel/osrelease").orElse("unknown");
        String[] parts = release.split("[^0-9]+");
        boolean recent = parts.length > 1
                && (number(parts[0]) > KERNEL_MAJOR
                        || number(parts[0]) == KERNEL_MAJOR && number(parts[1]) >= KERNEL_MINOR);
        return recent
                ? Check.good("kernel", release)
                : Check.less("kernel", release, "too old to have been tried", "use Linux 5.13 or later");
    }

    private static Check gdb() {
        String cost = "recordings can be replayed, but not debugged";
        String cure = "install gdb 12 or later (Debian, Ubuntu: apt-get install gdb)";
        Optional<String> version = firstLine("gdb", "--version");
        if (version.isEmpty()) {
            return Check.less("gdb", "not found", cost, cure);
        }
        String[] words = version.get().split(" ");
        int major = number(words[words.length - 1].split("\\.")[0]);
        return major >= GDB_WANTED
                ? Check.good("gdb", version.get())
                : Check.less("gdb", version.get(), "older than was tried", cure);
    }

    private static Check space(Path dataDirectory) {
        Path existing = dataDirectory;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        try {
            long free = Files.getFileStore(existing).getUsableSpace();
            String found = "%,d MiB free for %s".formatted(free / MEBIBYTE, dataDirectory);
            if (!Files.isWritable(existing)) {
                return Check.broken(
                        "data folder", existing + " cannot be written", "nothing can be recorded", "use --data-dir");
            }
            return free >= SPACE_WANTED
                    ? Check.good("data folder", found)
                    : Check.less("data folder", found, "long recordings may not fit", "remove some, or use --data-dir");
        } catch (IOException e) {
            return Check.broken("data folder", e.toString(), "nothing can be recorded", "use --data-dir");
        }
    }

    private static Optional<String> cpuInfo(String key) {
        return field("/proc/cpuinfo", key);
    }

    private static Optional<String> field(String file, String key) {
        return read(file)
                .flatMap(text -> text.lines()
                        .filter(line -> line.startsWith(key))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findFirst());
    }

    private static Optional<String> read(String file) {
        try {
            return Optional.of(Files.readString(Path.of(file)).strip());
        } catch (IOException e) {
            return Optional.empty(); // not there, or not for us: an answer like any other
        }
    }

    private static Optional<String> firstLine(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor(5, TimeUnit.SECONDS);
            return text.lines().findFirst();
        } catch (IOException e) {
            return Optional.empty(); // no such program
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static int number(String digits) {
        return digits.matches("-?\\d{1,6}") ? Integer.parseInt(digits) : 0;
    }
}
