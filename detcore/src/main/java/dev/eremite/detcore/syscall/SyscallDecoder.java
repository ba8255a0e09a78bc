package dev.eremite.detcore.syscall;

import dev.eremite.detcore.syscall.SyscallRow.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** Prints calls in the form of strace(1), from the rows of the table. */
public final class SyscallDecoder {
    /** strace's column of the equals sign. */
    private static final int RESULT_COLUMN = 39;

    private final SyscallTable table;

    /** A decoder for the calls of {@code table}. */
    public SyscallDecoder(SyscallTable table) {
        this.table = table;
    }

    /** A decoder for Linux. */
    public static SyscallDecoder linux() {
        return new SyscallDecoder(SyscallTable.linux());
    }

    /**
     * The arguments as they read before the call ran. Some calls overwrite what they read (the timeout of ppoll), and execve
     * leaves nothing of it.
     */
    public static final class Begun {
        private final List<String> texts;

        private Begun(List<String> texts) {
            this.texts = texts;
        }
    }

    /** Keeps the arguments of a call that is about to run, for {@link #complete(CallView, Begun)}. */
    public Begun begin(CallView call) {
        SyscallRow row = table.find(call.number());
        List<String> texts = new ArrayList<>();
        for (int i = 0; row != null && i < row.parameters().size(); i++) {
            texts.add(ArgumentPrinter.format(call, row, i, false));
        }
        return new Begun(texts);
    }

    /** The call after it ran, with what it read as it was before. */
    public String complete(CallView call, Begun begun) {
        return pad(text(call, true, begun)) + " = " + result(call);
    }

    /** The call before it runs: its name and arguments; memory that it is to write is shown as an address. */
    public String entry(CallView call) {
        return text(call, false, null);
    }

    /** The call after it ran: name, arguments, memory as it is then, result. */
    public String complete(CallView call) {
        return pad(text(call, true, null)) + " = " + result(call);
    }

    /** The call that does not return, or whose end is not known. */
    public String unfinished(CallView call) {
        return pad(text(call, false, null)) + " = ?";
    }

    /** The name, or syscall_0x… where the table has none. */
    public String name(int number) {
        SyscallRow row = table.find(number);
        return row != null ? row.name() : "syscall_0x" + Integer.toHexString(number);
    }

    /** The result as strace prints it: a number, or −1 with the errno's name and message, or ? for an interrupted call. */
    public String result(CallView call) {
        if (!call.failed()) {
            SyscallRow row = table.find(call.number());
            Kind kind = row != null ? row.result() : Kind.HEX;
            return ArgumentPrinter.number(kind, call.result());
        }
        Errno errno = Errno.of(-call.result());
        if (errno == null) {
            return "-1 (errno " + -call.result() + ")";
        }
        String named = errno.name() + " (" + errno.message() + ")";
        return errno.isRestart() ? "? " + named : "-1 " + named;
    }

    private String text(CallView call, boolean ended, Begun begun) {
        SyscallRow row = table.find(call.number());
        StringJoiner arguments = new StringJoiner(", ", name(call.number()) + "(", ")");
        if (row == null) {
            for (int i = 0; i < 6; i++) {
                arguments.add(ArgumentPrinter.number(Kind.HEX, call.arg(i)));
            }
            return arguments.toString();
        }
        if (row.number() == SyscallNumbers.CLONE) {
            CloneText.arguments(call, ended).forEach(arguments::add);
            return arguments.toString();
        }
        for (int index : ShownArguments.indexes(call, row)) {
            boolean read = begun != null && !ArgumentPrinter.isOutput(call, row, index);
            arguments.add(read ? begun.texts.get(index) : ArgumentPrinter.format(call, row, index, ended));
        }
        return arguments.toString();
    }

    private static String pad(String text) {
        return text.length() >= RESULT_COLUMN ? text : text + " ".repeat(RESULT_COLUMN - text.length());
    }
}
