package dev.eremite.replay.store;

import dev.eremite.replay.log.LogException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A text file that grows by whole lines while recording; it is made with its first line. */
final class LineFile implements AutoCloseable {
    private final Path file;
    private RandomAccessFile lines;

    LineFile(Path file) {
        this.file = file;
    }

    /** Appends a line, which is on its way to disk when this returns. */
    void add(String line) {
        try {
            if (lines == null) {
                lines = new RandomAccessFile(file.toFile(), "rw");
            }
            lines.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw LogException.ofIo("cannot write " + file, e);
        }
    }

    @Override
    public void close() {
        if (lines != null) {
            try {
                lines.close();
            } catch (IOException e) {
                throw LogException.ofIo("cannot close " + file, e);
            }
        }
    }
}
