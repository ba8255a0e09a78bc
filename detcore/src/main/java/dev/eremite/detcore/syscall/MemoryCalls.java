package dev.eremite.detcore.syscall;

import static dev.eremite.detcore.syscall.Errno.EINVAL;
import static dev.eremite.detcore.syscall.Outputs.*;
import static dev.eremite.detcore.syscall.SyscallNumbers.*;

import dev.eremite.detcore.syscall.SyscallRow.Kind;

/** Address spaces: what builds them runs in replay too; what only asks or advises does not. */
final class MemoryCalls {
    private static final int MADV_DONTFORK = 10;
    private static final long PAGE = 4096;
    private static final long MAX_NODE_BITS = 8 * PAGE;

    private MemoryCalls() {}

    static void register(TableBuilder table) {
        mappings(table);
        residency(table);
        policies(table);
    }

    private static void mappings(TableBuilder table) {
        table.special(MMAP, "mmap")
                .pointer("addr")
                .size("length")
                .flags("prot", SymbolSets.PROT)
                .flags("flags", SymbolSets.MAP)
                .fd("fd")
                .hex("offset")
                .returns(Kind.POINTER);
        table.special(MREMAP, "mremap")
                .pointer("old_address")
                .size("old_size")
                .size("new_size")
                .flags("flags", SymbolSets.MREMAP)
                .pointer("new_address")
                .returns(Kind.POINTER);
        table.special(BRK, "brk").pointer("addr").returns(Kind.POINTER);
        table.special(SHMAT, "shmat")
                .integer("shmid")
                .pointer("shmaddr")
                .hex("shmflg")
                .returns(Kind.POINTER);
        table.special(SHMDT, "shmdt").pointer("shmaddr");
        table.runNatively(MUNMAP, "munmap").pointer("addr").size("length");
        table.runNatively(MPROTECT, "mprotect").pointer("addr").size("len").flags("prot", SymbolSets.PROT);
        table.runNatively(PKEY_MPROTECT, "pkey_mprotect")
                .pointer("addr")
                .size("len")
                .flags("prot", SymbolSets.PROT)
                .integer("pkey");
        table.runNatively(MADVISE, "madvise")
                .pointer("addr")
                .size("length")
                .flags("advice", SymbolSets.MADVISE)
                .refuseWhen(
                        call -> (int) call.arg(2) == MADV_DONTFORK,
                        EINVAL,
                        "MADV_DONTFORK: replay makes forks of its own");
    }

    private static void residency(TableBuilder table) {
        table.record(MSYNC, "msync").pointer("addr").size("length").flags("flags", SymbolSets.MSYNC);
        table.record(MINCORE, "mincore")
                .pointer("addr")
                .size("length")
                .pointer("vec")
                .out(MemoryCalls::residentPages);
        table.record(MLOCK, "mlock").pointer("addr").size("len");
        table.record(MLOCK2, "mlock2").pointer("addr").size("len").hex("flags");
        table.record(MUNLOCK, "munlock").pointer("addr").size("len");
        table.record(MLOCKALL, "mlockall").hex("flags");
        table.record(MUNLOCKALL, "munlockall");
        table.record(MEMBARRIER, "membarrier").hex("cmd").hex("flags").integer("cpu_id");
    }

    /** One byte for each page; with ENOMEM those before the hole are written. */
    private static void residentPages(CallView call, Output.Sink sink) {
        if (!rejected(call)) {
            sink.range(call.arg(2), Long.divideUnsigned(call.arg(1) + PAGE - 1, PAGE));
        }
    }

    private static void policies(TableBuilder table) {
        table.record(MBIND, "mbind")
                .pointer("addr")
                .size("len")
                .hex("mode")
                .pointer("nodemask")
                .size("maxnode")
                .hex("flags");
        table.record(SET_MEMPOLICY, "set_mempolicy")
                .hex("mode")
                .pointer("nodemask")
                .size("maxnode");
        table.record(GET_MEMPOLICY, "get_mempolicy")
                .pointer("mode")
                .pointer("nodemask")
                .size("maxnode")
                .pointer("addr")
                .hex("flags")
                .out(fixed(0, INT))
                .out(MemoryCalls::nodes);
        table.record(SET_MEMPOLICY_HOME_NODE, "set_mempolicy_home_node")
                .pointer("start")
                .size("len")
                .size("home_node")
                .hex("flags");
        table.record(MIGRATE_PAGES, "migrate_pages")
                .integer("pid")
                .size("maxnode")
                .pointer("old_nodes")
                .pointer("new_nodes");
        table.record(MOVE_PAGES, "move_pages")
                .integer("pid")
                .size("count")
                .pointer("pages")
                .pointer("nodes")
                .pointer("status")
                .hex("flags")
                .out(MemoryCalls::pageStatus);
    }

    /** The kernel fills whole words for maxnode − 1 bits (mm/mempolicy.c, copy_nodes_to_user). */
    private static void nodes(CallView call, Output.Sink sink) {
        long bits = call.arg(2) - 1;
        if (!call.failed() && bits > 0) {
            sink.range(call.arg(1), (Math.min(bits, MAX_NODE_BITS) + 63) / 64 * LONG);
        }
    }

    /** Some states are written before the call fails. */
    private static void pageStatus(CallView call, Output.Sink sink) {
        long maxPages = 1 << 20;
        if (!rejected(call)) {
            sink.range(call.arg(4), unsignedMin(call.arg(1), maxPages) * INT);
        }
    }
}
