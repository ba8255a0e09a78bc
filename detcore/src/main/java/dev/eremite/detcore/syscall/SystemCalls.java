package dev.eremite.detcore.syscall;

import static dev.eremite.detcore.syscall.Outputs.*;
import static dev.eremite.detcore.syscall.SyscallNumbers.*;

/** What concerns the machine as a whole, its security modules and its randomness. */
final class SystemCalls {
    private static final long UTSNAME = 390;
    private static final long SYSINFO_SIZE = 112;
    private static final int MAX_FILESYSTEM_NAME = 64;
    private static final long MAX_CONTEXTS = 1 << 16;

    private SystemCalls() {}

    static void register(TableBuilder table) {
        machine(table);
        security(table);
    }

    private static void machine(TableBuilder table) {
        table.record(UNAME, "uname").pointer("buf").out(fixed(0, UTSNAME));
        table.record(SYSINFO, "sysinfo").pointer("info").out(fixed(0, SYSINFO_SIZE));
        table.record(SYSLOG, "syslog")
                .integer("type")
                .bufferOut("bufp")
                .size("size")
                .out(SystemCalls::kernelLog)
                .mayBlock(call -> (int) call.arg(0) == 2);
        table.record(SYSFS, "sysfs").integer("option").hex("arg1").hex("arg2").out(SystemCalls::filesystemName);
        table.record(GETRANDOM, "getrandom")
                .bytesOut("buf")
                .size("buflen")
                .flags("flags", SymbolSets.GRND)
                .out(bytesFromResult(0))
                .mayBlock(Blocking.random());
        table.record(SETHOSTNAME, "sethostname").bufferIn("name").size("len");
        table.record(SETDOMAINNAME, "setdomainname").bufferIn("name").size("len");
        table.record(VHANGUP, "vhangup");
        table.record(LOOKUP_DCOOKIE, "lookup_dcookie")
                .hex("cookie")
                .stringOut("buffer")
                .size("len")
                .out(bytesFromResult(1, 2));
    }

    /** Types 2, 3 and 4 read; the others answer by their result. */
    private static void kernelLog(CallView call, Output.Sink sink) {
        int type = (int) call.arg(0);
        if (type >= 2 && type <= 4) {
            sink.range(call.arg(1), Math.max(0, call.result()));
        }
    }

    /** sysfs(2, index, buf) writes a name, and nothing tells its length but the NUL. */
    private static void filesystemName(CallView call, Output.Sink sink) {
        if (call.failed() || (int) call.arg(0) != 2) {
            return;
        }
        byte[] name = call.read(call.arg(2), MAX_FILESYSTEM_NAME);
        int length = 0;
        while (length < name.length && name[length] != 0) {
            length++;
        }
        sink.range(call.arg(2), Math.min(length + 1, name.length));
    }

    private static void security(TableBuilder table) {
        table.record(LANDLOCK_CREATE_RULESET, "landlock_create_ruleset")
                .pointer("attr")
                .size("size")
                .hex("flags");
        table.record(LANDLOCK_ADD_RULE, "landlock_add_rule")
                .fd("ruleset_fd")
                .integer("rule_type")
                .pointer("rule_attr")
                .hex("flags");
        table.record(LANDLOCK_RESTRICT_SELF, "landlock_restrict_self")
                .fd("ruleset_fd")
                .hex("flags");
        table.record(LSM_GET_SELF_ATTR, "lsm_get_self_attr")
                .hex("attr")
                .pointer("ctx")
                .pointer("size")
                .hex("flags")
                .out(SystemCalls::ownContexts);
        table.record(LSM_SET_SELF_ATTR, "lsm_set_self_attr")
                .hex("attr")
                .pointer("ctx")
                .size("size")
                .hex("flags");
        table.record(LSM_LIST_MODULES, "lsm_list_modules")
                .pointer("ids")
                .pointer("size")
                .hex("flags")
                .out(elementsFromResult(0, LONG))
                .out(evenOnFailure(1, INT));
    }

    /** The size word comes back zero when no module answers, and with the size that would do on E2BIG. */
    private static void ownContexts(CallView call, Output.Sink sink) {
        evenOnFailure(2, INT).collect(call, sink);
        if (!call.failed()) {
            sink.range(call.arg(1), unsignedMin(Integer.toUnsignedLong(call.readInt(call.arg(2))), MAX_CONTEXTS));
        }
    }
}
