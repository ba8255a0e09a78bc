package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import dev.eremite.tests.mi.MiStop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Repeated string instructions, as memset and memcpy use them: the processor can be stopped between their rounds, of which
 * there are millions, but debuggers see each as one instruction.
 */
@Tag("slow")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StringInstructionTest {
    private static final long SIZE = 4 << 20;

    private static DebugSession open(String guest) {
        return DebugSession.open(Backend.REPLAY, guest);
    }

    private static int line(DebugSession session, String mark) {
        return session.guest().line(mark);
    }

    @Test
    void shouldFindFillsAndCopiesThatWroteWatchedByteBackwards() {
        try (DebugSession session = open("strings")) {
            session.runTo("copied");
            session.watchLocation("to[1000000]");
            assertThat(session.reverse().line()).isEqualTo(line(session, "down"));
            assertThat(session.integer("to[1000000]")).isEqualTo(1);
            assertThat(session.integer("to[3000000]")).isEqualTo(1);
            session.reverse();
            assertThat(session.integer("to[1000000]")).isZero();
            assertThat(session.integer("$rcx")).isEqualTo(SIZE);
            assertThat(session.backtrace()).startsWith("fill", "main");
        }
    }

    @Test
    void shouldStopBehindInstructionThatWroteWatchedByte() {
        try (DebugSession session = open("strings")) {
            session.runTo("first");
            session.watchLocation("to[1000000]");
            session.forward();
            assertThat(session.integer("to[1000000]")).isEqualTo(1);
            assertThat(session.integer("to[" + (SIZE - 1) + "]")).isEqualTo(1);
            assertThat(session.integer("$rcx")).isZero();
            session.reverse();
            assertThat(session.integer("to[1000000]")).isZero();
            session.forward();
            session.forward();
            assertThat(session.integer("to[1000000]")).isEqualTo(2);
            session.reverse();
            assertThat(session.integer("to[1000000]")).isEqualTo(1);
        }
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.SECONDS)
    void shouldFindWriteThoughEveryRegisterWatches() {
        try (DebugSession session = open("strings")) {
            session.runTo("second");
            session.watchLocation("*(char (*)[32]) (from + 2000000)");
            session.forward();
            assertThat(session.integer("from[2000031]")).isEqualTo(2);
            assertThat(session.integer("$rcx")).isZero();
            session.reverse();
            assertThat(session.integer("from[2000031]")).isZero();
            assertThat(session.backtrace()).startsWith("fill", "main");
        }
    }

    @Test
    void shouldFindWriteWithMoreWatchpointsThanRegisters() {
        try (DebugSession session = open("strings")) {
            session.runTo("second");
            for (int i = 0; i < 5; i++) {
                session.watchLocation("other[" + i + "]");
            }
            session.watchLocation("from[2000000]");
            session.forward();
            assertThat(session.integer("from[2000000]")).isEqualTo(2);
            session.reverse();
            assertThat(session.integer("from[2000000]")).isZero();
            assertThat(session.backtrace()).startsWith("fill", "main");
        }
    }

    @Test
    void shouldNotBlameStringInstructionForTheOneBefore() {
        try (DebugSession session = open("strings")) {
            session.runTo("headed");
            session.watchLocation("head[0]");
            session.reverse();
            assertThat(session.integer("head[0]")).isEqualTo(5);
            session.move("step-instruction");
            assertThat(session.integer("head[0]")).isZero();
            assertThat(session.integer("$rcx")).isEqualTo(7);
        }
    }

    @Test
    void shouldStepOverItInBothDirections() {
        try (DebugSession session = open("strings")) {
            session.runTo("head");
            List<Long> forth = places(session, "stepi", 30);
            List<Long> back = places(session, "reverse-stepi", 30);
            assertThat(back.reversed()).isEqualTo(forth);
            // Seven words are written by one step.
            assertThat(forth).doesNotHaveDuplicates();
        }
    }

    private static List<Long> places(DebugSession session, String step, int steps) {
        List<Long> places = new ArrayList<>();
        for (int i = 0; i < steps; i++) {
            places.add(session.integer("$pc"));
            session.gdb().console(step);
        }
        if (step.startsWith("reverse")) {
            places.removeFirst();
            places.add(session.integer("$pc"));
        }
        return places;
    }

    @Test
    void shouldGoBackLineByLineAtOnce() {
        try (DebugSession session = open("strings")) {
            session.runTo("flush");
            long started = System.nanoTime();
            int lines = 0;
            while (session.moveBack("next").line() != line(session, "first")) {
                assertThat(++lines).as("lines back").isLessThan(12);
            }
            // Round by round it would take a minute.
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started))
                    .isLessThan(20_000);
            assertThat(session.integer("to[7]")).isZero();
        }
    }

    @Test
    void shouldGoBackFromFaultInItsMidst() {
        try (DebugSession session = open("strings-fault")) {
            MiStop stop = session.forward();
            assertThat(stop.signal()).isEqualTo("SIGSEGV");
            long left = session.integer("$rcx");
            assertThat(left).isEqualTo(1 << 20);
            session.moveBack("step-instruction");
            assertThat(session.integer("$rcx")).isEqualTo(2 << 20);
            assertThat(session.integer("*(char *) $rdi")).isZero();
            session.forward();
            assertThat(session.integer("$rcx")).isEqualTo(left);
        }
    }
}
