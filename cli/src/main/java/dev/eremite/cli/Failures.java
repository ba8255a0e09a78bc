package dev.eremite.cli;

import dev.eremite.cli.command.EremiteCommand;
import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import java.io.PrintWriter;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Turns failures into one line, its cure, and an exit status. Stack traces show with {@code --debug} only. */
final class Failures {
    private Failures() {}

    /** A command line that picocli could not understand. */
    static int usage(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        print(
                command.getErr(),
                firstLine(failure),
                ErrorCode.USAGE.code(),
                "see " + command.getCommandSpec().qualifiedName() + " --help");
        return ErrorCode.USAGE.exitStatus();
    }

    /** A command that threw. */
    static int execution(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        ErrorCode code = ErrorCode.INTERNAL;
        if (failure instanceof UsageException known) {
            code = known.errorCode();
            print(err, firstLine(failure), code.code(), known.cure());
        } else {
            print(err, failure.getClass().getSimpleName() + ": " + firstLine(failure), code.code(), code.cure());
        }
        if (EremiteCommand.of(command).debug()) {
            failure.printStackTrace(err);
        }
        err.flush();
        return code.exitStatus();
    }

    private static void print(PrintWriter err, String message, String code, String cure) {
        err.println("eremite: " + message + " (" + code + ")");
        err.println("  " + cure);
        err.flush();
    }

    private static String firstLine(Throwable failure) {
        return Objects.toString(failure.getMessage(), "no message")
                .lines()
                .findFirst()
                .orElse("no message");
    }
}
