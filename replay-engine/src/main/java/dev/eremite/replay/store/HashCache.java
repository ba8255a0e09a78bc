package dev.eremite.replay.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Remembers the hashes of files that have not changed since, so that the C library is not hashed for every recording.
 * One small file for each device and inode, replaced as a whole, so that several recorders may use it at once. A wrong
 * entry does no lasting harm: whoever opens a blob compares its content with its name.
 */
final class HashCache {
    /** A file changed this recently may change again without its times telling. */
    private static final long SETTLED_NS = TimeUnit.SECONDS.toNanos(2);

    private static final AtomicLong SERIAL = new AtomicLong();

    private final Path folder;

    HashCache(Path folder) {
        this.folder = folder;
    }

    /** Identifies a file's content as far as its inode tells. */
    record Key(long device, long inode, long size, long modifiedNs, long changedNs) {
        static Key of(Path file) throws IOException {
            Map<String, Object> is = Files.readAttributes(file, "unix:dev,ino,size,lastModifiedTime,ctime");
            return new Key(
                    (long) is.get("dev"),
                    (long) is.get("ino"),
                    (long) is.get("size"),
                    ((FileTime) is.get("lastModifiedTime")).to(TimeUnit.NANOSECONDS),
                    ((FileTime) is.get("ctime")).to(TimeUnit.NANOSECONDS));
        }

        String fileName() {
            return Long.toHexString(device) + "-" + Long.toHexString(inode);
        }

        String line(String hash) {
            return size + " " + modifiedNs + " " + changedNs + " " + hash + "\n";
        }
    }

    /** The hash of the file with that key, or null. */
    String find(Key key) {
        try {
            Path entry = folder.resolve(key.fileName());
            if (!Files.exists(entry)) {
                return null;
            }
            String line = new String(Files.readAllBytes(entry), StandardCharsets.ISO_8859_1);
            int at = line.lastIndexOf(' ') + 1;
            String hash = line.substring(at).strip();
            return BlobStore.isName(hash) && line.equals(key.line(hash)) ? hash : null;
        } catch (IOException e) {
            // Not found is always a right answer.
            return null;
        }
    }

    /** Remembers the hash of the file with that key, which had it before and after it was read. */
    void put(Key key, String hash) {
        long nowNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        if (nowNs - Math.max(key.modifiedNs(), key.changedNs()) < SETTLED_NS) {
            return;
        }
        Path temporary = folder.resolve("new-" + ProcessHandle.current().pid() + "-" + SERIAL.incrementAndGet());
        try {
            Files.createDirectories(folder);
            Files.writeString(temporary, key.line(hash));
            Files.move(temporary, folder.resolve(key.fileName()), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            // Without the entry the file is read again next time. Where the disk is full, the recording itself will
            // tell.
            delete(temporary);
        }
    }

    private static void delete(Path temporary) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            // It is as harmless as it is useless.
        }
    }
}
