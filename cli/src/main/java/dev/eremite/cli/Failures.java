package dev.eremite.cli;

import dev.eremite.cli.command.EremiteCommand;
import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import dev.eremite.tracer.linux.TaskGoneException;
import dev.eremite.tracer.linux.TracerException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Turns failures into a line with what went wrong, its cure, and an exit status. Stack traces show with {@code --debug} only. */
final class Failures {
    private Failures() {}

    /** A command line that picocli could not understand. */
    static int usage(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        print(
                command.getErr(),
                failure.getMessage(),
                ErrorCode.USAGE.code(),
                "see " + command.getCommandSpec().qualifiedName() + " --help");
        return ErrorCode.USAGE.exitStatus();
    }

    /** A command that threw. */
    static int execution(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        ErrorCode code = switch (failure) {
            case UsageException known -> known.errorCode();
            case TaskGoneException _ -> ErrorCode.GUEST_LOST;
            case TracerException _ -> ErrorCode.TRACING_FAILED;
            default -> ErrorCode.INTERNAL;
        };
        String cure = failure instanceof UsageException known ? known.cure() : code.cure();
        String message = code == ErrorCode.INTERNAL
                ? failure.getClass().getSimpleName() + ": " + failure.getMessage()
                : failure.getMessage();
        print(err, message, code.code(), cure);
        if (EremiteCommand.of(command).debug()) {
            failure.printStackTrace(err);
        }
        err.flush();
        return code.exitStatus();
    }

    private static void print(PrintWriter err, String message, String code, String cure) {
        List<String> lines = Objects.toString(message, "no message").lines().toList();
        err.println("eremite: " + (lines.isEmpty() ? "" : lines.getFirst()) + " (" + code + ")");
        // A divergence's report goes on: the last events before it.
        lines.stream().skip(1).forEach(err::println);
        err.println("  " + cure);
        err.flush();
    }
}
