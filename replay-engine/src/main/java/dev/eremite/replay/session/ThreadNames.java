package dev.eremite.replay.session;

import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.replay.event.Effect;
import dev.eremite.tracer.linux.Tracee;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names that threads have (comm in proc(5)), for debuggers. */
final class ThreadNames {
    /** TASK_COMM_LEN without the NUL. */
    private static final int LONGEST = 15;

    private static final int PATH_MAX = 4096;
    private static final Pattern COMM = Pattern.compile("/proc/(?:thread-self|(?:self|[0-9]+)/task/([0-9]{1,9}))/comm");
    private static final long PR_SET_NAME = 15;
    private static final long AT_EXECFN = 31;

    private ThreadNames() {}

    /** That of a process's first thread behind execve(2): the last part of the path that was executed. */
    static String ofProgram(Tracee tracee, Effect.ExecImage image) {
        ByteBuffer auxv = ByteBuffer.wrap(image.auxv()).order(ByteOrder.LITTLE_ENDIAN);
        String path = image.path();
        while (auxv.remaining() >= 16) {
            long type = auxv.getLong();
            long value = auxv.getLong();
            if (type == AT_EXECFN) {
                path = text(tracee, value, PATH_MAX);
            }
        }
        return cut(path.substring(path.lastIndexOf('/') + 1));
    }

    /** Takes a name over where a call that has succeeded gives one: prctl(2), or a write to a thread's file comm. */
    static void repeat(ReplayTask task, int number, long[] args, long result, Map<Integer, ReplayTask> tasks) {
        Map<Integer, Integer> files = task.process().nameFiles();
        switch (number) {
            case SyscallNumbers.PRCTL -> {
                if (args[0] == PR_SET_NAME) {
                    task.name(text(task.tracee(), args[1], LONGEST));
                }
            }
            case SyscallNumbers.OPENAT -> {
                Matcher comm = COMM.matcher(text(task.tracee(), args[1], PATH_MAX));
                if (comm.matches()) {
                    files.put((int) result, comm.group(1) == null ? task.tid() : Integer.parseInt(comm.group(1)));
                } else {
                    files.remove((int) result);
                }
            }
            case SyscallNumbers.CLOSE -> files.remove((int) args[0]);
            case SyscallNumbers.CLOSE_RANGE -> files.keySet().removeIf(fd -> fd >= args[0] && fd <= args[1]);
            case SyscallNumbers.DUP, SyscallNumbers.DUP2, SyscallNumbers.DUP3 -> {
                Integer thread = files.get((int) args[0]);
                if (thread == null) {
                    files.remove((int) result);
                } else {
                    files.put((int) result, thread);
                }
            }
            case SyscallNumbers.WRITE -> {
                ReplayTask named = tasks.get(files.get((int) args[0]));
                if (named != null) {
                    named.name(text(task.tracee(), args[1], (int) Math.min(result, LONGEST)));
                }
            }
            default -> {
                // No other call names a thread.
            }
        }
    }

    private static String text(Tracee tracee, long address, int most) {
        byte[] bytes = tracee.memory().read(address, most);
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }

    private static String cut(String name) {
        return name.length() > LONGEST ? name.substring(0, LONGEST) : name;
    }
}
