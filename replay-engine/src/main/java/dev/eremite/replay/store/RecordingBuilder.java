package dev.eremite.replay.store;

import dev.eremite.replay.log.ChronicleEventLog;
import dev.eremite.replay.log.EventLog;
import dev.eremite.replay.log.LogException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Stream;

/**
 * A recording that is being made. Everything given to it is on its way to disk when the call returns, so that a
 * recording whose engine is killed has it. Used by one thread.
 */
public final class RecordingBuilder implements AutoCloseable {
    private final Path directory;
    private final Path sharedBlobs;
    private final BlobStore blobs;
    private final BlobChecksums checksums;
    private final NoteCache notes;
    private final FileTable files;
    private final CountingWriter log;
    private final long startedNs = System.nanoTime();
    private RecordingInfo info;
    private boolean ended;

    RecordingBuilder(Path directory, Path sharedBlobs, HashCache cache, NoteCache notes, RecordingStart start) {
        this.directory = directory;
        this.sharedBlobs = sharedBlobs;
        this.notes = notes;
        // First of all, since the queue opens on another thread meanwhile.
        log = new CountingWriter(ChronicleEventLog.create(directory.resolve(Recording.EVENTS)));
        files = new FileTable(directory);
        checksums = new BlobChecksums(directory);
        blobs = new BlobStore(directory.resolve(BlobStore.NAME), sharedBlobs, cache, checksums);
        ProcessHandle engine = ProcessHandle.current();
        info = new RecordingInfo(
                directory.getFileName().toString(),
                Instant.now(),
                RecordingInfo.State.RUNNING,
                engine.pid(),
                engine.info().startInstant().map(Instant::toEpochMilli).orElse(0L),
                start,
                -1,
                0,
                -1,
                -1,
                -1,
                -1);
        try {
            Files.createDirectory(directory.resolve(BlobStore.NAME));
            MetadataFile.write(directory, info);
        } catch (IOException e) {
            log.abandon();
            throw LogException.ofIo("cannot begin a recording in " + directory, e);
        } catch (LogException e) {
            log.abandon();
            throw e;
        }
    }

    /** The recording's name. */
    public String id() {
        return info.id();
    }

    /** Its folder. */
    public Path directory() {
        return directory;
    }

    /** Where its events go. Ending the recording closes it; do not close it otherwise. */
    public EventLog.Writer log() {
        return log;
    }

    /** Where contents go. */
    public BlobStore blobs() {
        return blobs;
    }

    /** What recordings have found out about contents. */
    public NoteCache notes() {
        return notes;
    }

    /**
     * Keeps the content of a file and notes under which path the guest knew it.
     *
     * @return the blob's name
     */
    public String file(String guestPath, Path file) {
        String blob = blobs.put(file);
        file(guestPath, blob);
        return blob;
    }

    /** Notes which blob holds the file that the guest knew by that path. */
    public void file(String guestPath, String blob) {
        files.add(guestPath, blob);
    }

    /**
     * Ends the recording in order.
     *
     * @param status the guest's exit status as a shell shows it: 128 + n for signal n
     * @param signal the signal that killed the guest, or 0
     */
    public RecordingInfo finish(int status, int signal) {
        log.close();
        return end(RecordingInfo.State.COMPLETE, status, signal);
    }

    private RecordingInfo end(RecordingInfo.State state, int status, int signal) {
        ended = true;
        files.close();
        checksums.close();
        long tookMs = (System.nanoTime() - startedNs) / 1_000_000;
        info = info.ended(state, status, signal, log.count, tookMs, ownBytes(), files.count());
        MetadataFile.write(directory, info);
        return info;
    }

    private long ownBytes() {
        try (Stream<Path> entries = Files.walk(directory.resolve(Recording.EVENTS))) {
            long bytes = 0;
            for (Path entry : (Iterable<Path>) entries.filter(Files::isRegularFile)::iterator) {
                bytes += Files.size(entry);
            }
            return bytes;
        } catch (IOException e) {
            throw LogException.ofIo("cannot look into " + directory, e);
        }
    }

    /** Gives up a recording that has not ended: it shows as cut short after its last event, or is removed if it has none. */
    @Override
    public void close() {
        if (ended) {
            return;
        }
        log.abandon();
        // What was given to the log and what is in it differ where the disk was full.
        log.count = log.written();
        if (log.count > 0) {
            end(RecordingInfo.State.CUT, -1, 0);
            return;
        }
        ended = true;
        files.close();
        checksums.close();
        try {
            DataDirectory.delete(directory);
            BlobStore.prune(sharedBlobs);
        } catch (IOException e) {
            throw LogException.ofIo("cannot remove the empty recording " + directory, e);
        }
    }

    private static final class CountingWriter implements EventLog.Writer {
        private final EventLog.Writer writer;
        private long count;

        CountingWriter(EventLog.Writer writer) {
            this.writer = writer;
        }

        @Override
        public long append(dev.eremite.replay.event.Event event) {
            long number = writer.append(event);
            count = number + 1;
            return number;
        }

        @Override
        public long written() {
            return writer.written();
        }

        @Override
        public void abandon() {
            writer.abandon();
        }

        @Override
        public void close() {
            writer.close();
        }
    }
}
