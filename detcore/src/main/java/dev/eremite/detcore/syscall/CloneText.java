package dev.eremite.detcore.syscall;

import java.util.ArrayList;
import java.util.List;

/** clone(2) as strace prints it: by name, since the order of its arguments differs between machines. */
final class CloneText {
    private static final long CLONE_PIDFD = 0x1000;
    private static final long CLONE_SETTLS = 0x80000;
    private static final long CLONE_PARENT_SETTID = 0x100000;
    private static final long CLONE_CHILD_WORDS = 0x1200000;

    private CloneText() {}

    static List<String> arguments(CallView call, boolean ended) {
        long flags = call.arg(0);
        List<String> texts = new ArrayList<>();
        texts.add("child_stack=" + ArgumentPrinter.number(SyscallRow.Kind.POINTER, call.arg(1)));
        texts.add("flags=" + SymbolSets.CLONE.format(flags));
        if ((flags & CLONE_PARENT_SETTID) != 0) {
            texts.add("parent_tid=" + word(call, ended));
        } else if ((flags & CLONE_PIDFD) != 0) {
            texts.add("pidfd=" + word(call, ended));
        }
        if ((flags & CLONE_SETTLS) != 0) {
            texts.add("tls=" + ArgumentPrinter.number(SyscallRow.Kind.POINTER, call.arg(4)));
        }
        if ((flags & CLONE_CHILD_WORDS) != 0) {
            texts.add("child_tidptr=" + ArgumentPrinter.number(SyscallRow.Kind.POINTER, call.arg(3)));
        }
        return texts;
    }

    private static String word(CallView call, boolean ended) {
        return ended && !call.failed() && call.knows(call.arg(2), Outputs.INT)
                ? "[" + call.readInt(call.arg(2)) + "]"
                : ArgumentPrinter.number(SyscallRow.Kind.POINTER, call.arg(2));
    }
}
