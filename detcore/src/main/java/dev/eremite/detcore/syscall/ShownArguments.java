package dev.eremite.detcore.syscall;

import dev.eremite.detcore.syscall.SyscallRow.Kind;
import java.util.Set;

/** How many of its arguments a call uses: some only look at the later ones when an earlier one says so. */
final class ShownArguments {
    private static final int O_CREAT = 0100;
    private static final int O_TMPFILE_BIT = 020000000;
    private static final int MREMAP_FIXED_OR_DONTUNMAP = 6;
    private static final long CLONE_PIDFD = 0x1000;
    private static final long CLONE_SETTLS = 0x80000;
    private static final long CLONE_PARENT_SETTID = 0x100000;
    private static final long CLONE_CHILD_WORDS = 0x1200000;

    /** F_GETFD, F_GETFL, F_GETOWN, F_GETSIG, F_GETLEASE, F_GETPIPE_SZ, F_GET_SEALS. */
    private static final Set<Integer> FCNTL_WITHOUT_ARGUMENT = Set.of(1, 3, 9, 11, 1025, 1032, 1034);

    private ShownArguments() {}

    /** The number of leading arguments worth printing. */
    static int count(CallView call, SyscallRow row) {
        int all = row.parameters().size();
        if (row.number() == SyscallNumbers.FCNTL) {
            return FCNTL_WITHOUT_ARGUMENT.contains((int) call.arg(1)) ? 2 : all;
        }
        if (row.number() == SyscallNumbers.MREMAP) {
            return (call.arg(3) & MREMAP_FIXED_OR_DONTUNMAP) != 0 ? all : all - 1;
        }
        if (row.number() == SyscallNumbers.FUTEX) {
            return futex(call);
        }
        if (row.number() == SyscallNumbers.CLONE) {
            return clone(call.arg(0));
        }
        return createMode(call, row);
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

    private static int futex(CallView call) {
        return switch (FutexOutputs.command(call)) {
            case 0, FutexOutputs.LOCK_PI, FutexOutputs.LOCK_PI2 -> 4;
            case 1, 2 -> 3;
            case 3 -> 5;
            case FutexOutputs.UNLOCK_PI, FutexOutputs.TRYLOCK_PI -> 2;
            default -> 6;
        };
    }

    private static int clone(long flags) {
        if ((flags & CLONE_SETTLS) != 0) {
            return 5;
        }
        if ((flags & CLONE_CHILD_WORDS) != 0) {
            return 4;
        }
        return (flags & (CLONE_PARENT_SETTID | CLONE_PIDFD)) != 0 ? 3 : 2;
    }
}
