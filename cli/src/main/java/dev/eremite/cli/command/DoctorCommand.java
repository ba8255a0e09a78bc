package dev.eremite.cli.command;

import dev.eremite.cli.doctor.Check;
import dev.eremite.cli.doctor.Checks;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** {@code eremite doctor}: looks at the machine and says what is missing, what that costs and how to get it. */
public final class DoctorCommand implements Verb {
    private final CommandSpec spec =
            Syntax.command(this, "doctor", "Check what this machine offers, what is missing and how to get it.");
    private final DataDirectoryOption dataDirectory = new DataDirectoryOption(spec);

    @Override
    public CommandSpec spec() {
        return spec;
    }

    /** Prints a line for each check; the status is 1 if something is missing without which nothing works. */
    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<Check> checks = Checks.all(dataDirectory.directory().path());
        for (Check check : checks) {
            out.printf("%-7s %-22s %s%n", check.verdict().word(), check.name(), check.found());
            if (check.verdict() != Check.Verdict.GOOD) {
                out.printf("        costs: %s%n        cure:  %s%n", check.cost(), check.cure());
            }
        }
        out.flush();
        return checks.stream().anyMatch(check -> check.verdict() == Check.Verdict.BROKEN) ? 1 : 0;
    }
}
