package dev.eremite.detcore.syscall;

import java.util.Map;

/** prctl(2) and arch_prctl(2) by option. */
final class PrctlOutputs {
    private static final int ARCH_GET_FS = 0x1003;
    private static final int ARCH_GET_GS = 0x1004;
    private static final int ARCH_GET_XCOMP_SUPP = 0x1021;
    private static final int ARCH_GET_XCOMP_PERM = 0x1022;
    private static final int ARCH_GET_XCOMP_GUEST_PERM = 0x1024;
    private static final int ARCH_REQ_XCOMP_PERM = 0x1023;
    private static final int ARCH_REQ_XCOMP_GUEST_PERM = 0x1025;
    private static final int ARCH_SHSTK_ENABLE = 0x5001;
    private static final int ARCH_SHSTK_STATUS = 0x5005;

    /**
     * An option that is let through.
     *
     * @param name its name
     * @param size bytes that it writes
     * @param arg the argument that says where
     */
    private record Option(String name, long size, int arg) {
        Option(String name) {
            this(name, 0, 1);
        }
    }

    private static final Map<Integer, Option> OPTIONS = Map.ofEntries(
            Map.entry(1, new Option("PR_SET_PDEATHSIG")),
            Map.entry(2, new Option("PR_GET_PDEATHSIG", Outputs.INT, 1)),
            Map.entry(3, new Option("PR_GET_DUMPABLE")),
            Map.entry(4, new Option("PR_SET_DUMPABLE")),
            Map.entry(5, new Option("PR_GET_UNALIGN")),
            Map.entry(6, new Option("PR_SET_UNALIGN")),
            Map.entry(7, new Option("PR_GET_KEEPCAPS")),
            Map.entry(8, new Option("PR_SET_KEEPCAPS")),
            Map.entry(9, new Option("PR_GET_FPEMU")),
            Map.entry(10, new Option("PR_SET_FPEMU")),
            Map.entry(11, new Option("PR_GET_FPEXC")),
            Map.entry(12, new Option("PR_SET_FPEXC")),
            Map.entry(13, new Option("PR_GET_TIMING")),
            Map.entry(14, new Option("PR_SET_TIMING")),
            Map.entry(15, new Option("PR_SET_NAME")),
            Map.entry(16, new Option("PR_GET_NAME", 16, 1)),
            Map.entry(19, new Option("PR_GET_ENDIAN")),
            Map.entry(20, new Option("PR_SET_ENDIAN")),
            Map.entry(21, new Option("PR_GET_SECCOMP")),
            Map.entry(22, new Option("PR_SET_SECCOMP")),
            Map.entry(23, new Option("PR_CAPBSET_READ")),
            Map.entry(24, new Option("PR_CAPBSET_DROP")),
            Map.entry(27, new Option("PR_GET_SECUREBITS")),
            Map.entry(28, new Option("PR_SET_SECUREBITS")),
            Map.entry(29, new Option("PR_SET_TIMERSLACK")),
            Map.entry(30, new Option("PR_GET_TIMERSLACK")),
            Map.entry(33, new Option("PR_MCE_KILL")),
            Map.entry(34, new Option("PR_MCE_KILL_GET")),
            Map.entry(36, new Option("PR_SET_CHILD_SUBREAPER")),
            Map.entry(37, new Option("PR_GET_CHILD_SUBREAPER", Outputs.INT, 1)),
            Map.entry(38, new Option("PR_SET_NO_NEW_PRIVS")),
            Map.entry(39, new Option("PR_GET_NO_NEW_PRIVS")),
            Map.entry(40, new Option("PR_GET_TID_ADDRESS", Outputs.LONG, 1)),
            Map.entry(41, new Option("PR_SET_THP_DISABLE")),
            Map.entry(42, new Option("PR_GET_THP_DISABLE")),
            Map.entry(47, new Option("PR_CAP_AMBIENT")),
            Map.entry(52, new Option("PR_GET_SPECULATION_CTRL")),
            Map.entry(53, new Option("PR_SET_SPECULATION_CTRL")),
            Map.entry(57, new Option("PR_SET_IO_FLUSHER")),
            Map.entry(58, new Option("PR_GET_IO_FLUSHER")),
            Map.entry(62, new Option("PR_SCHED_CORE", Outputs.LONG, 4)),
            Map.entry(65, new Option("PR_SET_MDWE")),
            Map.entry(66, new Option("PR_GET_MDWE")),
            Map.entry(67, new Option("PR_SET_MEMORY_MERGE")),
            Map.entry(68, new Option("PR_GET_MEMORY_MERGE")),
            Map.entry(0x53564d41, new Option("PR_SET_VMA")),
            Map.entry(0x41555856, new Option("PR_GET_AUXV")),
            Map.entry(0x59616d61, new Option("PR_SET_PTRACER")));

    private static final Symbols REFUSED_NAMES =
            Symbols.values("PR_GET_TSC=25 PR_SET_TSC=26 PR_TASK_PERF_EVENTS_DISABLE=31 "
                    + "PR_TASK_PERF_EVENTS_ENABLE=32 PR_SET_MM=35 PR_SET_SYSCALL_USER_DISPATCH=59 "
                    + "PR_GET_SHADOW_STACK_STATUS=74 PR_SET_SHADOW_STACK_STATUS=75 PR_LOCK_SHADOW_STACK_STATUS=76 "
                    + "PR_TIMER_CREATE_RESTORE_IDS=77 PR_FUTEX_HASH=78");

    private static final int PR_SCHED_CORE = 62;
    private static final int PR_GET_AUXV = 0x41555856;
    private static final long MAX_AUXV = 4096;

    private PrctlOutputs() {}

    static String name(long option) {
        Option known = OPTIONS.get((int) option);
        return known != null ? known.name : REFUSED_NAMES.format(option);
    }

    /** Whether an option is let through. */
    static boolean known(int option) {
        return OPTIONS.containsKey(option);
    }

    /** The trapped TSC and the like belong to the engine; an unknown option may write anywhere. */
    static boolean refused(CallView call) {
        return !known((int) call.arg(0));
    }

    static void collect(CallView call, Output.Sink sink) {
        int number = (int) call.arg(0);
        Option option = OPTIONS.get(number);
        if (call.failed() || option == null) {
            return;
        }
        if (number == PR_GET_AUXV) {
            sink.range(call.arg(1), Outputs.unsignedMin(call.arg(2), MAX_AUXV));
        } else if (number != PR_SCHED_CORE || call.arg(1) == 0) {
            sink.range(call.arg(option.arg), option.size);
        }
    }

    /** ARCH_SHSTK_ENABLE and its companions. */
    static boolean shadowStack(CallView call) {
        return (int) call.arg(0) >= ARCH_SHSTK_ENABLE && (int) call.arg(0) <= ARCH_SHSTK_STATUS;
    }

    /** Requests for the permission to use AMX, which a replay could not repeat everywhere. */
    static boolean extendedState(CallView call) {
        return (int) call.arg(0) == ARCH_REQ_XCOMP_PERM || (int) call.arg(0) == ARCH_REQ_XCOMP_GUEST_PERM;
    }

    /** arch_prctl(2). */
    static void architecture(CallView call, Output.Sink sink) {
        if (call.failed()) {
            return;
        }
        switch ((int) call.arg(0)) {
            case ARCH_GET_FS, ARCH_GET_GS, ARCH_GET_XCOMP_SUPP, ARCH_GET_XCOMP_PERM, ARCH_GET_XCOMP_GUEST_PERM ->
                sink.range(call.arg(1), Outputs.LONG);
            default -> {
                // The others set something or answer by their result.
            }
        }
    }
}
