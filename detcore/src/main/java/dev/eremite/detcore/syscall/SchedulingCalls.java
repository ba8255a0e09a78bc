package dev.eremite.detcore.syscall;

import static dev.eremite.detcore.syscall.Outputs.*;
import static dev.eremite.detcore.syscall.SyscallNumbers.*;

/** Priorities, policies and processors. */
final class SchedulingCalls {
    private static final long PAGE = 4096;

    private SchedulingCalls() {}

    static void register(TableBuilder table) {
        table.record(SCHED_YIELD, "sched_yield");
        table.record(SCHED_SETPARAM, "sched_setparam").integer("pid").pointer("param");
        table.record(SCHED_GETPARAM, "sched_getparam")
                .integer("pid")
                .pointer("param")
                .out(fixed(1, INT));
        table.record(SCHED_SETSCHEDULER, "sched_setscheduler")
                .integer("pid")
                .flags("policy", SymbolSets.SCHEDULER)
                .pointer("param");
        table.record(SCHED_GETSCHEDULER, "sched_getscheduler").integer("pid");
        table.record(SCHED_GET_PRIORITY_MAX, "sched_get_priority_max").flags("policy", SymbolSets.SCHEDULER);
        table.record(SCHED_GET_PRIORITY_MIN, "sched_get_priority_min").flags("policy", SymbolSets.SCHEDULER);
        table.record(SCHED_RR_GET_INTERVAL, "sched_rr_get_interval")
                .integer("pid")
                .pointer("tp")
                .out(fixed(1, TIMESPEC));
        table.record(SCHED_SETAFFINITY, "sched_setaffinity")
                .integer("pid")
                .size("cpusetsize")
                .pointer("mask");
        table.record(SCHED_GETAFFINITY, "sched_getaffinity")
                .integer("pid")
                .size("cpusetsize")
                .pointer("mask")
                .out(bytesFromResult(2));
        // A struct of another size makes the kernel answer with the size that it knows.
        table.record(SCHED_SETATTR, "sched_setattr")
                .integer("pid")
                .pointer("attr")
                .hex("flags")
                .out(when(call -> failedWith(call, Errno.E2BIG), plain(1, INT)));
        table.record(SCHED_GETATTR, "sched_getattr")
                .integer("pid")
                .pointer("attr")
                .size("size")
                .hex("flags")
                .out(sizedByArgument(1, 2, PAGE));
        table.record(GETPRIORITY, "getpriority")
                .flags("which", SymbolSets.PRIORITY)
                .integer("who");
        table.record(SETPRIORITY, "setpriority")
                .flags("which", SymbolSets.PRIORITY)
                .integer("who")
                .integer("prio");
        table.record(IOPRIO_SET, "ioprio_set").integer("which").integer("who").hex("ioprio");
        table.record(IOPRIO_GET, "ioprio_get").integer("which").integer("who");
        table.record(GETCPU, "getcpu")
                .pointer("cpu")
                .pointer("node")
                .pointer("tcache")
                .out(fixed(0, INT))
                .out(fixed(1, INT));
    }
}
