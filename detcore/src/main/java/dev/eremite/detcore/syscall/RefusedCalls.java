package dev.eremite.detcore.syscall;

import static dev.eremite.detcore.syscall.Errno.*;
import static dev.eremite.detcore.syscall.SyscallNumbers.*;

/**
 * Calls that fail without the kernel. The errno is one that an older or stricter kernel gives, so that programs fall back on
 * what they do there.
 */
final class RefusedCalls {
    private static final String UNIMPLEMENTED = "Linux does not implement it";
    private static final String RINGS = "the kernel writes to memory at moments that are not events";
    private static final String MACHINE = "it changes the whole machine";
    private static final String OTHERS = "it changes another process behind the recorder's back";

    private RefusedCalls() {}

    static void register(TableBuilder table) {
        asynchronous(table);
        tracing(table);
        machine(table);
        memory(table);
        unimplemented(table);
        legacyModules(table);
    }

    private static void asynchronous(TableBuilder table) {
        table.refuse(IO_URING_SETUP, "io_uring_setup", ENOSYS, RINGS)
                .size("entries")
                .pointer("params");
        table.refuse(IO_URING_ENTER, "io_uring_enter", ENOSYS, RINGS)
                .fd("fd")
                .size("to_submit")
                .size("min_complete")
                .hex("flags")
                .pointer("sig")
                .size("sigsz");
        table.refuse(IO_URING_REGISTER, "io_uring_register", ENOSYS, RINGS)
                .fd("fd")
                .integer("opcode")
                .pointer("arg")
                .size("nr_args");
        table.refuse(IO_SETUP, "io_setup", ENOSYS, RINGS).size("nr_events").pointer("ctx_idp");
        table.refuse(IO_DESTROY, "io_destroy", ENOSYS, RINGS).hex("ctx_id");
        table.refuse(IO_GETEVENTS, "io_getevents", ENOSYS, RINGS)
                .hex("ctx_id")
                .longInteger("min_nr")
                .longInteger("nr")
                .pointer("events")
                .timespec("timeout");
        table.refuse(IO_PGETEVENTS, "io_pgetevents", ENOSYS, RINGS)
                .hex("ctx_id")
                .longInteger("min_nr")
                .longInteger("nr")
                .pointer("events")
                .timespec("timeout")
                .pointer("sig");
        table.refuse(IO_SUBMIT, "io_submit", ENOSYS, RINGS)
                .hex("ctx_id")
                .longInteger("nr")
                .pointer("iocbpp");
        table.refuse(IO_CANCEL, "io_cancel", ENOSYS, RINGS)
                .hex("ctx_id")
                .pointer("iocb")
                .pointer("result");
        table.refuse(USERFAULTFD, "userfaultfd", ENOSYS, "page faults are not ordered")
                .hex("flags");
        table.refuse(RSEQ, "rseq", ENOSYS, "the kernel writes the processor's number at every switch")
                .pointer("rseq")
                .hex("rseq_len")
                .hex("flags")
                .hex("sig");
    }

    private static void tracing(TableBuilder table) {
        table.refuse(PTRACE, "ptrace", EPERM, "a task has one tracer, and that is the engine")
                .hex("request")
                .integer("pid")
                .pointer("addr")
                .pointer("data");
        table.refuse(BPF, "bpf", EPERM, "its maps are shared with the kernel")
                .integer("cmd")
                .pointer("attr")
                .size("size");
        table.refuse(PERF_EVENT_OPEN, "perf_event_open", EACCES, "its counters and its buffer change by themselves")
                .pointer("attr")
                .integer("pid")
                .integer("cpu")
                .fd("group_fd")
                .hex("flags");
        table.refuse(KCMP, "kcmp", ENOSYS, "kernel objects have no order in a replay")
                .integer("pid1")
                .integer("pid2")
                .integer("type")
                .hex("idx1")
                .hex("idx2");
        table.refuse(FANOTIFY_INIT, "fanotify_init", EPERM, "other processes would wait for the program's answers")
                .hex("flags")
                .hex("event_f_flags");
        table.refuse(FANOTIFY_MARK, "fanotify_mark", EPERM, "other processes would wait for the program's answers")
                .fd("fanotify_fd")
                .hex("flags")
                .hex("mask")
                .dirfd("dirfd")
                .path("pathname");
        table.refuse(PROCESS_VM_WRITEV, "process_vm_writev", EPERM, OTHERS)
                .integer("pid")
                .pointer("local_iov")
                .size("liovcnt")
                .pointer("remote_iov")
                .size("riovcnt")
                .hex("flags");
        table.refuse(PROCESS_MADVISE, "process_madvise", EPERM, OTHERS)
                .fd("pidfd")
                .pointer("iov")
                .size("vlen")
                .flags("advice", SymbolSets.MADVISE)
                .hex("flags");
        table.refuse(URETPROBE, "uretprobe", ENOSYS, "only the kernel's own trampoline may call it");
        table.refuse(UPROBE, "uprobe", ENOSYS, "only the kernel's own trampoline may call it");
    }

    private static void machine(TableBuilder table) {
        table.refuse(REBOOT, "reboot", EPERM, MACHINE)
                .hex("magic")
                .hex("magic2")
                .hex("cmd")
                .pointer("arg");
        table.refuse(SWAPON, "swapon", EPERM, MACHINE).path("path").hex("swapflags");
        table.refuse(SWAPOFF, "swapoff", EPERM, MACHINE).path("path");
        table.refuse(INIT_MODULE, "init_module", EPERM, MACHINE)
                .pointer("module_image")
                .size("len")
                .path("param_values");
        table.refuse(FINIT_MODULE, "finit_module", EPERM, MACHINE)
                .fd("fd")
                .path("param_values")
                .hex("flags");
        table.refuse(DELETE_MODULE, "delete_module", EPERM, MACHINE)
                .path("name")
                .hex("flags");
        table.refuse(KEXEC_LOAD, "kexec_load", EPERM, MACHINE)
                .hex("entry")
                .size("nr_segments")
                .pointer("segments")
                .hex("flags");
        table.refuse(KEXEC_FILE_LOAD, "kexec_file_load", EPERM, MACHINE)
                .fd("kernel_fd")
                .fd("initrd_fd")
                .size("cmdline_len")
                .path("cmdline")
                .hex("flags");
        String ports = "input from ports is not recorded";
        table.refuse(IOPL, "iopl", EPERM, ports).integer("level");
        table.refuse(IOPERM, "ioperm", EPERM, ports).hex("from").size("num").integer("turn_on");
    }

    private static void memory(TableBuilder table) {
        table.refuse(REMAP_FILE_PAGES, "remap_file_pages", ENOSYS, "nonlinear mappings cannot be rebuilt")
                .pointer("addr")
                .size("size")
                .flags("prot", SymbolSets.PROT)
                .size("pgoff")
                .flags("flags", SymbolSets.MAP);
        table.refuse(MSEAL, "mseal", ENOSYS, "sealed memory cannot be rebuilt")
                .pointer("addr")
                .size("len")
                .hex("flags");
        table.refuse(MAP_SHADOW_STACK, "map_shadow_stack", ENOSYS, "shadow stacks are not in every processor")
                .pointer("addr")
                .size("size")
                .hex("flags");
        table.refuse(MEMFD_SECRET, "memfd_secret", ENOSYS, "secret memory cannot be read by the recorder")
                .hex("flags");
        // A processor without protection keys answers like this, and the recording is to replay there too.
        String keys = "protection keys are not in every processor";
        table.refuse(PKEY_ALLOC, "pkey_alloc", ENOSPC, keys).hex("flags").hex("access_rights");
        table.refuse(PKEY_FREE, "pkey_free", EINVAL, keys).integer("pkey");
        String segments = "local descriptors are not recorded";
        table.refuse(MODIFY_LDT, "modify_ldt", ENOSYS, segments)
                .integer("func")
                .pointer("ptr")
                .size("bytecount");
        table.refuse(SET_THREAD_AREA, "set_thread_area", ENOSYS, UNIMPLEMENTED).pointer("u_info");
        table.refuse(GET_THREAD_AREA, "get_thread_area", ENOSYS, UNIMPLEMENTED).pointer("u_info");
    }

    private static void unimplemented(TableBuilder table) {
        table.refuse(USELIB, "uselib", ENOSYS, UNIMPLEMENTED).path("library");
        table.refuse(SYSCTL, "_sysctl", ENOSYS, UNIMPLEMENTED).pointer("args");
        table.refuse(GETPMSG, "getpmsg", ENOSYS, UNIMPLEMENTED)
                .hex("a")
                .hex("b")
                .hex("c")
                .hex("d")
                .hex("e");
        table.refuse(PUTPMSG, "putpmsg", ENOSYS, UNIMPLEMENTED)
                .hex("a")
                .hex("b")
                .hex("c")
                .hex("d")
                .hex("e");
        table.refuse(AFS_SYSCALL, "afs_syscall", ENOSYS, UNIMPLEMENTED)
                .hex("a")
                .hex("b")
                .hex("c")
                .hex("d")
                .hex("e");
        table.refuse(TUXCALL, "tuxcall", ENOSYS, UNIMPLEMENTED)
                .hex("a")
                .hex("b")
                .hex("c");
        table.refuse(SECURITY, "security", ENOSYS, UNIMPLEMENTED)
                .hex("a")
                .hex("b")
                .hex("c");
        table.refuse(VSERVER, "vserver", ENOSYS, UNIMPLEMENTED)
                .hex("a")
                .hex("b")
                .hex("c")
                .hex("d")
                .hex("e");
        table.refuse(EPOLL_CTL_OLD, "epoll_ctl_old", ENOSYS, UNIMPLEMENTED)
                .fd("epfd")
                .integer("op")
                .fd("fd")
                .pointer("event");
        table.refuse(EPOLL_WAIT_OLD, "epoll_wait_old", ENOSYS, UNIMPLEMENTED)
                .fd("epfd")
                .pointer("events")
                .integer("maxevents")
                .integer("timeout");
    }

    private static void legacyModules(TableBuilder table) {
        table.refuse(CREATE_MODULE, "create_module", ENOSYS, UNIMPLEMENTED)
                .path("name")
                .size("size");
        table.refuse(GET_KERNEL_SYMS, "get_kernel_syms", ENOSYS, UNIMPLEMENTED).pointer("table");
        table.refuse(QUERY_MODULE, "query_module", ENOSYS, UNIMPLEMENTED)
                .path("name")
                .integer("which")
                .pointer("buf")
                .size("bufsize")
                .pointer("ret");
        table.refuse(NFSSERVCTL, "nfsservctl", ENOSYS, UNIMPLEMENTED)
                .integer("cmd")
                .pointer("argp")
                .pointer("resp");
    }
}
