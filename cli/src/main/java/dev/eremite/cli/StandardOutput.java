package dev.eremite.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;

/** This process's standard output, which keeps in mind what went wrong: a PrintWriter alone only tells that something did. */
final class StandardOutput extends OutputStream {
    private final OutputStream stream = new FileOutputStream(FileDescriptor.out);
    private final PrintWriter writer =
            new PrintWriter(new OutputStreamWriter(new BufferedOutputStream(this), System.out.charset()));
    private StreamException failure;

    /** Writes text; to be flushed. */
    PrintWriter writer() {
        return writer;
    }

    /** The first failure, or null. */
    StreamException failure() {
        return failure;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            stream.write(bytes, offset, length);
        } catch (IOException e) {
            failure = failure == null ? new StreamException(1, e) : failure;
            throw e;
        }
    }
}
