package dev.eremite.detcore.syscall;

import dev.eremite.detcore.syscall.SyscallRow.Kind;
import dev.eremite.detcore.syscall.SyscallRow.Parameter;
import java.util.ArrayList;
import java.util.List;

/** Prints single arguments of a call. */
final class ArgumentPrinter {
    private static final int AT_FDCWD = -100;
    private static final int MAX_STRING = 32;
    private static final int MAX_PATH = 4096;
    private static final int MAX_STRINGS = 32;
    private static final int MAX_VARIABLES = 100_000;
    private static final long S_IFMT = 0170000;
    private static final Symbols FILE_TYPES = Symbols.values(
            "S_IFIFO=010000 S_IFCHR=020000 S_IFDIR=040000 S_IFBLK=060000 S_IFREG=0100000 S_IFLNK=0120000 "
                    + "S_IFSOCK=0140000");
    private static final int STOPPED = 0x7f;
    private static final int CONTINUED = 0xffff;

    private ArgumentPrinter() {}

    /** The text of argument {@code index}; memory that the call writes is only read when it has {@code ended}. */
    static String format(CallView call, SyscallRow row, int index, boolean ended) {
        Parameter parameter = ShownArguments.parameter(call, row, index);
        long value = call.arg(index);
        if (pointsToMemory(parameter.kind()) && !call.knows(value, length(call, parameter.kind(), index))) {
            return pointer(value);
        }
        return switch (parameter.kind()) {
            case BUFFER_IN -> buffer(call, value, index + 1 < 6 ? call.arg(index + 1) : 0);
            case BUFFER_OUT -> ended && !call.failed() ? written(call, index) : pointer(value);
            case BYTES_OUT -> ended && !call.failed() ? bytes(call, value, room(call, index)) : pointer(value);
            case STRING_OUT -> ended && !call.failed() && value != 0 ? string(call, value, MAX_PATH) : pointer(value);
            case FD_PAIR_OUT -> ended && !call.failed() ? pair(call, value) : pointer(value);
            case STATUS_OUT -> ended && call.result() > 0 && value != 0 ? status(call, value) : pointer(value);
            case FLAGS -> parameter.symbols().format(value);
            case STRING -> value == 0 ? "NULL" : string(call, value, MAX_PATH);
            case STRING_VECTOR -> strings(call, value);
            case ENVIRONMENT -> environment(call, value);
            case TIMESPEC -> timespec(call, value);
            default -> number(parameter.kind(), value);
        };
    }

    /** Whether argument {@code index} points to what the call writes. */
    static boolean isOutput(CallView call, SyscallRow row, int index) {
        return switch (ShownArguments.parameter(call, row, index).kind()) {
            case BUFFER_OUT, BYTES_OUT, STRING_OUT, FD_PAIR_OUT, STATUS_OUT -> true;
            default -> false;
        };
    }

    private static boolean pointsToMemory(Kind kind) {
        return switch (kind) {
            case BUFFER_IN, BUFFER_OUT, BYTES_OUT, STRING, STRING_OUT, STRING_VECTOR, ENVIRONMENT -> true;
            case TIMESPEC, FD_PAIR_OUT, STATUS_OUT -> true;
            default -> false;
        };
    }

    /** How many bytes are to be looked at, at least; of what has no length of its own, one. */
    private static long length(CallView call, Kind kind, int index) {
        return switch (kind) {
            case BUFFER_IN -> Outputs.unsignedMin(index + 1 < 6 ? call.arg(index + 1) : 0, MAX_STRING);
            case BUFFER_OUT, BYTES_OUT -> call.failed() ? 0 : Outputs.unsignedMin(room(call, index), MAX_STRING);
            case TIMESPEC -> 2L * Outputs.LONG;
            default -> 1;
        };
    }

    /** The text of a plain number. */
    static String number(Kind kind, long value) {
        return switch (kind) {
            case INT, FD -> Integer.toString((int) value);
            case UNSIGNED -> Long.toUnsignedString(value);
            case UNSIGNED_INT -> Integer.toUnsignedString((int) value);
            case HEX_INT -> "0x" + Integer.toHexString((int) value);
            case FILE_MODE -> fileMode(value);
            case HEX -> value == 0 ? "0" : "0x" + Long.toHexString(value);
            case OCTAL, CREATE_MODE -> value == 0 ? "000" : "0" + Long.toOctalString(value & 0xffff_ffffL);
            case DIRFD -> (int) value == AT_FDCWD ? "AT_FDCWD" : Integer.toString((int) value);
            case POINTER, STRING, STRING_VECTOR, ENVIRONMENT, STRING_OUT, BUFFER_IN, BUFFER_OUT, BYTES_OUT ->
                pointer(value);
            case TIMESPEC, FD_PAIR_OUT, STATUS_OUT -> pointer(value);
            case SIGNAL -> SignalNames.name((int) value);
            case LONG, FLAGS -> Long.toString(value);
        };
    }

    private static String pointer(long value) {
        return value == 0 ? "NULL" : "0x" + Long.toHexString(value);
    }

    private static String string(CallView call, long address, int limit) {
        byte[] text = GuestText.read(call, address, limit);
        return GuestText.quote(text, text.length) + (text.length == limit ? "..." : "");
    }

    private static String buffer(CallView call, long address, long length) {
        if (address == 0) {
            return "NULL";
        }
        int shown = (int) Outputs.unsignedMin(length, MAX_STRING);
        return GuestText.quote(call.read(address, shown), shown)
                + (Long.compareUnsigned(length, MAX_STRING) > 0 ? "..." : "");
    }

    /** All as hexadecimal escapes. */
    private static String bytes(CallView call, long address, long length) {
        int shown = (int) Outputs.unsignedMin(length, MAX_STRING);
        StringBuilder text = new StringBuilder("\"");
        for (byte value : call.read(address, shown)) {
            text.append("\\x%02x".formatted(value & 0xff));
        }
        return text.append('"').append(length > MAX_STRING ? "..." : "").toString();
    }

    private static String fileMode(long mode) {
        String type = FILE_TYPES.format(mode & S_IFMT);
        return (type.equals("0") ? "" : type + "|") + number(Kind.OCTAL, mode & ~S_IFMT);
    }

    /** The result counts the bytes, but a call that was given no room writes none. */
    private static String written(CallView call, int index) {
        return buffer(call, call.arg(index), room(call, index));
    }

    private static long room(CallView call, int index) {
        return index + 1 < 6 ? Outputs.unsignedMin(call.result(), call.arg(index + 1)) : call.result();
    }

    private static String pair(CallView call, long address) {
        return "[" + call.readInt(address) + ", " + call.readInt(address + Outputs.INT) + "]";
    }

    private static String strings(CallView call, long address) {
        if (address == 0) {
            return "NULL";
        }
        List<String> items = new ArrayList<>();
        for (int i = 0; ; i++) {
            long item = call.readLong(address + i * Outputs.LONG);
            if (item == 0) {
                break;
            }
            if (i == MAX_STRINGS) {
                items.add("...");
                break;
            }
            items.add(string(call, item, MAX_STRING));
        }
        return "[" + String.join(", ", items) + "]";
    }

    private static String environment(CallView call, long address) {
        if (address == 0) {
            return "NULL";
        }
        int count = 0;
        while (count < MAX_VARIABLES && call.readLong(address + count * Outputs.LONG) != 0) {
            count++;
        }
        return pointer(address) + " /* " + count + (count == 1 ? " var */" : " vars */");
    }

    private static String timespec(CallView call, long address) {
        if (address == 0) {
            return "NULL";
        }
        return "{tv_sec=%d, tv_nsec=%d}".formatted(call.readLong(address), call.readLong(address + Outputs.LONG));
    }

    private static String status(CallView call, long address) {
        int status = call.readInt(address);
        int signal = status & STOPPED;
        String text;
        if (status == CONTINUED) {
            text = "WIFCONTINUED(s)";
        } else if (signal == STOPPED) {
            text = "WIFSTOPPED(s) && WSTOPSIG(s) == " + SignalNames.name(status >>> 8 & 0xff);
        } else if (signal != 0) {
            text = "WIFSIGNALED(s) && WTERMSIG(s) == " + SignalNames.name(signal)
                    + ((status & 0x80) != 0 ? " && WCOREDUMP(s)" : "");
        } else {
            text = "WIFEXITED(s) && WEXITSTATUS(s) == " + (status >>> 8 & 0xff);
        }
        return "[{" + text + "}]";
    }
}
