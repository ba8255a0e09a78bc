package dev.eremite.tests.command;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/**
 * What a finished command left behind.
 *
 * @param stdout all bytes of standard output
 * @param stderr all bytes of standard error
 * @param status the exit status, 128 + n for an end by signal n
 * @param elapsed from start to end by the monotonic clock
 */
@SuppressWarnings("ArrayRecordComponent") // Output need not be text; results are compared by differenceTo alone.
public record CommandResult(byte[] stdout, byte[] stderr, int status, Duration elapsed) {
    /** Standard output as text. */
    public String output() {
        return new String(stdout, StandardCharsets.UTF_8);
    }

    /** Standard error as text. */
    public String errors() {
        return new String(stderr, StandardCharsets.UTF_8);
    }

    /** Says where this result and another first differ in status, stdout or stderr; empty when they do not. */
    public String differenceTo(CommandResult other) {
        if (status != other.status) {
            return "status " + status + ", then " + other.status + "\nfirst stderr: " + excerpt(stderr, 0)
                    + "\nthen stderr: " + excerpt(other.stderr, 0);
        }
        String difference = difference("stdout", stdout, other.stdout);
        return difference.isEmpty() ? difference("stderr", stderr, other.stderr) : difference;
    }

    private static String difference(String name, byte[] left, byte[] right) {
        int at = Arrays.mismatch(left, right);
        if (at < 0) {
            return "";
        }
        int start = Math.max(0, at - 30);
        return "%s, byte %d of %d and %d: '%s', then '%s'"
                .formatted(name, at, left.length, right.length, excerpt(left, start), excerpt(right, start));
    }

    private static String excerpt(byte[] bytes, int start) {
        int end = Math.min(bytes.length, start + 400);
        return start >= end ? "" : new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }
}
