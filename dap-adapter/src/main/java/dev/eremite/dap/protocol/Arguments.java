package dev.eremite.dap.protocol;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.lsp4j.jsonrpc.messages.MessageIssue;
import org.eclipse.lsp4j.jsonrpc.validation.NonNull;

/** Finds and words what is wrong with the arguments of a request. */
final class Arguments {
    private static final String PROTOCOL_PACKAGE = "org.eclipse.lsp4j.debug";

    /** Of Gson: the place stands at the end of the line. */
    private static final Pattern UNREADABLE =
            Pattern.compile("(Expected .*) at line \\d+ column \\d+ path \\$\\.(\\S+)");

    /** Of LSP4J. */
    private static final Pattern MISSING = Pattern.compile("must return a non-null value. Path: \\$\\.(\\S+)");

    private Arguments() {}

    /** The first member that the protocol requires and that is missing, also in what arrays hold; empty if all are there. */
    static Optional<String> missing(Object arguments) {
        return missing(arguments, "arguments");
    }

    private static Optional<String> missing(Object value, String place) {
        if (value == null) {
            return Optional.empty();
        }
        if (value.getClass().isArray()) {
            return missingInArray(value, place);
        }
        if (!value.getClass().getName().startsWith(PROTOCOL_PACKAGE)) {
            return Optional.empty();
        }
        // Reflection knows no order of its own.
        return Arrays.stream(value.getClass().getMethods())
                .filter(method -> method.getName().startsWith("get") && method.getParameterCount() == 0)
                .sorted(Comparator.comparing(Method::getName))
                .flatMap(getter -> missing(value, getter, place).stream())
                .findFirst();
    }

    private static Optional<String> missing(Object value, Method getter, String place) {
        String name = getter.getName().substring("get".length());
        String inner = place + "." + name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
        try {
            Object member = getter.invoke(value);
            boolean required = getter.isAnnotationPresent(NonNull.class);
            return member == null && required ? Optional.of(inner) : missing(member, inner);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Optional<String> missingInArray(Object array, String place) {
        boolean objects = !array.getClass().getComponentType().isPrimitive();
        for (int i = 0; objects && i < Array.getLength(array); i++) {
            String inner = place + "[" + i + "]";
            Object member = Array.get(array, i);
            Optional<String> missing = member == null ? Optional.of(inner) : missing(member, inner);
            if (missing.isPresent()) {
                return missing;
            }
        }
        return Optional.empty();
    }

    /** What to answer where a member is missing. */
    static String wordMissing(String command, String place) {
        return command + ": " + place + " is missing";
    }

    /** The issues that LSP4J has found in a request, in words that name the member. */
    static String words(String command, List<MessageIssue> issues) {
        return command + ": " + issues.stream().map(Arguments::words).collect(Collectors.joining("; "));
    }

    private static String words(MessageIssue issue) {
        String cause =
                issue.getCause() == null ? "" : String.valueOf(issue.getCause().getMessage());
        Matcher unreadable = UNREADABLE.matcher(cause);
        if (unreadable.find()) {
            return unreadable.group(2) + ": " + plain(unreadable.group(1));
        }
        Matcher missing = MISSING.matcher(issue.getText());
        if (missing.find()) {
            return missing.group(1).replaceFirst("^params\\b", "arguments") + " is missing";
        }
        return issue.getText();
    }

    private static String plain(String expectation) {
        return expectation
                .replaceFirst("^Expected", "expected")
                .replace("BEGIN_OBJECT", "an object")
                .replace("BEGIN_ARRAY", "an array")
                .replace("END_ARRAY", "the end of an array")
                .replace("NUMBER", "a number")
                .replace("STRING", "a string")
                .replace("BOOLEAN", "a boolean")
                .replace("NULL", "null");
    }
}
