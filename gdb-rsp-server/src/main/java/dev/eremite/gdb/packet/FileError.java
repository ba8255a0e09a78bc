package dev.eremite.gdb.packet;

/** A file request that fails with one of the protocol's error numbers (GDB manual, "Errno Values"). */
final class FileError extends Exception {
    static final int ENOENT = 2;
    static final int EBADF = 9;
    static final int EINVAL = 22;
    static final int EMFILE = 24;
    static final int EROFS = 30;
    static final int EUNKNOWN = 9999;

    private final int number;

    FileError(int number) {
        super("file error " + number, null, false, false);
        this.number = number;
    }

    int number() {
        return number;
    }
}
