package dev.eremite.detcore.syscall;

import static dev.eremite.detcore.syscall.Outputs.*;
import static dev.eremite.detcore.syscall.SyscallNumbers.*;

/** Waiting for several things at once, and futexes. */
final class PollCalls {
    private static final long POLLFD = 8;
    private static final long MAX_FDS = 1 << 20;

    /** struct epoll_event is packed on x86-64. */
    private static final long EPOLL_EVENT = 12;

    private PollCalls() {}

    static void register(TableBuilder table) {
        sets(table);
        epoll(table);
        futexes(table);
    }

    private static void sets(TableBuilder table) {
        table.record(POLL, "poll")
                .pointer("fds")
                .size("nfds")
                .integer("timeout")
                .out(PollCalls::pollResults)
                .mayBlock(Blocking.milliseconds(2));
        table.record(PPOLL, "ppoll")
                .pointer("fds")
                .size("nfds")
                .timespec("tmo_p")
                .pointer("sigmask")
                .size("sigsetsize")
                .out(PollCalls::pollResults)
                .out(evenOnFailure(2, TIMESPEC))
                .mayBlock(Blocking.timeAt(2));
        table.record(SELECT, "select")
                .integer("nfds")
                .pointer("readfds")
                .pointer("writefds")
                .pointer("exceptfds")
                .pointer("timeout")
                .out(PollCalls::selectSets)
                .out(evenOnFailure(4, TIMEVAL))
                .mayBlock(Blocking.timeAt(4));
        table.record(PSELECT6, "pselect6")
                .integer("nfds")
                .pointer("readfds")
                .pointer("writefds")
                .pointer("exceptfds")
                .timespec("timeout")
                .pointer("sigmask")
                .out(PollCalls::selectSets)
                .out(evenOnFailure(4, TIMESPEC))
                .mayBlock(Blocking.timeAt(4));
    }

    /** The kernel copies all revents back, also when a signal ended the wait (fs/select.c, do_sys_poll). */
    private static void pollResults(CallView call, Output.Sink sink) {
        if (!rejected(call)) {
            sink.range(call.arg(0), unsignedMin(Integer.toUnsignedLong((int) call.arg(1)), MAX_FDS) * POLLFD);
        }
    }

    /** Whole 64-bit words, and only when the wait succeeded. */
    private static void selectSets(CallView call, Output.Sink sink) {
        int count = (int) call.arg(0);
        if (call.failed() || count <= 0) {
            return;
        }
        long bytes = (Math.min(count, MAX_FDS) + 63) / 64 * LONG;
        for (int set = 1; set <= 3; set++) {
            sink.range(call.arg(set), bytes);
        }
    }

    private static void epoll(TableBuilder table) {
        table.record(EPOLL_CREATE, "epoll_create").integer("size");
        table.record(EPOLL_CREATE1, "epoll_create1").flags("flags", SymbolSets.EPOLL);
        table.record(EPOLL_CTL, "epoll_ctl")
                .fd("epfd")
                .flags("op", SymbolSets.EPOLL_CTL)
                .fd("fd")
                .pointer("event");
        table.record(EPOLL_WAIT, "epoll_wait")
                .fd("epfd")
                .pointer("events")
                .integer("maxevents")
                .integer("timeout")
                .out(elementsFromResult(1, EPOLL_EVENT))
                .mayBlock(Blocking.milliseconds(3));
        table.record(EPOLL_PWAIT, "epoll_pwait")
                .fd("epfd")
                .pointer("events")
                .integer("maxevents")
                .integer("timeout")
                .pointer("sigmask")
                .size("sigsetsize")
                .out(elementsFromResult(1, EPOLL_EVENT))
                .mayBlock(Blocking.milliseconds(3));
        table.record(EPOLL_PWAIT2, "epoll_pwait2")
                .fd("epfd")
                .pointer("events")
                .integer("maxevents")
                .timespec("timeout")
                .pointer("sigmask")
                .size("sigsetsize")
                .out(elementsFromResult(1, EPOLL_EVENT))
                .mayBlock(Blocking.timeAt(3));
    }

    private static void futexes(TableBuilder table) {
        table.record(FUTEX, "futex")
                .pointer("uaddr")
                .flags("futex_op", SymbolSets.FUTEX)
                .unsignedInt("val")
                .timespec("timeout")
                .pointer("uaddr2")
                .hexInt("val3")
                .out(FutexOutputs::collect)
                .mayBlock(Blocking::futex);
        table.record(FUTEX_WAITV, "futex_waitv")
                .pointer("waiters")
                .size("nr_futexes")
                .hex("flags")
                .timespec("timeout")
                .flags("clockid", SymbolSets.CLOCK)
                .mayBlock();
        table.record(FUTEX_WAKE, "futex_wake")
                .pointer("uaddr")
                .hex("mask")
                .integer("nr")
                .hex("flags");
        table.record(FUTEX_WAIT, "futex_wait")
                .pointer("uaddr")
                .hex("val")
                .hex("mask")
                .hex("flags")
                .timespec("timeout")
                .flags("clockid", SymbolSets.CLOCK)
                .mayBlock();
        table.record(FUTEX_REQUEUE, "futex_requeue")
                .pointer("waiters")
                .hex("flags")
                .integer("nr_wake")
                .integer("nr_requeue");
    }
}
