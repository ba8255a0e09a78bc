package dev.eremite.detcore.syscall;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The files through which a process writes memory (proc_pid_mem(5)): what is written there would not be seen. */
final class ProcessMemory {
    static final String REASON = "/proc/PID/mem for writing: memory would change unseen";

    private static final int ACCESS_MODE = 3;
    private static final int PATH_LIMIT = 64;
    private static final Pattern FILE = Pattern.compile("/proc/(self|thread-self|\\d+)(/task/\\d+)?/mem");

    private ProcessMemory() {}

    /** Whether a call opens such a file for writing. */
    static boolean opens(CallView call, long path, long flags) {
        if ((flags & ACCESS_MODE) == 0) {
            return false;
        }
        String name = new String(call.read(path, PATH_LIMIT), StandardCharsets.ISO_8859_1);
        int end = name.indexOf(0);
        return end > 0 && FILE.matcher(name.substring(0, end)).matches();
    }
}
