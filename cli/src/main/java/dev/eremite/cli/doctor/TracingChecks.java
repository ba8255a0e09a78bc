package dev.eremite.cli.doctor;

import dev.eremite.cli.Failures;
import dev.eremite.detcore.syscall.Errno;
import dev.eremite.tracer.linux.TaskGoneException;
import dev.eremite.tracer.linux.TracerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** What the kernel lets a tracer do, found out by doing it. */
final class TracingChecks {
    private static final String OLD = "use Linux 5.13 or later";

    private TracingChecks() {}

    static List<Check> all() {
        try (Trial trial = new Trial()) {
            List<Check> checks = new ArrayList<>();
            checks.add(Check.good("ptrace", "a program was started and traced"));
            checks.add(of(
                    "CPUID faulting",
                    trial::cpuidFaulting,
                    "code generated at run time sees this machine's processor, and may not replay on another one",
                    "record on an Intel processor since Ivy Bridge or an AMD one since Zen 2, under a hypervisor that"
                            + " shows it"));
            checks.add(of(
                    "TSC faulting",
                    trial::tscFaulting,
                    "code generated at run time that reads the time-stamp counter (rdtsc) does not replay",
                    "use a kernel and a container that allow prctl(PR_SET_TSC)"));
            checks.add(of(
                    "kcmp",
                    trial::kcmp,
                    "what programs print is not told from what they write elsewhere, so that a replay prints nothing",
                    "use a kernel with CONFIG_KCMP, and a container that allows kcmp"));
            checks.add(of(
                    "debug registers",
                    trial::debugRegisters,
                    "watchpoints work by single steps; signals in the middle of code may not replay",
                    "use a hypervisor that gives the guest its debug registers"));
            checks.add(of(
                    "perf breakpoints",
                    trial::countedBreakpoints,
                    "nothing in this version, which counts visits by patching the code",
                    "as root: sysctl kernel.perf_event_paranoid=2; else " + OLD + " with CONFIG_PERF_EVENTS"));
            checks.add(of(
                    "written pages",
                    trial::writtenPages,
                    "nothing in this version, which compares what it needs itself",
                    "use Linux 6.7 or later with CONFIG_USERFAULTFD"));
            checks.add(seccomp(trial.seccomp()));
            return checks;
        } catch (TracerException | TaskGoneException e) {
            String why = e instanceof TracerException refused ? Failures.refused(refused) : e.getMessage();
            return List.of(Check.broken(
                    "ptrace",
                    "a program could not be traced: " + why,
                    "nothing can be recorded or replayed",
                    cureForPtrace()));
        }
    }

    private static Check of(String name, LongSupplier trial, String cost, String cure) {
        String found;
        try {
            long answer = trial.getAsLong();
            if (answer >= 0) {
                return Check.good(name, "tried, works");
            }
            found = reason(answer);
        } catch (TracerException e) {
            found = Failures.refused(e);
        }
        return Check.less(name, found, cost, cure);
    }

    private static String reason(long answer) {
        return answer == Trial.NO_EFFECT
                ? "accepted, but without any effect"
                : "refused: " + Errno.of((int) -answer).message();
    }

    private static Check seccomp(long answer) {
        return answer >= 0
                ? Check.good("seccomp", "tried, works")
                : Check.broken(
                        "seccomp",
                        reason(answer),
                        "nothing can be recorded",
                        "use a kernel with CONFIG_SECCOMP_FILTER; in a container: --security-opt seccomp=unconfined");
    }

    /** What forbids it, as far as that can be seen. */
    private static String cureForPtrace() {
        String scope = "0";
        try {
            scope = Files.readString(Path.of("/proc/sys/kernel/yama/ptrace_scope"))
                    .strip();
        } catch (IOException e) {
            // No Yama, which forbids nothing then.
        }
        return switch (scope) {
            case "2" -> "Yama forbids it; as root: sysctl kernel.yama.ptrace_scope=1";
            case "3" -> "Yama forbids it until the machine is restarted: set kernel.yama.ptrace_scope=1 in sysctl.conf";
            default -> "in a container: docker run --cap-add=SYS_PTRACE --security-opt seccomp=unconfined";
        };
    }
}
