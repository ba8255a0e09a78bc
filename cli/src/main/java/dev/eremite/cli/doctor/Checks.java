package dev.eremite.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
        return List.of(
                machine(),
                kernel(),
                yama(),
                seccomp(),
                cpuidFaulting(),
                timestampCounter(),
                userfaultfd(),
                breakpoints(),
                gdb(),
                space(dataDirectory));
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

    private static Check yama() {
        String scope = read("/proc/sys/kernel/yama/ptrace_scope").orElse("0");
        return switch (scope) {
            case "0" -> Check.good("ptrace", "allowed");
            case "1" -> Check.good("ptrace", "allowed for child processes (Yama 1), which is enough");
            default ->
                root() && scope.equals("2")
                        ? Check.good("ptrace", "allowed for root (Yama 2)")
                        : Check.broken(
                                "ptrace",
                                "forbidden (Yama " + scope + ")",
                                "nothing can be recorded or replayed",
                                "as root: sysctl kernel.yama.ptrace_scope=1 (3 needs a restart of the machine)");
        };
    }

    private static Check seccomp() {
        String actions = read("/proc/sys/kernel/seccomp/actions_avail").orElse("");
        if (!Arrays.asList(actions.split(" ")).contains("trace")) {
            return Check.broken(
                    "seccomp",
                    "no filters that trace",
                    "system calls cannot be told apart cheaply",
                    "use a kernel with CONFIG_SECCOMP_FILTER");
        }
        boolean filtered = status("Seccomp").orElse("0").equals("2");
        return filtered
                ? Check.less(
                        "seccomp",
                        "filters work, but this process is under one itself (a container's?)",
                        "calls that it forbids fail in the guest too",
                        "if ptrace fails: docker run --security-opt seccomp=unconfined")
                : Check.good("seccomp", "filters work");
    }

    private static Check cpuidFaulting() {
        return hasFlag("cpuid_fault")
                ? Check.good("CPUID faulting", "there")
                : Check.less(
                        "CPUID faulting",
                        "not offered by this processor or hypervisor",
                        "a recording may not replay on a machine with another processor",
                        "record on an Intel processor since Ivy Bridge, or AMD since Zen 4, that shows it");
    }

    private static Check timestampCounter() {
        return hasFlag("tsc")
                ? Check.good("TSC faulting", "there (prctl PR_SET_TSC)")
                : Check.less(
                        "TSC faulting", "no time-stamp counter", "rdtsc cannot be recorded", "use another machine");
    }

    private static Check userfaultfd() {
        String cost = "pages that a program writes are found by comparing memory, which is slower";
        if (!Files.exists(Path.of("/proc/sys/vm/unprivileged_userfaultfd"))) {
            return Check.less(
                    "userfaultfd", "not in this kernel", cost, "use Linux 6.7 or later with CONFIG_USERFAULTFD");
        }
        // Guests ask for UFFD_USER_MODE_ONLY, which needs no right (userfaultfd(2)).
        return Check.good("userfaultfd", "there");
    }

    private static Check breakpoints() {
        String level = read("/proc/sys/kernel/perf_event_paranoid").orElse("");
        String cost = "code that cannot be patched is counted with slow breakpoints";
        if (level.isEmpty()) {
            return Check.less("perf breakpoints", "no perf_event_open", cost, "use a kernel with CONFIG_PERF_EVENTS");
        }
        return root() || number(level) <= 2
                ? Check.good("perf breakpoints", "there (perf_event_paranoid " + level + ")")
                : Check.less(
                        "perf breakpoints",
                        "forbidden (perf_event_paranoid " + level + ")",
                        cost,
                        "as root: sysctl kernel.perf_event_paranoid=2");
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

    private static boolean root() {
        return status("CapEff")
                .map(hex -> (Long.parseUnsignedLong(hex, 16) >>> 19 & 1) == 1) // CAP_SYS_PTRACE
                .orElse(false);
    }

    private static boolean hasFlag(String flag) {
        return cpuInfo("flags")
                .map(flags -> Arrays.asList(flags.split(" ")).contains(flag))
                .orElse(false);
    }

    private static Optional<String> cpuInfo(String key) {
        return field("/proc/cpuinfo", key);
    }

    private static Optional<String> status(String key) {
        return field("/proc/self/status", key);
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
