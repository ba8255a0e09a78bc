package dev.eremite.detcore.syscall;

import dev.eremite.detcore.syscall.SyscallRow.Kind;
import dev.eremite.detcore.syscall.SyscallRow.Parameter;
import dev.eremite.detcore.syscall.SyscallRow.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Describes one row; parameters are given in the order of the call's arguments. */
final class RowBuilder {
    private final int number;
    private final String name;
    private final Handling handling;
    private final List<Parameter> parameters = new ArrayList<>();
    private final List<Output> outputs = new ArrayList<>();
    private final List<Refusal> refusals = new ArrayList<>();
    private Predicate<CallView> mayBlock = SyscallRow.NEVER_BLOCKS;
    private int errno;
    private String reason = "";
    private Kind result = Kind.LONG;

    RowBuilder(int number, String name, Handling handling) {
        this.number = number;
        this.name = name;
        this.handling = handling;
    }

    int number() {
        return number;
    }

    RowBuilder refused(Errno errno, String reason) {
        this.errno = errno.number();
        this.reason = reason;
        refusals.add(new Refusal(call -> true, errno.number(), reason));
        return this;
    }

    /** Fails with {@code errno} in the calls that {@code when} picks by their arguments. */
    RowBuilder refuseWhen(Predicate<CallView> when, Errno errno, String reason) {
        refusals.add(new Refusal(when, errno.number(), reason));
        return this;
    }

    private RowBuilder parameter(String name, Kind kind) {
        parameters.add(new Parameter(name, kind));
        return this;
    }

    RowBuilder fd(String name) {
        return parameter(name, Kind.FD);
    }

    RowBuilder dirfd(String name) {
        return parameter(name, Kind.DIRFD);
    }

    /** A NUL-terminated string that the call reads. */
    RowBuilder path(String name) {
        return parameter(name, Kind.STRING);
    }

    RowBuilder strings(String name) {
        return parameter(name, Kind.STRING_VECTOR);
    }

    /** Bytes that the call reads; the next parameter is their number. */
    RowBuilder bufferIn(String name) {
        return parameter(name, Kind.BUFFER_IN);
    }

    /** Bytes that the call writes; the result is their number. */
    RowBuilder bufferOut(String name) {
        return parameter(name, Kind.BUFFER_OUT);
    }

    /** A NUL-terminated string that the call writes. */
    RowBuilder stringOut(String name) {
        return parameter(name, Kind.STRING_OUT);
    }

    RowBuilder size(String name) {
        return parameter(name, Kind.UNSIGNED);
    }

    RowBuilder integer(String name) {
        return parameter(name, Kind.INT);
    }

    RowBuilder longInteger(String name) {
        return parameter(name, Kind.LONG);
    }

    RowBuilder unsignedInt(String name) {
        return parameter(name, Kind.UNSIGNED_INT);
    }

    /** 32 bits as hexadecimal. */
    RowBuilder hexInt(String name) {
        return parameter(name, Kind.HEX_INT);
    }

    /** Permissions with the type of file to make. */
    RowBuilder fileMode(String name) {
        return parameter(name, Kind.FILE_MODE);
    }

    /** Like a buffer, but of bytes that never are text. */
    RowBuilder bytesOut(String name) {
        return parameter(name, Kind.BYTES_OUT);
    }

    RowBuilder hex(String name) {
        return parameter(name, Kind.HEX);
    }

    RowBuilder mode(String name) {
        return parameter(name, Kind.OCTAL);
    }

    /** Permissions that count only where the parameter before it holds O_CREAT or O_TMPFILE. */
    RowBuilder createMode(String name) {
        return parameter(name, Kind.CREATE_MODE);
    }

    RowBuilder environment(String name) {
        return parameter(name, Kind.ENVIRONMENT);
    }

    RowBuilder pointer(String name) {
        return parameter(name, Kind.POINTER);
    }

    /** A struct timespec that the call reads. */
    RowBuilder timespec(String name) {
        return parameter(name, Kind.TIMESPEC);
    }

    RowBuilder fdPairOut(String name) {
        return parameter(name, Kind.FD_PAIR_OUT);
    }

    RowBuilder statusOut(String name) {
        return parameter(name, Kind.STATUS_OUT);
    }

    RowBuilder signal(String name) {
        return parameter(name, Kind.SIGNAL);
    }

    RowBuilder flags(String name, Symbols symbols) {
        parameters.add(new Parameter(name, Kind.FLAGS, symbols));
        return this;
    }

    RowBuilder out(Output output) {
        outputs.add(output);
        return this;
    }

    RowBuilder mayBlock() {
        return mayBlock(call -> true);
    }

    RowBuilder mayBlock(Predicate<CallView> predicate) {
        mayBlock = predicate;
        return this;
    }

    /** How the result is printed; decimal if not said. */
    RowBuilder returns(Kind kind) {
        result = kind;
        return this;
    }

    SyscallRow build() {
        if (parameters.size() > 6) {
            throw new IllegalStateException(name + " has more than six parameters");
        }
        return new SyscallRow(
                number,
                name,
                List.copyOf(parameters),
                handling,
                List.copyOf(outputs),
                mayBlock,
                errno,
                reason,
                List.copyOf(refusals),
                result);
    }
}
