package dev.eremite.cli.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Processor time of this process and of the children that it has waited for, with their own, in seconds and to a
 * hundredth; see proc_pid_stat(5). Nobody waits for an orphan, so that its time is missing.
 *
 * @param own this process's code
 * @param ownKernel the kernel on behalf of this process
 * @param children the children's code
 * @param childrenKernel the kernel on behalf of the children
 */
record ProcessorTimes(double own, double ownKernel, double children, double childrenKernel) {
    private static final double TICKS_PER_SECOND = 100;

    /** The place of utime among the words behind the command's name. */
    private static final int FIRST = 11;

    /** The times until now; zeroes where there is no /proc. */
    static ProcessorTimes now() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"), StandardCharsets.ISO_8859_1);
            // The name is in parentheses and may hold anything.
            String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return new ProcessorTimes(
                    seconds(words[FIRST]),
                    seconds(words[FIRST + 1]),
                    seconds(words[FIRST + 2]),
                    seconds(words[FIRST + 3]));
        } catch (IOException e) {
            return new ProcessorTimes(0, 0, 0, 0);
        }
    }

    private static double seconds(String ticks) {
        return Long.parseLong(ticks) / TICKS_PER_SECOND;
    }

    /** The times from an earlier moment to this one. */
    ProcessorTimes since(ProcessorTimes earlier) {
        return new ProcessorTimes(
                own - earlier.own,
                ownKernel - earlier.ownKernel,
                children - earlier.children,
                childrenKernel - earlier.childrenKernel);
    }
}
