package dev.eremite.detcore.syscall;

import static dev.eremite.detcore.syscall.Outputs.*;
import static dev.eremite.detcore.syscall.SyscallNumbers.*;

/** Clocks, timers and sleeps. */
final class TimeCalls {
    private static final int TIMER_ABSTIME = 1;

    private TimeCalls() {}

    static void register(TableBuilder table) {
        clocks(table);
        sleeps(table);
        timers(table);
    }

    private static void clocks(TableBuilder table) {
        table.emulate(CLOCK_GETTIME, "clock_gettime")
                .flags("clockid", SymbolSets.CLOCK)
                .pointer("tp")
                .out(fixed(1, TIMESPEC));
        table.emulate(GETTIMEOFDAY, "gettimeofday")
                .pointer("tv")
                .pointer("tz")
                .out(fixed(0, TIMEVAL))
                .out(fixed(1, TIMEZONE));
        table.emulate(TIME, "time").pointer("tloc").out(fixed(0, LONG));
        table.record(CLOCK_SETTIME, "clock_settime")
                .flags("clockid", SymbolSets.CLOCK)
                .timespec("tp");
        table.record(SETTIMEOFDAY, "settimeofday").pointer("tv").pointer("tz");
        table.record(CLOCK_GETRES, "clock_getres")
                .flags("clockid", SymbolSets.CLOCK)
                .pointer("res")
                .out(fixed(1, TIMESPEC));
        table.record(CLOCK_ADJTIME, "clock_adjtime")
                .flags("clockid", SymbolSets.CLOCK)
                .pointer("buf")
                .out(fixed(1, TIMEX));
        // This one copies the struct back even when it refuses the change (kernel/time/time.c).
        table.record(ADJTIMEX, "adjtimex").pointer("buf").out(evenOnFailure(0, TIMEX));
    }

    private static void sleeps(TableBuilder table) {
        table.record(NANOSLEEP, "nanosleep")
                .timespec("req")
                .pointer("rem")
                .out(when(Outputs::interrupted, plain(1, TIMESPEC)))
                .mayBlock();
        table.record(CLOCK_NANOSLEEP, "clock_nanosleep")
                .flags("clockid", SymbolSets.CLOCK)
                .flags("flags", SymbolSets.TIMER)
                .timespec("request")
                .pointer("remain")
                .out(when(TimeCalls::leavesRemainder, plain(3, TIMESPEC)))
                .mayBlock();
        table.record(ALARM, "alarm").size("seconds");
    }

    private static boolean leavesRemainder(CallView call) {
        return interrupted(call) && (call.arg(1) & TIMER_ABSTIME) == 0;
    }

    private static void timers(TableBuilder table) {
        table.record(GETITIMER, "getitimer")
                .flags("which", SymbolSets.ITIMER)
                .pointer("curr_value")
                .out(fixed(1, ITIMERVAL));
        table.record(SETITIMER, "setitimer")
                .flags("which", SymbolSets.ITIMER)
                .pointer("new_value")
                .pointer("old_value")
                .out(fixed(2, ITIMERVAL));
        // The id is in memory before the clock can refuse the timer (kernel/time/posix-timers.c).
        table.record(TIMER_CREATE, "timer_create")
                .flags("clockid", SymbolSets.CLOCK)
                .pointer("sevp")
                .pointer("timerid")
                .out(evenOnFailure(2, INT));
        table.record(TIMER_SETTIME, "timer_settime")
                .integer("timerid")
                .flags("flags", SymbolSets.TIMER)
                .pointer("new_value")
                .pointer("old_value")
                .out(fixed(3, ITIMERSPEC));
        table.record(TIMER_GETTIME, "timer_gettime")
                .integer("timerid")
                .pointer("curr_value")
                .out(fixed(1, ITIMERSPEC));
        table.record(TIMER_GETOVERRUN, "timer_getoverrun").integer("timerid");
        table.record(TIMER_DELETE, "timer_delete").integer("timerid");
        table.record(TIMERFD_CREATE, "timerfd_create")
                .flags("clockid", SymbolSets.CLOCK)
                .flags("flags", SymbolSets.TIMERFD);
        table.record(TIMERFD_SETTIME, "timerfd_settime")
                .fd("fd")
                .flags("flags", SymbolSets.TIMERFD_SET)
                .pointer("new_value")
                .pointer("old_value")
                .out(fixed(3, ITIMERSPEC));
        table.record(TIMERFD_GETTIME, "timerfd_gettime")
                .fd("fd")
                .pointer("curr_value")
                .out(fixed(1, ITIMERSPEC));
    }
}
