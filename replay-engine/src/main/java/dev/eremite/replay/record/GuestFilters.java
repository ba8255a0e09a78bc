package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.CallView;
import dev.eremite.detcore.syscall.Errno;
import dev.eremite.detcore.syscall.SyscallNumbers;
import dev.eremite.replay.guest.TaskCallView;
import dev.eremite.tracer.linux.EnginePage;
import dev.eremite.tracer.linux.Reg;
import dev.eremite.tracer.linux.Tracee;
import dev.eremite.tracer.linux.Tracee.HeldSignal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The filters that guests install by seccomp(2). The kernel does not get them, since it would judge the engine's calls too
 * and carry out a verdict without telling; the recorder runs them at each call.
 */
final class GuestFilters {
    private static final int PR_GET_SECCOMP = 21;
    private static final int PR_SET_SECCOMP = 22;
    private static final int MODE_STRICT = 1;
    private static final int MODE_FILTER = 2;
    private static final int SET_MODE_STRICT = 0;
    private static final int SET_MODE_FILTER = 1;
    private static final int GET_ACTION_AVAIL = 2;
    private static final int TSYNC = 1;
    /** TSYNC, LOG, SPEC_ALLOW, TSYNC_ESRCH; listeners for verdicts are refused. */
    private static final long KNOWN_FLAGS = 1 | 2 | 4 | 16;

    private static final int KILL_PROCESS = 0x80000000;
    private static final int KILL_THREAD = 0;
    private static final int TRAP = 0x30000;
    private static final int ERRNO = 0x50000;
    private static final int TRACE = 0x7ff00000;
    private static final int LOG = 0x7ffc0000;
    private static final int ALLOW = 0x7fff0000;
    private static final int ACTION_MASK = 0xffff0000;
    private static final int DATA_MASK = 0xffff;
    private static final int MOST_ERRNO = 4095;
    private static final int ARCH_X86_64 = 0xc000003e;
    private static final int SIGSYS = 31;
    private static final int SIGKILL = 9;
    private static final int SYS_SECCOMP = 1;
    private static final long CAP_SYS_ADMIN = 1L << 21;

    private final Recorder recorder;

    GuestFilters(Recorder recorder) {
        this.recorder = recorder;
    }

    /** Whether this call is answered here. */
    boolean handles(CallView call) {
        return call.number() == SyscallNumbers.SECCOMP
                || call.number() == SyscallNumbers.PRCTL
                        && (call.arg(0) == PR_GET_SECCOMP || call.arg(0) == PR_SET_SECCOMP);
    }

    /** The result of such a call. */
    long answer(RecordedTask task, CallView call) {
        if (call.number() == SyscallNumbers.PRCTL && call.arg(0) == PR_GET_SECCOMP) {
            return task.strict ? MODE_STRICT : task.filters.isEmpty() ? 0 : MODE_FILTER;
        }
        long operation = call.arg(0);
        long flags = call.arg(1);
        long argument = call.arg(2);
        if (call.number() == SyscallNumbers.PRCTL) {
            operation = call.arg(1) == MODE_STRICT ? SET_MODE_STRICT : call.arg(1) == MODE_FILTER ? 1 : -1;
            flags = 0;
            argument = operation == SET_MODE_STRICT ? 0 : call.arg(2);
        }
        return switch ((int) operation) {
            case SET_MODE_STRICT -> {
                boolean refused = flags != 0 || argument != 0 || !task.filters.isEmpty();
                task.strict |= !refused;
                yield refused ? -Errno.EINVAL.number() : 0;
            }
            case SET_MODE_FILTER -> install(task, call, flags, argument);
            case GET_ACTION_AVAIL -> {
                int action = call.readInt(argument);
                yield switch (action) {
                    case KILL_PROCESS, KILL_THREAD, TRAP, ERRNO, TRACE, LOG, ALLOW -> 0;
                    default -> -Errno.EOPNOTSUPP.number();
                };
            }
            default -> -Errno.EINVAL.number();
        };
    }

    private long install(RecordedTask task, CallView call, long flags, long argument) {
        if ((flags & ~KNOWN_FLAGS) != 0 || task.strict) {
            return -Errno.EINVAL.number();
        }
        byte[] header = task.tracee.memory().read(argument, 16);
        if (header.length < 16) {
            return -Errno.EFAULT.number();
        }
        int length = call.readInt(argument) & 0xffff;
        if (length == 0 || length > FilterProgram.MOST_INSTRUCTIONS) {
            return -Errno.EINVAL.number();
        }
        if (!privileged(task)) {
            return -Errno.EACCES.number();
        }
        byte[] bytes = task.tracee.memory().read(call.readLong(argument + 8), length * 8);
        if (bytes.length < length * 8) {
            return -Errno.EFAULT.number();
        }
        FilterProgram program = FilterProgram.parse(bytes);
        if (program == null) {
            return -Errno.EINVAL.number();
        }
        List<FilterProgram> filters = new ArrayList<>(task.filters);
        filters.add(program);
        task.filters = filters;
        if ((flags & TSYNC) != 0) {
            recorder.tasksOf(task.process).forEach(other -> other.filters = filters);
        }
        return 0;
    }

    /** Whether a task has given up gaining rights, or has them (seccomp(2)). */
    private static boolean privileged(RecordedTask task) {
        try {
            String status = Files.readString(Path.of("/proc/" + task.tid + "/status"), StandardCharsets.ISO_8859_1);
            return field(status, "NoNewPrivs:", 10) == 1 || (field(status, "CapEff:", 16) & CAP_SYS_ADMIN) != 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static long field(String status, String name, int radix) {
        int at = status.indexOf(name);
        return at < 0
                ? 0
                : Long.parseUnsignedLong(
                        status.substring(at + name.length(), status.indexOf('\n', at))
                                .strip(),
                        radix);
    }

    /**
     * Judges the call at whose entry a task stands.
     *
     * @return the result when the call is not to run; null when it is
     */
    Long judge(RecordedTask task) {
        TaskCallView view = task.call.view;
        if (task.filters.isEmpty() && !task.strict || isClock(view.number())) {
            return null;
        }
        if (task.strict) {
            boolean allowed = view.number() == SyscallNumbers.READ
                    || view.number() == SyscallNumbers.WRITE
                    || view.number() == SyscallNumbers.EXIT
                    || view.number() == SyscallNumbers.RT_SIGRETURN;
            if (!allowed) {
                recorder.tracer().tgkill(task.process, task.tid, SIGKILL);
            }
            return allowed ? null : Long.valueOf(view.number());
        }
        int verdict = verdict(task, view);
        return switch (verdict & ACTION_MASK) {
            case ALLOW, LOG -> null;
            case ERRNO -> (long) -Math.min(verdict & DATA_MASK, MOST_ERRNO);
            case TRACE -> (long) -Errno.ENOSYS.number();
            case TRAP -> {
                signal(task, view, verdict & DATA_MASK, (task.tracee.signalMask() >> (SIGSYS - 1) & 1) != 0);
                yield Long.valueOf(view.number());
            }
            default -> {
                signal(task, view, verdict & DATA_MASK, true);
                yield Long.valueOf(view.number());
            }
        };
    }

    /** A filter never sees these in an ordinary process, which reads the clock without a call. */
    private static boolean isClock(int number) {
        return number == SyscallNumbers.CLOCK_GETTIME
                || number == SyscallNumbers.GETTIMEOFDAY
                || number == SyscallNumbers.TIME
                || number == SyscallNumbers.GETCPU;
    }

    /** The strictest verdict of all filters: the action is compared as a signed number. */
    private static int verdict(RecordedTask task, TaskCallView view) {
        ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(view.number()).putInt(ARCH_X86_64).putLong(task.tracee.register(Reg.RIP));
        for (long argument : view.arguments()) {
            data.putLong(argument);
        }
        int result = ALLOW;
        for (int i = task.filters.size() - 1; i >= 0; i--) {
            int one = task.filters.get(i).run(data);
            if ((one & ACTION_MASK) < (result & ACTION_MASK)) {
                result = one;
            }
        }
        return result;
    }

    /** Has SIGSYS delivered right after the call; {@code deadly} when no handler may run. */
    private void signal(RecordedTask task, TaskCallView view, int data, boolean deadly) {
        Tracee tracee = task.tracee;
        byte[] siginfo = new byte[128];
        ByteBuffer.wrap(siginfo)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(SIGSYS)
                .putInt(data)
                .putInt(SYS_SECCOMP)
                .putInt(0)
                .putLong(tracee.register(Reg.RIP))
                .putInt(view.number())
                .putInt(ARCH_X86_64);
        if (deadly) {
            tracee.memory().write(EnginePage.DATA, new byte[32]);
            tracee.inject(SyscallNumbers.RT_SIGACTION, SIGSYS, EnginePage.DATA, 0, 8);
            task.deferred.addAll(tracee.heldSignals());
            tracee.heldSignals().clear();
            tracee.setSignalMask(tracee.signalMask() & ~(1L << (SIGSYS - 1)));
        }
        task.deferred.addFirst(new HeldSignal(SIGSYS, siginfo));
    }
}
