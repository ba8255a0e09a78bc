package dev.eremite.replay.store;

import dev.eremite.replay.log.LogException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The folder with all recordings of a user, {@code recordings/ID}, and the blobs that they share. */
public final class DataDirectory {
    private static final int FORGET_TRIES = 8;
    private static final int FORGET_PAUSE_MS = 20;

    /** The name that stands for the latest recording. */
    public static final String LATEST = "latest";

    /** Stands before the number of a recording that began in the same second as another of the same program. */
    private static final char SERIAL_MARK = '+';

    private static final DateTimeFormatter ID_TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
    private static final String CHOOSE_ANOTHER =
            "Choose a folder that you can write to, with --data-dir or EREMITE_DATA_DIR.";
    private static final int LONGEST_NAME = 24;
    private static final int MOST_SHOWN = 5;

    private final Path path;
    private final Path recordings;
    private final Path blobs;
    private final Clock clock;

    private DataDirectory(Path path, Clock clock) {
        this.path = path;
        this.recordings = path.resolve("recordings");
        this.blobs = path.resolve(BlobStore.NAME);
        this.clock = clock;
    }

    /** The data directory in that folder; it is created, for its owner alone, when the first recording begins. */
    public static DataDirectory at(Path path) {
        return at(path, Clock.system(ZoneOffset.UTC));
    }

    static DataDirectory at(Path path, Clock clock) {
        return new DataDirectory(path.toAbsolutePath().normalize(), clock);
    }

    /**
     * Finds the data directory: the option, else $EREMITE_DATA_DIR, else $XDG_DATA_HOME/eremite, else
     * ~/.local/share/eremite. A relative XDG_DATA_HOME is ignored, as the XDG base directory specification wants.
     *
     * @param option the value of --data-dir, or null
     */
    public static DataDirectory locate(Path option, Map<String, String> environment) {
        if (option != null) {
            return at(option);
        }
        String own = environment.getOrDefault("EREMITE_DATA_DIR", "");
        if (!own.isEmpty()) {
            return at(Path.of(own));
        }
        String xdg = environment.getOrDefault("XDG_DATA_HOME", "");
        if (xdg.startsWith("/")) {
            return at(Path.of(xdg, "eremite"));
        }
        String home = environment.getOrDefault("HOME", "");
        return at(Path.of(home.isEmpty() ? System.getProperty("user.home") : home, ".local", "share", "eremite"));
    }

    /** The folder. */
    public Path path() {
        return path;
    }

    /**
     * Begins a recording. Its name is the time in UTC and the program's name, with a number when that is taken.
     *
     * @throws LogException when it cannot be written there
     */
    public RecordingBuilder begin(RecordingStart start) {
        return begin(start, folder -> {});
    }

    /**
     * Begins a recording.
     *
     * @param reserved is told its folder as soon as that exists
     */
    public RecordingBuilder begin(RecordingStart start, Consumer<Path> reserved) {
        try {
            if (Files.isRegularFile(path)) {
                throw noFolder(null);
            }
            createPrivate(path);
            createPrivate(recordings);
            createPrivate(blobs);
            Path folder = reserve(start);
            reserved.accept(folder);
            try {
                HashCache hashes = new HashCache(path.resolve("hash-cache"));
                NoteCache notes = new NoteCache(path.resolve("note-cache"));
                return new RecordingBuilder(folder, blobs, hashes, notes, start);
            } catch (LogException e) {
                delete(folder);
                throw e;
            }
        } catch (IOException e) {
            LogException failure = LogException.ofIo("cannot write to the data directory " + path, e);
            throw failure.code() == LogException.Code.IO
                    ? new LogException(failure.code(), failure.getMessage(), CHOOSE_ANOTHER, e)
                    : failure;
        }
    }

    private LogException noFolder(IOException cause) {
        return new LogException(
                LogException.Code.IO, "the data directory " + path + " is not a folder", CHOOSE_ANOTHER, cause);
    }

    private static void createPrivate(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
    }

    /** Creating a folder succeeds for one of those who try it at once. */
    private Path reserve(RecordingStart start) throws IOException {
        String program = start.argv().isEmpty() ? "guest" : start.argv().getFirst();
        String name = program.substring(program.lastIndexOf('/') + 1).replaceAll("[^A-Za-z0-9._+-]", "_");
        name = name.isEmpty() ? "guest" : name.substring(0, Math.min(name.length(), LONGEST_NAME));
        String id = ID_TIME.format(clock.instant().atZone(ZoneOffset.UTC)) + "-" + name;
        for (int number = 1; ; number++) {
            Path folder = recordings.resolve(number == 1 ? id : id + SERIAL_MARK + number);
            try {
                return Files.createDirectory(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (FileAlreadyExistsException e) {
                // Taken: the next number.
            }
        }
    }

    /** All recordings, the oldest first; those that cannot be read are among them, with the reason. */
    public List<RecordingSummary> recordings() {
        List<RecordingSummary> summaries = new ArrayList<>();
        for (Path folder : folders()) {
            String id = folder.getFileName().toString();
            try {
                summaries.add(new RecordingSummary(id, folder, MetadataFile.read(folder), null));
            } catch (LogException e) {
                summaries.add(new RecordingSummary(id, folder, null, e.getMessage()));
            }
        }
        summaries.sort(Comparator.comparing(DataDirectory::second)
                .thenComparing(summary -> summary.info() == null
                        ? ""
                        : "%020d"
                                .formatted(summary.info().created().toEpochMilli() * 1000
                                        + summary.info().created().getNano() / 1000 % 1000))
                .thenComparing(RecordingSummary::id));
        return summaries;
    }

    private static String second(RecordingSummary summary) {
        return summary.id().substring(0, Math.min(summary.id().length(), 15));
    }

    private List<Path> folders() {
        try (Stream<Path> entries = Files.list(recordings)) {
            return entries.filter(Files::isDirectory)
                    .filter(folder -> !folder.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (NotDirectoryException e) {
            throw noFolder(e);
        } catch (IOException e) {
            // With a name below a file, this is another exception of the same error.
            throw Files.isRegularFile(path) ? noFolder(e) : LogException.ofIo("cannot look into " + recordings, e);
        }
    }

    /**
     * Finds a recording's folder.
     *
     * @param name {@code latest}, an id, a beginning or an end of one that no other has, or the path of a folder
     * @throws LogException when there is none, or more than one
     */
    public Path find(String name) {
        if (name.equals(LATEST)) {
            List<RecordingSummary> all = recordings();
            if (all.isEmpty()) {
                throw new LogException(LogException.Code.NOT_FOUND, "there are no recordings in " + path);
            }
            return all.getLast().directory();
        }
        if (name.contains("/") || name.equals(".") || name.equals("..")) {
            Path folder = Path.of(name);
            if (!Files.isDirectory(folder)) {
                throw new LogException(LogException.Code.NOT_FOUND, "there is no folder " + folder);
            }
            return folder.toAbsolutePath().normalize();
        }
        return byId(name);
    }

    private Path byId(String name) {
        List<Path> matches = new ArrayList<>();
        for (Path folder : folders()) {
            String id = folder.getFileName().toString();
            if (id.equals(name)) {
                return folder;
            }
            if (!name.isEmpty() && (begins(id, name) || id.endsWith(name))) {
                matches.add(folder);
            }
        }
        if (matches.size() == 1) {
            return matches.getFirst();
        }
        if (matches.isEmpty()) {
            throw new LogException(
                    LogException.Code.NOT_FOUND, "no recording in " + path + " is called \"" + name + "\"");
        }
        List<String> shown = matches.stream()
                .limit(MOST_SHOWN)
                .map(folder -> folder.getFileName().toString())
                .toList();
        throw new LogException(
                LogException.Code.AMBIGUOUS,
                "\"" + name + "\" may be any of " + matches.size() + " recordings: " + String.join(", ", shown)
                        + (matches.size() > MOST_SHOWN ? ", …" : ""));
    }

    /** Whether an id begins with a name; a whole id does not stand for the next one of the same second. */
    private static boolean begins(String id, String name) {
        return id.startsWith(name) && !(id.length() > name.length() && id.charAt(name.length()) == SERIAL_MARK);
    }

    /** Opens the recording with that name, see {@link #find}. */
    public Recording open(String name) {
        return Recording.open(find(name));
    }

    /**
     * Removes a recording of this data directory, and the shared blobs that no other recording has.
     *
     * @param name see {@link #find}; a folder elsewhere is refused
     * @return the id of the removed recording
     * @throws LogException when it is in use, see {@link #checkUnused}
     */
    public String remove(String name) {
        Path folder = find(name);
        if (!folder.startsWith(recordings) || folder.equals(recordings)) {
            throw new LogException(
                    LogException.Code.NOT_FOUND,
                    folder + " is not in the data directory " + path + "; remove it by rm");
        }
        checkUnused(folder);
        try {
            delete(folder);
            BlobStore.prune(blobs);
        } catch (IOException e) {
            throw LogException.ofIo("cannot remove " + folder, e);
        }
        return folder.getFileName().toString();
    }

    /**
     * Looks whether a recording is being made or replayed.
     *
     * @throws LogException when it is
     */
    public void checkUnused(Path folder) {
        boolean beingWritten;
        try {
            beingWritten = MetadataFile.read(folder).beingWritten();
        } catch (LogException e) {
            // What cannot be read can still be removed.
            beingWritten = false;
        }
        if (beingWritten) {
            throw new LogException(LogException.Code.BUSY, folder.getFileName() + " is being recorded");
        }
        OptionalLong user = OpenFiles.userOf(folder);
        if (user.isPresent()) {
            throw new LogException(
                    LogException.Code.BUSY, folder.getFileName() + " is in use by process " + user.getAsLong());
        }
    }

    /**
     * Removes the folder of a recording that has no program yet, when the process ends in its midst. What cannot be removed
     * stays, and shows as cut short. May be called from any thread.
     *
     * @param folder gives null as long as there is none
     */
    public static void forget(Supplier<Path> folder) {
        for (int i = 0; i < FORGET_TRIES; i++) {
            try {
                // Threads that were about to make it, or to open the log in it, do so meanwhile.
                Thread.sleep(i == 0 ? 0 : FORGET_PAUSE_MS);
                if (folder.get() != null && Files.exists(folder.get())) {
                    delete(folder.get());
                }
            } catch (IOException | UncheckedIOException e) {
                // Somebody writes there; once more.
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> entries = Files.walk(folder)) {
            // A folder goes after what is in it.
            for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(entry);
            }
        }
    }
}
