package dev.eremite.detcore;

/**
 * A failure that a person can do something about: shown as {@code eremite: <message> (<code>)} and the cure, without a
 * stack trace. Errors in Eremite itself are not of this kind.
 */
public class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode errorCode;
    private final String cure;

    /** A failure with the code's general cure. {@code message} names what it is about: one line, no full stop. */
    public UsageException(ErrorCode errorCode, String message) {
        this(errorCode, message, errorCode.cure(), null);
    }

    /** A failure with a cause, which only {@code --debug} shows. */
    public UsageException(ErrorCode errorCode, String message, Throwable cause) {
        this(errorCode, message, errorCode.cure(), cause);
    }

    /** A failure whose cure can be told better than in general. {@code cause} may be null. */
    public UsageException(ErrorCode errorCode, String message, String cure, Throwable cause) {
        super(message, cause);
        this.errorCode = errorCode;
        this.cure = cure;
    }

    /** Which failure it is. */
    public ErrorCode errorCode() {
        return errorCode;
    }

    /** What to do about it. */
    public String cure() {
        return cure;
    }
}
