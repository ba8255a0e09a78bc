package dev.eremite.detcore.syscall;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Generates docs/syscalls.md from the table. */
public final class SyscallDoc {
    private static final String HEAD = """
            # System calls

            Every x86-64 system call of Linux 6.18, and what a recording does with it. This page is generated from the table in
            `dev.eremite.detcore.syscall`; a test compares them. To write it again: run that test with
            `-Deremite.docs.write=true`.

            | Handling | Meaning |
            |---|---|
            | record | The kernel runs it while recording; replay takes its result and the memory it wrote from the log. |
            | native | The kernel runs it in recording and in replay, with the same result. |
            | emulate | The engine answers it at entry, without the kernel. |
            | special | It changes address spaces or tasks; the engine has code of its own for it. |
            | refuse | It fails with a fixed errno, for the reason given. |

            *May block* says that it can wait in the kernel for other tasks or the world, at least with some arguments.
            Numbers that are not listed (337 to 423, 470 and above) answer ENOSYS, as kernels do that do not know them either.

            | Number | Name | Handling | May block | Note |
            |---|---|---|---|---|
            """;

    private SyscallDoc() {}

    /** The whole page. */
    public static String markdown() {
        StringBuilder page = new StringBuilder(HEAD);
        for (SyscallRow row : SyscallTable.linux().rows()) {
            page.append("| %d | %s | %s | %s | %s |\n"
                    .formatted(
                            row.number(),
                            row.name(),
                            row.handling().name().toLowerCase(Locale.ROOT),
                            row.canBlock() ? "yes" : "",
                            note(row)));
        }
        return page.toString();
    }

    /** Writes the page to the file that is the first argument. */
    public static void main(String[] arguments) throws IOException {
        Files.writeString(Path.of(arguments[0]), markdown());
    }

    private static String note(SyscallRow row) {
        if (row.handling() == Handling.REFUSE) {
            return Errno.of(row.errno()) + ": " + row.reason();
        }
        StringBuilder note = new StringBuilder();
        for (SyscallRow.Refusal refusal : row.refusals()) {
            note.append(note.isEmpty() ? "some variants " : "; ")
                    .append(Errno.of(refusal.errno()))
                    .append(": ")
                    .append(refusal.reason());
        }
        return note.toString();
    }
}
