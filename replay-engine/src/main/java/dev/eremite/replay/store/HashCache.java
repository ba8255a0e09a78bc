package dev.eremite.replay.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Remembers the hashes of files that have not changed since, so that the C library is not hashed for every recording: a
 * note for each device and inode. A wrong entry does no lasting harm: whoever opens a blob compares its content with its
 * name.
 */
final class HashCache {
    /** A file changed this recently may change again without its times telling. */
    private static final long SETTLED_NS = TimeUnit.SECONDS.toNanos(2);

    private final NoteCache notes;

    HashCache(Path folder) {
        notes = new NoteCache(folder);
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

        String note(BlobContent content) {
            return size + " " + modifiedNs + " " + changedNs + " " + content.checksum() + " " + content.name();
        }
    }

    /** The hashes of the file with that key, or null. */
    BlobContent find(Key key) {
        String note = notes.find(key.fileName());
        String[] words = note == null ? new String[0] : note.split(" ");
        if (words.length < 2 || !BlobStore.isName(words[words.length - 1])) {
            return null;
        }
        BlobContent content = new BlobContent(words[words.length - 1], words[words.length - 2]);
        return note.equals(key.note(content)) ? content : null;
    }

    /** Remembers the hashes of the file with that key, which had it before and after it was read. */
    void put(Key key, BlobContent content) {
        long nowNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        if (nowNs - Math.max(key.modifiedNs(), key.changedNs()) >= SETTLED_NS) {
            notes.put(key.fileName(), key.note(content));
        }
    }
}
