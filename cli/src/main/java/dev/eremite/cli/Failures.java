package dev.eremite.cli;

import dev.eremite.cli.command.EremiteCommand;
import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import dev.eremite.tracer.linux.TaskGoneException;
import dev.eremite.tracer.linux.TracerException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns failures into a line with what went wrong, its cure, and an exit status. Stack traces show with {@code --debug} only. */
final class Failures {
    private Failures() {}

    /** A command line that picocli could not understand. */
    static int usage(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        String message = failure.getMessage();
        String cure = "see " + command.getCommandSpec().qualifiedName() + " --help";
        if (failure instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().getFirst();
            message = unmatched(command, word);
            cure = Nearest.to(word, known(command, word))
                            .map(known -> "did you mean " + known + "? ")
                            .orElse("")
                    + cure;
        }
        print(command.getErr(), message, ErrorCode.USAGE.code(), cure);
        return ErrorCode.USAGE.exitStatus();
    }

    private static String unmatched(CommandLine command, String word) {
        if (word.startsWith("-")) {
            return "there is no option " + word;
        }
        return command.getParent() == null
                ? "there is no verb " + word
                : command.getCommandSpec().qualifiedName() + " does not take \"" + word + "\"";
    }

    /** What may have been meant by a word: the options of the command, or its verbs. */
    private static Stream<String> known(CommandLine command, String word) {
        if (word.startsWith("-")) {
            return command.getCommandSpec().options().stream().flatMap(option -> Stream.of(option.names()));
        }
        return command.getSubcommands().entrySet().stream()
                .filter(verb -> !verb.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey);
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
