package dev.eremite.replay.store;

import dev.eremite.replay.log.ChronicleEventLog;
import dev.eremite.replay.log.EventLog;
import dev.eremite.replay.log.LogException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A recording on disk, opened for reading. Its folder has all that replay needs, wherever it was moved. */
public final class Recording {
    static final String EVENTS = "events";

    private final Path directory;
    private final RecordingInfo info;
    private final Map<String, String> files;
    private final Map<String, String> checksums;
    private final Set<String> verified = ConcurrentHashMap.newKeySet();

    private Recording(Path directory, RecordingInfo info, Map<String, String> files) {
        this.directory = directory;
        this.info = info;
        this.files = files;
        checksums = BlobChecksums.read(directory);
    }

    /**
     * Opens the recording in that folder.
     *
     * @throws LogException when it is no recording, damaged or of another version
     */
    public static Recording open(Path directory) {
        RecordingInfo info = MetadataFile.read(directory);
        boolean whole = info.state() == RecordingInfo.State.COMPLETE;
        return new Recording(directory, info, FileTable.read(directory, whole ? info.files() : -1));
    }

    /** The folder it is in. */
    public Path directory() {
        return directory;
    }

    /** What {@code recording.json} says. */
    public RecordingInfo info() {
        return info;
    }

    /** Which blob holds the content of a file, by the path under which the guest knew it. */
    public Map<String, String> files() {
        return Map.copyOf(files);
    }

    /**
     * Opens its events.
     *
     * @return its reader; it has an event at least
     * @throws LogException when the log is missing, damaged, shorter than the recording's metadata says, or cut short
     *     before its first whole event
     */
    public EventLog.Reader openLog() {
        EventLog.Reader reader = openAny();
        long found = reader.size();
        boolean whole = info.state() == RecordingInfo.State.COMPLETE;
        if (whole ? reader.complete() && found == info.events() : found > 0) {
            return reader;
        }
        reader.close();
        throw whole
                ? new LogException(
                        LogException.Code.DAMAGED,
                        "the event log of " + directory + " is damaged: only " + found + " of " + info.events()
                                + " events can be found")
                : cutBeforeFirst(null);
    }

    private EventLog.Reader openAny() {
        try {
            return ChronicleEventLog.open(directory.resolve(EVENTS));
        } catch (LogException e) {
            // Whoever recorded was ended before the log was there.
            throw e.code() == LogException.Code.MISSING && info.state() == RecordingInfo.State.RUNNING
                    ? cutBeforeFirst(e)
                    : e;
        }
    }

    private LogException cutBeforeFirst(LogException cause) {
        return new LogException(
                LogException.Code.CUT, "the recording " + info.id() + " is cut short before its first event", cause);
    }

    /**
     * The file with the content of that name, which is compared with its checksum, or else its name, when it is first asked
     * for.
     *
     * @param name 64 hexadecimal digits
     * @throws LogException naming the blob when it is missing or damaged
     */
    public Path blob(String name) {
        Path file = directory.resolve(BlobStore.NAME).resolve(name);
        if (!BlobStore.isName(name)) {
            throw new LogException(LogException.Code.DAMAGED, directory + " names a blob that cannot be: " + name);
        }
        if (verified.contains(name)) {
            return file;
        }
        if (!Files.isRegularFile(file)) {
            throw new LogException(LogException.Code.MISSING, "the blob " + file + " is missing");
        }
        try {
            if (!BlobChecksums.of(file).equals(checksums.get(name))) {
                compareWithName(file, name);
            }
        } catch (IOException e) {
            throw LogException.ofIo("cannot read the blob " + file, e);
        }
        verified.add(name);
        return file;
    }

    private static void compareWithName(Path file, String name) throws IOException {
        MessageDigest digest = BlobStore.sha256();
        try (InputStream in = Files.newInputStream(file)) {
            byte[] buffer = new byte[256 << 10];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                digest.update(buffer, 0, count);
            }
        }
        String actual = HexFormat.of().formatHex(digest.digest());
        if (!actual.equals(name)) {
            throw new LogException(
                    LogException.Code.DAMAGED, "the blob " + file + " is damaged: its content's SHA-256 is " + actual);
        }
    }
}
