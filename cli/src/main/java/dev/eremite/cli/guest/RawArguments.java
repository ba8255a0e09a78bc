package dev.eremite.cli.guest;

import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Arguments and environment as the bytes that the caller gave. Java's strings are no use for that: in the C locale the
 * JVM turns each byte above 127 into a question mark. See proc(5), {@code /proc/self/cmdline} and {@code environ}.
 */
public final class RawArguments {
    private static volatile int given = -1;

    private RawArguments() {}

    /** Notes that the command line that is about to run is this process's own, with that many arguments. */
    public static void remember(int count) {
        given = count;
    }

    /** Notes that command lines from now on do not come from this process's arguments. */
    public static void forget() {
        given = -1;
    }

    /**
     * The bytes of the last arguments, without their terminating zero bytes.
     *
     * @param decoded these arguments as Java sees them; where the command line is not this process's own, they are all
     *     there is, and are encoded as UTF-8
     * @throws UsageException E900 if the process has not that many
     */
    public static List<byte[]> last(List<String> decoded) {
        if (given < 0) {
            return decoded.stream()
                    .map(text -> text.getBytes(StandardCharsets.UTF_8))
                    .toList();
        }
        List<byte[]> all = split(read("/proc/self/cmdline"));
        if (decoded.size() > given || given > all.size()) {
            throw new UsageException(ErrorCode.INTERNAL, "cannot find the guest's arguments in /proc/self/cmdline");
        }
        return List.copyOf(all.subList(all.size() - decoded.size(), all.size()));
    }

    /** The words of this process's command line that come before its own arguments: the JVM and its options. */
    public static List<byte[]> own() {
        List<byte[]> all = split(read("/proc/self/cmdline"));
        return List.copyOf(all.subList(0, Math.max(0, all.size() - Math.max(0, given))));
    }

    /** The environment of this process, in its order, entries as {@code NAME=VALUE} without terminating zero bytes. */
    public static List<byte[]> environment() {
        return split(read("/proc/self/environ"));
    }

    private static byte[] read(String file) {
        try {
            return Files.readAllBytes(Path.of(file));
        } catch (IOException e) {
            throw new UsageException(
                    ErrorCode.INTERNAL,
                    "cannot read " + e.getMessage(),
                    "See that /proc is mounted and that files can be opened (ulimit -n).",
                    e);
        }
    }

    /** Cuts at each zero byte. */
    static List<byte[]> split(byte[] bytes) {
        List<byte[]> parts = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                parts.add(Arrays.copyOfRange(bytes, start, i));
                start = i + 1;
            }
        }
        return parts;
    }
}
