package dev.eremite.replay.session;

import dev.eremite.replay.event.Effect;
import dev.eremite.replay.event.Mapping.Backing;
import dev.eremite.tracer.linux.FileData;
import dev.eremite.tracer.linux.Tracer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/** The memory that replayed processes share: one anonymous file for each recorded object. */
final class SharedObjects {
    private final Tracer tracer;
    private final RecordingSource source;
    private final Map<Integer, Integer> descriptors = new HashMap<>();

    SharedObjects(Tracer tracer, RecordingSource source) {
        this.tracer = tracer;
        this.source = source;
    }

    /** The path under which a guest can open the object; it exists and has its content afterwards. */
    String path(Backing.Shared backing) {
        int fd = descriptors.computeIfAbsent(
                backing.object(), object -> tracer.memfd("eremite-shared-" + object, backing.size()));
        String path = path(fd);
        try (RandomAccessFile file = new RandomAccessFile(path, "rw")) {
            if (file.length() != backing.size()) {
                file.setLength(backing.size());
            }
            if (!backing.initial().isEmpty()) {
                copy(source.blob(backing.initial()), file.getChannel());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return path;
    }

    private static void copy(Path blob, FileChannel to) throws IOException {
        try (FileChannel from = FileChannel.open(blob, StandardOpenOption.READ)) {
            copy(from, to, 0, from.size());
        }
    }

    /** Copies a range to the same place. */
    private static void copy(FileChannel from, FileChannel to, long start, long end) throws IOException {
        long done = start;
        while (done < end) {
            done += from.transferTo(done, end - done, to.position(done));
        }
    }

    /** Repeats a change of an object's content that was made without its mappings. */
    void store(Effect.Store store) {
        Integer fd = descriptors.get(store.object());
        if (fd == null) {
            return; // Nobody has it mapped yet; the mapping will bring the content.
        }
        try (RandomAccessFile file = new RandomAccessFile(path(fd), "rw")) {
            if (file.length() != store.size()) {
                file.setLength(store.size());
            }
            file.seek(store.offset());
            file.write(store.bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String path(int fd) {
        return "/proc/" + Tracer.ownPid() + "/fd/" + fd;
    }

    /** A set of objects with the same content that changes independently. */
    SharedObjects copy() {
        SharedObjects copy = new SharedObjects(tracer, source);
        for (Map.Entry<Integer, Integer> entry : descriptors.entrySet()) {
            String original = path(entry.getValue());
            try (FileChannel from = FileChannel.open(Path.of(original), StandardOpenOption.READ)) {
                int fd = tracer.memfd("eremite-shared-" + entry.getKey(), from.size());
                copy.descriptors.put(entry.getKey(), fd);
                try (FileChannel to = FileChannel.open(Path.of(path(fd)), StandardOpenOption.WRITE)) {
                    // Holes stay holes: writing their zeros would take memory, and time.
                    for (FileData.Stretch data : FileData.stretches(tracer, original, from.size())) {
                        copy(from, to, data.start(), data.end());
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return copy;
    }

    boolean isEmpty() {
        return descriptors.isEmpty();
    }

    /** The path of an object that is known already. */
    String existing(int object) {
        return path(descriptors.get(object));
    }

    void close() {
        descriptors.values().forEach(tracer::closeFd);
        descriptors.clear();
    }
}
