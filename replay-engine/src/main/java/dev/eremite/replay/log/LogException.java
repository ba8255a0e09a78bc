package dev.eremite.replay.log;

import dev.eremite.detcore.ErrorCode;
import dev.eremite.detcore.UsageException;

/**
 * A recording cannot be written or read: the disk is full, a file is missing, damaged, or of another version. The
 * message is one line that a person can act on; the code is stable and listed in {@code docs/errors.md}.
 */
public final class LogException extends UsageException {
    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    public enum Code {
        /** No space is left, or a quota is used up. What was written before stays readable. */
        DISK_FULL(ErrorCode.DISK_FULL),
        /** Reading or writing failed for another reason, such as missing permission. */
        IO(ErrorCode.RECORDING_IO),
        /** A file of the recording is not there. */
        MISSING(ErrorCode.RECORDING_INCOMPLETE),
        /** The contents of a file contradict their checksum or their format. */
        DAMAGED(ErrorCode.RECORDING_DAMAGED),
        /** The file was written by another version of the format. */
        VERSION(ErrorCode.RECORDING_VERSION),
        /** No recording answers to that name. */
        NOT_FOUND(ErrorCode.RECORDING_NOT_FOUND),
        /** Several recordings answer to that name. */
        AMBIGUOUS(ErrorCode.RECORDING_AMBIGUOUS),
        /** The recording is still being written. */
        BUSY(ErrorCode.RECORDING_BUSY),
        /** The recorder was ended before the recording was, and nothing can be replayed. */
        CUT(ErrorCode.RECORDING_CUT);

        private final ErrorCode error;

        Code(ErrorCode error) {
            this.error = error;
        }
    }

    private final Code code;

    /** An error with one clear line. */
    public LogException(Code code, String message) {
        super(code.error, message);
        this.code = code;
    }

    /** An error with one clear line and what led to it. */
    public LogException(Code code, String message, Throwable cause) {
        super(code.error, message, cause);
        this.code = code;
    }

    /** An error whose cure can be told better than in general. */
    public LogException(Code code, String message, String cure, Throwable cause) {
        super(code.error, message, cure, cause);
        this.code = code;
    }

    /** An error of input or output on a file; recognises a full disk by the text of ENOSPC and EDQUOT. */
    public static LogException ofIo(String doing, Throwable cause) {
        String why = String.valueOf(cause.getMessage());
        if (why.contains("No space left") || why.contains("Disk quota exceeded")) {
            return new LogException(Code.DISK_FULL, doing + ": the disk is full", cause);
        }
        return new LogException(Code.IO, doing + ": " + reason(cause), cause);
    }

    private static String reason(Throwable cause) {
        String text = cause.getMessage() == null ? "" : ": " + cause.getMessage();
        return switch (cause) {
            case java.nio.file.NoSuchFileException e -> e.getFile() + " does not exist";
            case java.nio.file.AccessDeniedException e -> "no permission for " + e.getFile();
            case java.nio.file.FileSystemException e when e.getReason() != null -> e.getFile() + ": " + e.getReason();
            default -> (cause.getClass().getSimpleName() + text).replace('\n', ' ');
        };
    }

    /** What is wrong. */
    public Code code() {
        return code;
    }
}
