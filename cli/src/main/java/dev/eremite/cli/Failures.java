package dev.eremite.cli;

import dev.eremite.cli.command.EremiteCommand;
import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import dev.eremite.detcore.syscall.Errno;
import dev.eremite.tracer.linux.TaskGoneException;
import dev.eremite.tracer.linux.TracerException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns failures into a line with what went wrong, its cure, and an exit status. Stack traces show with {@code --debug} only. */
public final class Failures {
    /** As the shell shows a program that SIGPIPE ended. */
    private static final int BROKEN_PIPE = 128 + 13;

    private Failures() {}

    /** A command line that picocli could not understand. */
    static int usage(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        String message = message(failure);
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

    /** Picocli's words for a bad value name Java's types. */
    private static String message(ParameterException failure) {
        if (failure instanceof MissingParameterException missing
                && !missing.getMissing().isEmpty()) {
            ArgSpec first = missing.getMissing().getFirst();
            return first instanceof OptionSpec option
                    ? option.longestName() + " needs " + option.paramLabel()
                    : first.paramLabel() + " is missing";
        }
        if (failure.getArgSpec() instanceof OptionSpec option && failure.getValue() != null) {
            boolean whole = option.type() == Integer.class || option.type() == Long.class;
            if (whole || option.type() == Double.class) {
                return option.longestName() + " needs a " + (whole ? "whole " : "") + "number, not \""
                        + failure.getValue() + "\"";
            }
        }
        // Picocli begins some of its messages so.
        return failure.getMessage().replaceFirst("^Error: ", "");
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
        if (failure instanceof StreamException stream && stream.brokenPipe()) {
            // Whoever read has read enough, and wants to hear no more.
            return BROKEN_PIPE;
        }
        String message = switch (failure) {
            case TracerException refused -> refused(refused);
            case UsageException _, TaskGoneException _ -> failure.getMessage();
            default -> failure.getClass().getSimpleName() + ": " + failure.getMessage();
        };
        print(err, message, code.code(), cure);
        if (EremiteCommand.of(command).debug()) {
            failure.printStackTrace(err);
        }
        err.flush();
        return code.exitStatus();
    }

    /** Standard output that could not be written. */
    static int output(StreamException failure, CommandLine command) {
        return execution(failure, command, null);
    }

    /** An error that came while a command was being set up, or that is none of its own. */
    static int unexpected(Throwable failure, String[] args) {
        PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
        print(
                err,
                failure.toString().lines().findFirst().orElse(""),
                ErrorCode.INTERNAL.code(),
                ErrorCode.INTERNAL.cure());
        if (Arrays.asList(args).contains("--debug")) {
            failure.printStackTrace(err);
        }
        return ErrorCode.INTERNAL.exitStatus();
    }

    /** What the kernel refused, in its own words. */
    public static String refused(TracerException failure) {
        Errno errno = Errno.of(failure.errno());
        return "the kernel refused " + failure.what() + ": "
                + (errno == null ? "errno " + failure.errno() : errno.message());
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
