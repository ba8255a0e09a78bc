package dev.eremite.detcore.syscall;

import dev.eremite.detcore.syscall.SyscallRow.Kind;
import dev.eremite.detcore.syscall.SyscallRow.Parameter;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Which of its arguments a call uses, and what they are, where an earlier argument decides that. */
final class ShownArguments {
    private static final int O_CREAT = 0100;
    private static final int O_TMPFILE_BIT = 020000000;
    private static final int MREMAP_FIXED_OR_DONTUNMAP = 6;
    private static final int S_IFMT = 0170000;
    private static final int S_IFCHR = 020000;
    private static final int S_IFBLK = 060000;
    private static final int MEMBARRIER_CMD_FLAG_CPU = 1;
    private static final int PR_SET_SECCOMP = 22;
    private static final int PR_SET_TSC = 26;
    private static final int SOL_SOCKET = 1;

    /** F_GETFD, F_GETFL, F_GETOWN, F_GETSIG, F_GETLEASE, F_GETPIPE_SZ, F_GET_SEALS. */
    private static final Set<Integer> FCNTL_WITHOUT_ARGUMENT = Set.of(1, 3, 9, 11, 1025, 1032, 1034);

    /** TIOCEXCL, TIOCNXCL, TIOCNOTTY, TIOCSBRK, TIOCCBRK, TIOCVHANGUP, FIONCLEX, FIOCLEX, BLKRRPART, BLKFLSBUF. */
    private static final Set<Integer> IOCTL_WITHOUT_ARGUMENT =
            Set.of(0x540c, 0x540d, 0x5422, 0x5427, 0x5428, 0x5437, 0x5450, 0x5451, 0x125f, 0x1261);

    /** PR_GET_DUMPABLE, GET_KEEPCAPS, GET_TIMING, GET_SECCOMP, GET_SECUREBITS, GET_TIMERSLACK. */
    private static final Set<Integer> PRCTL_WITHOUT_ARGUMENT = Set.of(3, 7, 13, 21, 27, 30);

    /** PR_MCE_KILL and the later ones, whose unused arguments must be zero. */
    private static final Set<Integer> PRCTL_WITH_ALL =
            Set.of(33, 34, 35, 38, 39, 41, 42, 47, 57, 58, 59, 62, 65, 66, 67, 68, 0x53564d41, 0x41555856);

    private ShownArguments() {}

    /** The indexes of the arguments that the call uses. */
    static List<Integer> indexes(CallView call, SyscallRow row) {
        return switch (row.number()) {
            case SyscallNumbers.FUTEX -> futex(call);
            // The kernel ignores the high half of the position, where the low one has 64 bits.
            case SyscallNumbers.PREADV2, SyscallNumbers.PWRITEV2 -> List.of(0, 1, 2, 3, 5);
            default -> first(count(call, row));
        };
    }

    private static List<Integer> first(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    private static int count(CallView call, SyscallRow row) {
        int all = row.parameters().size();
        return switch (row.number()) {
            case SyscallNumbers.FCNTL -> FCNTL_WITHOUT_ARGUMENT.contains((int) call.arg(1)) ? 2 : all;
            case SyscallNumbers.IOCTL -> IOCTL_WITHOUT_ARGUMENT.contains((int) call.arg(1)) ? 2 : all;
            case SyscallNumbers.MREMAP -> (call.arg(3) & MREMAP_FIXED_OR_DONTUNMAP) != 0 ? all : all - 1;
            case SyscallNumbers.MEMBARRIER -> (call.arg(1) & MEMBARRIER_CMD_FLAG_CPU) != 0 ? all : all - 1;
            case SyscallNumbers.MKNOD -> isDevice(call.arg(1)) ? all : all - 1;
            case SyscallNumbers.MKNODAT -> isDevice(call.arg(2)) ? all : all - 1;
            case SyscallNumbers.PRCTL -> prctl((int) call.arg(0));
            default -> createMode(call, row);
        };
    }

    private static boolean isDevice(long mode) {
        long type = mode & S_IFMT;
        return type == S_IFCHR || type == S_IFBLK;
    }

    private static int prctl(int option) {
        int speculation = 53;
        if (PRCTL_WITHOUT_ARGUMENT.contains(option)) {
            return 1;
        }
        if (option == speculation) {
            return 3;
        }
        boolean engines = option >= PR_SET_SECCOMP && option <= PR_SET_TSC;
        return PRCTL_WITH_ALL.contains(option) || (!engines && !PrctlOutputs.known(option)) ? 5 : 2;
    }

    /** The mode, and what follows it, counts only where a file may be made. */
    private static int createMode(CallView call, SyscallRow row) {
        for (int i = 1; i < row.parameters().size(); i++) {
            boolean mode = row.parameters().get(i).kind() == Kind.CREATE_MODE;
            if (mode && (call.arg(i - 1) & (O_CREAT | O_TMPFILE_BIT)) == 0) {
                return i;
            }
        }
        return row.parameters().size();
    }

    private static List<Integer> futex(CallView call) {
        return switch (FutexOperation.of(call.arg(1))) {
            case FutexOperation.WAIT -> first(4);
            case FutexOperation.WAKE, FutexOperation.FD -> first(3);
            case FutexOperation.REQUEUE -> first(5);
            case FutexOperation.UNLOCK_PI, FutexOperation.TRYLOCK_PI -> first(2);
            case FutexOperation.LOCK_PI, FutexOperation.LOCK_PI2 -> List.of(0, 1, 3);
            case FutexOperation.WAIT_BITSET -> List.of(0, 1, 2, 3, 5);
            case FutexOperation.WAKE_BITSET -> List.of(0, 1, 2, 5);
            case FutexOperation.WAIT_REQUEUE_PI -> first(5);
            default -> first(6);
        };
    }

    /** How argument {@code index} of this very call is to be printed. */
    static Parameter parameter(CallView call, SyscallRow row, int index) {
        Parameter declared = row.parameters().get(index);
        return switch (row.number()) {
            case SyscallNumbers.FCNTL -> index == 2 ? fcntlArgument((int) call.arg(1), declared) : declared;
            case SyscallNumbers.PRCTL -> index == 1 ? prctlArgument(call, declared) : declared;
            case SyscallNumbers.FUTEX -> futexArgument(call, index, declared);
            case SyscallNumbers.GETSOCKOPT, SyscallNumbers.SETSOCKOPT -> {
                boolean socket = index == 2 && (int) call.arg(1) == SOL_SOCKET;
                yield socket ? new Parameter(declared.name(), Kind.FLAGS, SymbolSets.SOCKET_OPTION) : declared;
            }
            default -> declared;
        };
    }

    private static Parameter fcntlArgument(int command, Parameter declared) {
        return switch (command) {
            case 0, 8, 1030, 1031 -> new Parameter(declared.name(), Kind.INT);
            case 2 -> new Parameter(declared.name(), Kind.FLAGS, SymbolSets.CLOSE_ON_EXEC);
            case 4 -> new Parameter(declared.name(), Kind.FLAGS, SymbolSets.OPEN);
            case 10 -> new Parameter(declared.name(), Kind.SIGNAL);
            default -> declared;
        };
    }

    private static Parameter prctlArgument(CallView call, Parameter declared) {
        return switch ((int) call.arg(0)) {
            case 1 -> new Parameter(declared.name(), Kind.SIGNAL);
            case 15 -> new Parameter(declared.name(), Kind.STRING);
            case 16 -> new Parameter(declared.name(), Kind.STRING_OUT);
            case 29, 36, 38 -> new Parameter(declared.name(), Kind.UNSIGNED);
            default -> declared;
        };
    }

    private static Parameter futexArgument(CallView call, int index, Parameter declared) {
        if (index == 3) {
            return switch (FutexOperation.of(call.arg(1))) {
                case FutexOperation.REQUEUE,
                        FutexOperation.CMP_REQUEUE,
                        FutexOperation.WAKE_OP,
                        FutexOperation.CMP_REQUEUE_PI -> new Parameter("val2", Kind.UNSIGNED_INT);
                default -> declared;
            };
        }
        boolean compared = index == 5
                && (FutexOperation.of(call.arg(1)) == FutexOperation.CMP_REQUEUE
                        || FutexOperation.of(call.arg(1)) == FutexOperation.CMP_REQUEUE_PI);
        return compared ? new Parameter(declared.name(), Kind.UNSIGNED_INT) : declared;
    }
}
