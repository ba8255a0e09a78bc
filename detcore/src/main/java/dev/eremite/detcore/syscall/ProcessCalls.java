package dev.eremite.detcore.syscall;

import static dev.eremite.detcore.syscall.Errno.EINVAL;
import static dev.eremite.detcore.syscall.Outputs.*;
import static dev.eremite.detcore.syscall.SyscallNumbers.*;

import dev.eremite.detcore.syscall.SyscallRow.Kind;

/** Tasks: their birth, death, names and rights. */
final class ProcessCalls {
    private static final long READ_IMPLIES_EXEC = 0x400000;
    private static final long CLONE_PIDFD = 0x1000;
    private static final long CLONE_PARENT_SETTID = 0x100000;
    private static final long CLONE3_PIDFD = 8;
    private static final long CLONE3_PARENT_TID = 24;

    private ProcessCalls() {}

    static void register(TableBuilder table) {
        tasks(table);
        waiting(table);
        names(table);
        users(table);
        groups(table);
        limits(table);
    }

    private static void tasks(TableBuilder table) {
        table.special(CLONE, "clone")
                .flags("flags", SymbolSets.CLONE)
                .pointer("child_stack")
                .pointer("parent_tid")
                .pointer("child_tid")
                .pointer("tls")
                .out(ProcessCalls::cloneWords);
        table.special(CLONE3, "clone3").pointer("cl_args").size("size").out(ProcessCalls::clone3Words);
        table.special(FORK, "fork");
        table.special(VFORK, "vfork");
        table.special(EXECVE, "execve").path("pathname").strings("argv").environment("envp");
        table.special(EXECVEAT, "execveat")
                .dirfd("dirfd")
                .path("pathname")
                .strings("argv")
                .environment("envp")
                .flags("flags", SymbolSets.AT);
        table.special(EXIT, "exit").integer("status");
        table.special(EXIT_GROUP, "exit_group").integer("status");
        table.special(SET_TID_ADDRESS, "set_tid_address").pointer("tidptr");
        table.special(ARCH_PRCTL, "arch_prctl")
                .flags("code", SymbolSets.ARCH_PRCTL)
                .pointer("addr")
                .out(PrctlOutputs::architecture)
                .refuseWhen(PrctlOutputs::shadowStack, Errno.EINVAL, "shadow stacks are not in every processor")
                .refuseWhen(PrctlOutputs::extendedState, Errno.EOPNOTSUPP, "tile registers are not in every processor");
        table.record(SET_ROBUST_LIST, "set_robust_list").pointer("head").size("len");
        table.record(GET_ROBUST_LIST, "get_robust_list")
                .integer("pid")
                .pointer("head_ptr")
                .pointer("len_ptr")
                .out(fixed(1, LONG))
                .out(fixed(2, LONG));
        table.record(UNSHARE, "unshare").flags("flags", SymbolSets.CLONE_BITS);
        table.record(SETNS, "setns").fd("fd").flags("nstype", SymbolSets.CLONE_BITS);
        table.emulate(SECCOMP, "seccomp").hex("operation").hex("flags").pointer("args");
        table.record(PRCTL, "prctl")
                .flags("option", SymbolSets.PRCTL)
                .hex("arg2")
                .hex("arg3")
                .hex("arg4")
                .hex("arg5")
                .out(PrctlOutputs::collect)
                .refuseWhen(
                        PrctlOutputs::refused,
                        Errno.EINVAL,
                        "the option changes how the engine traps the program, or is not known");
    }

    /** In the parent's memory; the child's own tid word is written in the child. */
    private static void cloneWords(CallView call, Output.Sink sink) {
        if (!call.failed() && (call.arg(0) & (CLONE_PIDFD | CLONE_PARENT_SETTID)) != 0) {
            sink.range(call.arg(2), INT);
        }
    }

    private static void clone3Words(CallView call, Output.Sink sink) {
        long args = call.arg(0);
        if (call.failed()) {
            return;
        }
        long flags = call.readLong(args);
        if ((flags & CLONE_PIDFD) != 0) {
            sink.range(call.readLong(args + CLONE3_PIDFD), INT);
        }
        if ((flags & CLONE_PARENT_SETTID) != 0) {
            sink.range(call.readLong(args + CLONE3_PARENT_TID), INT);
        }
    }

    private static void waiting(TableBuilder table) {
        table.record(WAIT4, "wait4")
                .integer("pid")
                .statusOut("wstatus")
                .flags("options", SymbolSets.WAIT)
                .pointer("rusage")
                .out(whenPositive(plain(1, INT)))
                .out(whenPositive(plain(3, RUSAGE)))
                .mayBlock(Blocking.waitOptions(2));
        table.record(WAITID, "waitid")
                .flags("idtype", SymbolSets.ID_TYPE)
                .integer("id")
                .pointer("infop")
                .flags("options", SymbolSets.WAIT)
                .pointer("rusage")
                .out(ProcessCalls::childInfo)
                .out(fixed(4, RUSAGE))
                .mayBlock(Blocking.waitOptions(3));
        table.record(PIDFD_OPEN, "pidfd_open").integer("pid").hex("flags");
        table.record(PROCESS_MRELEASE, "process_mrelease").fd("pidfd").hex("flags");
    }

    /** Six ints, with a gap after the third; the kernel writes them, or zeros, even when it then fails (kernel/exit.c). */
    private static void childInfo(CallView call, Output.Sink sink) {
        if (!failedWith(call, Errno.EFAULT) && call.arg(2) != 0) {
            sink.range(call.arg(2), 3 * INT);
            sink.range(call.arg(2) + 4 * INT, 3 * INT);
        }
    }

    private static void names(TableBuilder table) {
        table.record(GETPID, "getpid");
        table.record(GETTID, "gettid");
        table.record(GETPPID, "getppid");
        table.record(GETPGRP, "getpgrp");
        table.record(GETPGID, "getpgid").integer("pid");
        table.record(SETPGID, "setpgid").integer("pid").integer("pgid");
        table.record(SETSID, "setsid");
        table.record(GETSID, "getsid").integer("pid");
        table.record(PERSONALITY, "personality")
                .hex("persona")
                .returns(Kind.HEX)
                .refuseWhen(
                        call -> (int) call.arg(0) != -1 && (call.arg(0) & READ_IMPLIES_EXEC) != 0,
                        EINVAL,
                        "READ_IMPLIES_EXEC: what is executable would not be in the calls");
    }

    private static void users(TableBuilder table) {
        table.record(GETUID, "getuid");
        table.record(GETGID, "getgid");
        table.record(GETEUID, "geteuid");
        table.record(GETEGID, "getegid");
        table.record(SETUID, "setuid").integer("uid");
        table.record(SETGID, "setgid").integer("gid");
        table.record(SETREUID, "setreuid").integer("ruid").integer("euid");
        table.record(SETREGID, "setregid").integer("rgid").integer("egid");
        table.record(SETRESUID, "setresuid").integer("ruid").integer("euid").integer("suid");
        table.record(SETRESGID, "setresgid").integer("rgid").integer("egid").integer("sgid");
        table.record(GETRESUID, "getresuid")
                .pointer("ruid")
                .pointer("euid")
                .pointer("suid")
                .out(fixed(0, INT))
                .out(fixed(1, INT))
                .out(fixed(2, INT));
        table.record(GETRESGID, "getresgid")
                .pointer("rgid")
                .pointer("egid")
                .pointer("sgid")
                .out(fixed(0, INT))
                .out(fixed(1, INT))
                .out(fixed(2, INT));
        table.record(SETFSUID, "setfsuid").integer("fsuid");
        table.record(SETFSGID, "setfsgid").integer("fsgid");
    }

    private static void groups(TableBuilder table) {
        table.record(GETGROUPS, "getgroups")
                .integer("size")
                .pointer("list")
                .out(when(call -> (int) call.arg(0) > 0, elementsFromResult(1, INT)));
        table.record(SETGROUPS, "setgroups").integer("size").pointer("list");
        // An unknown version is answered with the preferred one, whether the call then fails or not.
        table.record(CAPGET, "capget")
                .pointer("hdrp")
                .pointer("datap")
                .out(evenOnFailure(0, INT))
                .out(ProcessCalls::capabilities);
        table.record(CAPSET, "capset").pointer("hdrp").pointer("datap").out(evenOnFailure(0, INT));
    }

    private static void capabilities(CallView call, Output.Sink sink) {
        int firstVersion = 0x19980330;
        long set = 3 * INT;
        if (!call.failed()) {
            sink.range(call.arg(1), call.readInt(call.arg(0)) == firstVersion ? set : 2 * set);
        }
    }

    private static void limits(TableBuilder table) {
        table.record(GETRLIMIT, "getrlimit")
                .flags("resource", SymbolSets.RLIMIT)
                .pointer("rlim")
                .out(fixed(1, Outputs.RLIMIT));
        table.record(SETRLIMIT, "setrlimit")
                .flags("resource", SymbolSets.RLIMIT)
                .pointer("rlim");
        table.record(PRLIMIT64, "prlimit64")
                .integer("pid")
                .flags("resource", SymbolSets.RLIMIT)
                .pointer("new_limit")
                .pointer("old_limit")
                .out(fixed(3, Outputs.RLIMIT));
        table.record(GETRUSAGE, "getrusage")
                .flags("who", SymbolSets.RUSAGE)
                .pointer("usage")
                .out(fixed(1, RUSAGE));
        table.record(TIMES, "times").pointer("buf").out(fixed(0, 32));
        table.record(ACCT, "acct").path("filename");
    }
}
