package dev.eremite.detcore.syscall;

import static dev.eremite.detcore.syscall.Outputs.*;
import static dev.eremite.detcore.syscall.SyscallNumbers.*;

/** Descriptors themselves: duplicates, flags, locks, device control, pipes and the other kinds of anonymous file. */
final class DescriptorCalls {
    private DescriptorCalls() {}

    static void register(TableBuilder table) {
        table.record(CLOSE, "close").fd("fd");
        table.record(CLOSE_RANGE, "close_range").size("first").size("last").hex("flags");
        table.record(DUP, "dup").fd("oldfd");
        table.record(DUP2, "dup2").fd("oldfd").fd("newfd");
        table.record(DUP3, "dup3").fd("oldfd").fd("newfd").flags("flags", SymbolSets.FD_FLAGS);
        table.record(PIDFD_GETFD, "pidfd_getfd").fd("pidfd").fd("targetfd").hex("flags");
        table.record(FCNTL, "fcntl")
                .fd("fd")
                .flags("cmd", SymbolSets.FCNTL)
                .hex("arg")
                .out(FcntlOutputs::collect)
                .mayBlock(FcntlOutputs::mayBlock)
                .refuseWhen(call -> !FcntlOutputs.known((int) call.arg(1)), Errno.EINVAL, "the command is not known");
        table.record(FLOCK, "flock")
                .fd("fd")
                .flags("operation", SymbolSets.FLOCK)
                .mayBlock(Blocking.flock());
        table.record(IOCTL, "ioctl")
                .fd("fd")
                .flags("request", SymbolSets.IOCTL)
                .pointer("argp")
                .out(IoctlOutputs::collect)
                .mayBlock(IoctlOutputs::mayBlock)
                .refuseWhen(
                        call -> !IoctlOutputs.known((int) call.arg(1)),
                        Errno.ENOTTY,
                        "what the request writes to memory is not known");
        table.record(PIPE, "pipe").fdPairOut("pipefd").out(fixed(0, 2 * INT));
        table.record(PIPE2, "pipe2")
                .fdPairOut("pipefd")
                .flags("flags", SymbolSets.FD_FLAGS)
                .out(fixed(0, 2 * INT));
        table.record(EVENTFD, "eventfd").size("initval");
        table.record(EVENTFD2, "eventfd2").size("initval").flags("flags", SymbolSets.EVENTFD);
        table.record(MEMFD_CREATE, "memfd_create").path("name").flags("flags", SymbolSets.MEMFD);
    }
}
