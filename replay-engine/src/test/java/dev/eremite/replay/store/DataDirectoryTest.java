package dev.eremite.replay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eremite.replay.log.EventLog;
import dev.eremite.replay.log.LogException;
import dev.eremite.replay.log.RandomEvents;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DataDirectoryTest {
    private static final RecordingStart START = new RecordingStart(
            "0.1.0",
            List.of("/bin/grün", "a b", "half \ud800 pair"),
            "/tmp",
            List.of("A=1", "B=\"x\"\n"),
            "/bin/grün",
            "6.18",
            "a CPU");

    @TempDir
    Path folder;

    private DataDirectory data;

    @BeforeEach
    void open() {
        data = DataDirectory.at(
                folder.resolve("data"), Clock.fixed(Instant.parse("2026-11-29T18:54:32Z"), ZoneOffset.UTC));
    }

    private RecordingBuilder begin() {
        return data.begin(START);
    }

    private static Path write(Path file, String text) throws IOException {
        Files.writeString(file, text);
        // As if it had not been touched for a while, so that its hash may be remembered.
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
        return file;
    }

    @Test
    void shouldReturnWhatWasRecorded() throws IOException {
        String id;
        String blob;
        try (RecordingBuilder builder = begin()) {
            id = builder.id();
            blob = builder.file("/lib/libc.so", write(folder.resolve("libc"), "the library"));
            for (int i = 0; i < 20; i++) {
                builder.log().append(new RandomEvents(i, 100).next(i));
            }
            builder.finish(139, 11);
        }
        assertThat(id).isEqualTo("20261129-185432-gr_n");
        Recording recording = data.open(id);
        RecordingInfo info = recording.info();
        assertThat(info.start().env()).isEqualTo(START.env());
        assertThat(info.start().argv()).containsExactly("/bin/grün", "a b", "half ? pair");
        assertThat(info.status()).isEqualTo(139);
        assertThat(info.signal()).isEqualTo(11);
        assertThat(info.events()).isEqualTo(20);
        assertThat(info.state()).isEqualTo(RecordingInfo.State.COMPLETE);
        assertThat(info.bytes()).isPositive();
        assertThat(recording.files()).isEqualTo(Map.of("/lib/libc.so", blob));
        assertThat(recording.blob(blob)).hasContent("the library");
        try (EventLog.Reader reader = recording.openLog()) {
            assertThat(reader.size()).isEqualTo(20);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.path())))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(recording.blob(blob))))
                .isEqualTo("r--------");
    }

    @Test
    void shouldShowARecordingThatWasGivenUpAsCutShort() {
        try (RecordingBuilder builder = begin()) {
            builder.log().append(new RandomEvents(1, 100).next(0));
        }
        assertThat(data.recordings())
                .singleElement()
                .satisfies(summary -> assertThat(summary.state()).isEqualTo("cut short"));
        try (EventLog.Reader reader = data.open(DataDirectory.LATEST).openLog()) {
            assertThat(reader.size()).isEqualTo(1);
            assertThat(reader.complete()).isFalse();
        }
    }

    @Test
    void shouldLeaveNothingOfARecordingWithoutEvents() {
        try (RecordingBuilder builder = begin()) {
            builder.blobs().put(new byte[10]);
        }
        assertThat(data.recordings()).isEmpty();
    }

    @Test
    void shouldGiveEachOfManyThatStartAtOnceItsOwnName() throws Exception {
        int count = 8;
        CyclicBarrier together = new CyclicBarrier(count);
        List<Future<String>> ids = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
            for (int i = 0; i < count; i++) {
                Callable<String> start = () -> {
                    together.await();
                    try (RecordingBuilder builder = begin()) {
                        builder.blobs().put("same".getBytes(StandardCharsets.UTF_8));
                        builder.finish(0, 0);
                        return builder.id();
                    }
                };
                ids.add(threads.submit(start));
            }
        }
        assertThat(ids.stream().map(Future::resultNow).distinct()).hasSize(count);
        assertThat(data.recordings())
                .hasSize(count)
                .allSatisfy(summary -> assertThat(summary.state()).isEqualTo("complete"));
        assertThat(blobFiles(data.path().resolve("blobs"))).hasSize(1);
    }

    private static List<Path> blobFiles(Path blobs) throws IOException {
        try (Stream<Path> entries = Files.list(blobs)) {
            return entries.toList();
        }
    }

    @Test
    void shouldFindByPartsOfNames() {
        for (int i = 0; i < 3; i++) {
            begin().finish(0, 0);
        }
        assertThat(data.find("20261129-185432-gr_n")).hasFileName("20261129-185432-gr_n");
        assertThat(data.find("gr_n+2")).hasFileName("20261129-185432-gr_n+2");
        assertThat(data.find(DataDirectory.LATEST)).hasFileName("20261129-185432-gr_n+3");
        assertThatThrownBy(() -> data.find("2026"))
                .hasMessageContaining("any of 3")
                .extracting(e -> ((LogException) e).code())
                .isEqualTo(LogException.Code.AMBIGUOUS);
        assertThatThrownBy(() -> data.find("nothing")).hasMessageContaining("no recording");
    }

    @Test
    void shouldReplayFromAFolderMovedElsewhere() throws IOException {
        String blob;
        Path moved = folder.resolve("moved");
        try (RecordingBuilder builder = begin()) {
            blob = builder.file("/x", write(folder.resolve("x"), "content"));
            builder.finish(0, 0);
            Files.move(builder.directory(), moved);
        }
        try (Stream<Path> all = Files.walk(data.path())) {
            for (Path entry : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(entry);
            }
        }
        Files.delete(folder.resolve("x"));
        Recording recording = data.open(moved.toString());
        assertThat(recording.blob(blob)).hasContent("content");
        assertThat(recording.info().start().cwd()).isEqualTo("/tmp");
    }

    @Test
    void shouldRememberHashesUntilAFileChanges() throws IOException {
        Path file = write(folder.resolve("x"), "content");
        try (RecordingBuilder builder = begin()) {
            String first = builder.blobs().put(file);
            assertThat(builder.blobs().put(file)).isEqualTo(first);
            Path cache = data.path().resolve("hash-cache");
            HashCache.Key key = HashCache.Key.of(file);
            // The inode's change time is fresh, which the cache does not trust.
            assertThat(new HashCache(cache).find(key)).isNull();
            HashCache.Key old = new HashCache.Key(key.device(), key.inode(), key.size(), key.modifiedNs(), 1);
            BlobContent content = new BlobContent(first, "01234567");
            new HashCache(cache).put(old, content);
            assertThat(new HashCache(cache).find(old)).isEqualTo(content);
            assertThat(new HashCache(cache).find(key)).isNull();
            Files.writeString(cache.resolve(old.fileName()), "nonsense " + first + "\n");
            assertThat(new HashCache(cache).find(old)).isNull();
            write(file, "content 2");
            assertThat(builder.blobs().put(file)).isNotEqualTo(first);
        }
    }

    @Test
    void shouldForgetDamagedNotes() throws IOException {
        NoteCache notes = new NoteCache(folder.resolve("notes"));
        assertThat(notes.find("a")).isNull();
        notes.put("a", "1 decided 17");
        assertThat(notes.find("a")).isEqualTo("1 decided 17");
        notes.put("a", "1 decided 18");
        assertThat(notes.find("a")).isEqualTo("1 decided 18");
        Path file = folder.resolve("notes").resolve("a");
        String line = Files.readString(file);
        for (String damaged : List.of("", "\n", line.substring(1), line.replace("18", "19"), line + line)) {
            Files.writeString(file, damaged);
            assertThat(notes.find("a")).as(damaged).isNull();
        }
    }

    @Test
    void shouldKeepARangeOfAFile() throws IOException {
        Path file = write(folder.resolve("x"), "0123456789");
        try (RecordingBuilder builder = begin()) {
            String range = builder.blobs().putRange(file, 3, 4);
            assertThat(range).isEqualTo(builder.blobs().put("3456".getBytes(StandardCharsets.UTF_8)));
            assertThat(builder.blobs().putRange(file, 8, 100))
                    .isEqualTo(builder.blobs().put("89".getBytes(StandardCharsets.UTF_8)));
            builder.finish(0, 0);
            assertThat(Recording.open(builder.directory()).blob(range)).hasContent("3456");
        }
    }

    @Test
    void shouldRemoveARecordingAndTheBlobsOnlyItHas() throws IOException {
        try (RecordingBuilder one = begin();
                RecordingBuilder two = begin()) {
            one.blobs().put("shared".getBytes(StandardCharsets.UTF_8));
            one.blobs().put("its own".getBytes(StandardCharsets.UTF_8));
            two.blobs().put("shared".getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> data.remove(one.id())).hasMessageContaining("is being recorded");
            one.finish(0, 0);
            two.finish(0, 0);
            assertThat(blobFiles(data.path().resolve("blobs"))).hasSize(2);
            remove(one.id());
            assertThat(one.directory()).doesNotExist();
            assertThat(blobFiles(data.path().resolve("blobs"))).hasSize(1);
            remove(two.id());
            assertThat(blobFiles(data.path().resolve("blobs"))).isEmpty();
        }
    }

    /** Removes a recording. The log's file may still be open for a moment: Chronicle closes it on a thread of its own. */
    private void remove(String id) {
        long deadline = System.nanoTime() + 5_000_000_000L;
        while (true) {
            try {
                data.remove(id);
                return;
            } catch (LogException e) {
                if (e.code() != LogException.Code.BUSY || System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.yield();
            }
        }
    }

    @Test
    void shouldListADamagedRecordingAndRemoveIt() throws IOException {
        try (RecordingBuilder builder = begin()) {
            builder.finish(0, 0);
            Files.writeString(builder.directory().resolve("recording.json"), "");
        }
        assertThat(data.recordings()).singleElement().satisfies(summary -> {
            assertThat(summary.state()).isEqualTo("damaged");
            assertThat(summary.problem()).contains("is empty");
        });
        remove(DataDirectory.LATEST);
        assertThat(data.recordings()).isEmpty();
    }

    @Test
    void shouldNameAnotherVersion() throws IOException {
        try (RecordingBuilder builder = begin()) {
            builder.finish(0, 0);
            Path file = builder.directory().resolve("recording.json");
            Files.writeString(file, Files.readString(file).replaceFirst("\"format\" : \\d+", "\"format\" : 99"));
        }
        assertThatThrownBy(() -> data.open(DataDirectory.LATEST)).hasMessageContaining("format 99");
    }

    @Test
    void shouldChooseTheDataDirectoryByOptionThenEnvironment() {
        Map<String, String> both = Map.of("EREMITE_DATA_DIR", "/a", "XDG_DATA_HOME", "/b", "HOME", "/h");
        assertThat(DataDirectory.locate(Path.of("/o"), both).path()).isEqualTo(Path.of("/o"));
        assertThat(DataDirectory.locate(null, both).path()).isEqualTo(Path.of("/a"));
        assertThat(DataDirectory.locate(null, Map.of("XDG_DATA_HOME", "/b")).path())
                .isEqualTo(Path.of("/b/eremite"));
        assertThat(DataDirectory.locate(null, Map.of("HOME", "/h")).path())
                .isEqualTo(Path.of("/h/.local/share/eremite"));
    }
}
