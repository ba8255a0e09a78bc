package dev.eremite.cli.engine;

import dev.eremite.detcore.syscall.CallView;
import dev.eremite.detcore.syscall.SyscallDecoder;
import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.RecordedCall;
import dev.eremite.replay.record.CallListener;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Prints calls, signals and ends of tasks in the form of strace(1), one a line. */
final class CallPrinter implements CallListener, Consumer<Event> {
    private static final int EXIT = 60;
    private static final int EXIT_GROUP = 231;
    private static final int SIGNAL_MASK = 0x7f;

    private final SyscallDecoder decoder = SyscallDecoder.linux();
    private final Map<Integer, SyscallDecoder.Begun> begun = new HashMap<>();
    private final PrintStream out;
    private final List<byte[]> arguments;

    /** Prints the run of a program that gets these arguments. */
    CallPrinter(PrintStream out, List<byte[]> arguments) {
        this.out = out;
        this.arguments = arguments;
    }

    @Override
    public void entered(int task, CallView call) {
        if (call.number() == EXIT || call.number() == EXIT_GROUP) {
            line(task, decoder.entry(call) + " = ?");
        } else {
            begun.put(task, decoder.begin(call));
        }
    }

    @Override
    public void ended(int task, CallView call) {
        SyscallDecoder.Begun entry = begun.remove(task);
        if (entry != null) {
            line(task, decoder.complete(call, entry));
        }
    }

    @Override
    public void accept(Event event) {
        switch (event) {
            case Event.Signal signal -> line(signal.task(), "--- signal " + signal.signal() + " ---");
            case Event.TaskExit exit -> {
                int signal = exit.status() & SIGNAL_MASK;
                line(
                        exit.task(),
                        signal == 0
                                ? "+++ exited with " + (exit.status() >> 8 & 0xff) + " +++"
                                : "+++ killed by signal " + signal + " +++");
            }
            case Event.Syscall call
            when call.effect() instanceof Effect.Exec exec && call.proof().rip() == 0 ->
                line(
                        call.task(),
                        decoder.complete(
                                RecordedCall.ofExec(call.number(), exec.image()).withArguments(arguments)));
            // Calls come through the listener, which sees their memory; the rest is no call.
            case Event.Syscall _,
                    Event.SyscallEnter _,
                    Event.SyscallExit _,
                    Event.Instruction _,
                    Event.ClockTrap _,
                    Event.Preempt _ -> {}
        }
    }

    private void line(int task, String text) {
        out.println("[" + task + "] " + text);
    }
}
