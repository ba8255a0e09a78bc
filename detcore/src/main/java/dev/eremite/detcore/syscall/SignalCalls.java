package dev.eremite.detcore.syscall;

import static dev.eremite.detcore.syscall.Outputs.*;
import static dev.eremite.detcore.syscall.SyscallNumbers.*;

/** Signals. */
final class SignalCalls {
    /** The kernel's struct sigaction: handler, flags, restorer and a mask of 8 bytes. */
    private static final long SIGACTION = 32;

    private static final long STACK = 24;
    private static final long MAX_SIGSET = 8;

    private SignalCalls() {}

    static void register(TableBuilder table) {
        table.record(RT_SIGACTION, "rt_sigaction")
                .signal("signum")
                .pointer("act")
                .pointer("oldact")
                .size("sigsetsize")
                .out(fixed(2, SIGACTION));
        table.record(RT_SIGPROCMASK, "rt_sigprocmask")
                .flags("how", SymbolSets.SIGMASK_HOW)
                .pointer("set")
                .pointer("oldset")
                .size("sigsetsize")
                .out(sizedByArgument(2, 3, MAX_SIGSET));
        table.special(RT_SIGRETURN, "rt_sigreturn");
        table.record(RT_SIGPENDING, "rt_sigpending")
                .pointer("set")
                .size("sigsetsize")
                .out(sizedByArgument(0, 1, MAX_SIGSET));
        table.record(RT_SIGTIMEDWAIT, "rt_sigtimedwait")
                .pointer("set")
                .pointer("info")
                .timespec("timeout")
                .size("sigsetsize")
                .out(whenPositive(plain(1, SIGINFO)))
                .mayBlock(Blocking.timeAt(2));
        table.record(RT_SIGSUSPEND, "rt_sigsuspend")
                .pointer("mask")
                .size("sigsetsize")
                .mayBlock();
        table.record(RT_SIGQUEUEINFO, "rt_sigqueueinfo")
                .integer("tgid")
                .signal("sig")
                .pointer("info");
        table.record(RT_TGSIGQUEUEINFO, "rt_tgsigqueueinfo")
                .integer("tgid")
                .integer("tid")
                .signal("sig")
                .pointer("info");
        table.record(SIGALTSTACK, "sigaltstack").pointer("ss").pointer("old_ss").out(fixed(1, STACK));
        table.record(KILL, "kill").integer("pid").signal("sig");
        table.record(TKILL, "tkill").integer("tid").signal("sig");
        table.record(TGKILL, "tgkill").integer("tgid").integer("tid").signal("sig");
        table.record(PIDFD_SEND_SIGNAL, "pidfd_send_signal")
                .fd("pidfd")
                .signal("sig")
                .pointer("info")
                .hex("flags");
        table.record(PAUSE, "pause").mayBlock();
        // It goes on with a sleep, poll or futex wait that a signal interrupted; the outputs are those of that call.
        table.record(RESTART_SYSCALL, "restart_syscall").mayBlock();
        table.record(SIGNALFD, "signalfd").fd("fd").pointer("mask").size("sizemask");
        table.record(SIGNALFD4, "signalfd4")
                .fd("fd")
                .pointer("mask")
                .size("sizemask")
                .flags("flags", SymbolSets.SIGNALFD);
    }
}
