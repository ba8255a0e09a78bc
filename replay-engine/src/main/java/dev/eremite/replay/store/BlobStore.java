package dev.eremite.replay.store;

import dev.eremite.replay.log.LogException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Keeps contents by their SHA-256, for one recording. Its own folder holds all of its blobs, so that it is complete when
 * it is moved elsewhere; they are hard links to the shared folder of the data directory, so that the C library takes
 * its space once. A blob is a read-only file that appears whole or not at all.
 */
public final class BlobStore {
    static final String NAME = "blobs";

    private static final AtomicLong SERIAL = new AtomicLong();
    private static final Set<PosixFilePermission> READ_ONLY = Set.of(PosixFilePermission.OWNER_READ);

    private final Path own;
    private final Path shared;
    private final HashCache cache;
    private final BlobChecksums checksums;
    private final Set<String> present = new HashSet<>();

    BlobStore(Path own, Path shared, HashCache cache, BlobChecksums checksums) {
        this.own = own;
        this.shared = shared;
        this.cache = cache;
        this.checksums = checksums;
    }

    static boolean isName(String text) {
        return text.length() == 64 && text.chars().allMatch(c -> c >= '0' && c <= '9' || c >= 'a' && c <= 'f');
    }

    /**
     * Keeps the content of a file.
     *
     * @return the blob's name: the SHA-256 in 64 hexadecimal digits
     * @throws LogException when the file cannot be read or the blob not be written
     */
    public String put(Path file) {
        try {
            HashCache.Key before = HashCache.Key.of(file);
            BlobContent known = cache.find(before);
            if (known != null && (present.contains(known.name()) || linkFromShared(known, before.size()))) {
                return known.name();
            }
            BlobContent content;
            try (InputStream in = Files.newInputStream(file)) {
                content = store(in);
            }
            if (HashCache.Key.of(file).equals(before)) {
                cache.put(before, content);
            }
            return content.name();
        } catch (IOException e) {
            throw LogException.ofIo("cannot keep a copy of " + file + " in " + own, e);
        }
    }

    /** Keeps those bytes; returns the blob's name. */
    public String put(byte[] content) {
        String name = HexFormat.of().formatHex(sha256().digest(content));
        if (present.contains(name)) {
            return name;
        }
        CRC32C checksum = new CRC32C();
        checksum.update(content);
        BlobContent blob = new BlobContent(name, BlobChecksums.text(checksum));
        try {
            if (!linkFromShared(blob, content.length)) {
                store(new ByteArrayInputStream(content));
            }
            return name;
        } catch (IOException e) {
            throw LogException.ofIo("cannot write a blob to " + own, e);
        }
    }

    /**
     * Keeps a part of a file; where the file ends earlier, what there is.
     *
     * @param offset of the first byte
     * @param length in bytes
     */
    public String putRange(Path file, long offset, long length) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.position(offset);
            return store(new Limited(Channels.newInputStream(channel), length)).name();
        } catch (IOException e) {
            throw LogException.ofIo("cannot keep a copy of " + file + " in " + own, e);
        }
    }

    private static final class Limited extends InputStream {
        private final InputStream in;
        private long left;

        Limited(InputStream in, long left) {
            this.in = in;
            this.left = left;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = left <= 0 ? -1 : in.read(bytes, offset, (int) Math.min(left, length));
            left -= Math.max(count, 0);
            return count;
        }
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /** Hashes and copies in one go, so that name and content agree even while the source changes. */
    private BlobContent store(InputStream in) throws IOException {
        Path temporary = own.resolve("new-" + ProcessHandle.current().pid() + "-" + SERIAL.incrementAndGet());
        try {
            MessageDigest digest = sha256();
            CRC32C checksum = new CRC32C();
            try (OutputStream out =
                    Files.newOutputStream(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                byte[] buffer = new byte[256 << 10];
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    digest.update(buffer, 0, count);
                    checksum.update(buffer, 0, count);
                    out.write(buffer, 0, count);
                }
            }
            Files.setPosixFilePermissions(temporary, READ_ONLY);
            String name = HexFormat.of().formatHex(digest.digest());
            BlobContent content = new BlobContent(name, BlobChecksums.text(checksum));
            if (!present.contains(name) && !linkFromShared(content, Files.size(temporary))) {
                Files.move(temporary, own.resolve(name), StandardCopyOption.ATOMIC_MOVE);
                share(name);
                nowPresent(content);
            }
            return content;
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Makes the own blob known to later recordings, if the file system can. */
    private void share(String name) {
        try {
            Files.createLink(shared.resolve(name), own.resolve(name));
        } catch (IOException | UnsupportedOperationException e) {
            // Another recorder was faster, or there are no hard links: the recording itself has what it needs.
        }
    }

    private void nowPresent(BlobContent content) {
        present.add(content.name());
        checksums.add(content);
    }

    private boolean linkFromShared(BlobContent content, long size) throws IOException {
        Path there = shared.resolve(content.name());
        Path here = own.resolve(content.name());
        if (!Files.exists(there) || Files.size(there) != size) {
            return false;
        }
        try {
            Files.createLink(here, there);
        } catch (FileAlreadyExistsException e) {
            // It is there, as it should be.
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
        nowPresent(content);
        return true;
    }

    /** Removes shared blobs with a single link: each recording that has one holds another link. */
    static void prune(Path blobs) throws IOException {
        if (!Files.isDirectory(blobs)) {
            return;
        }
        try (Stream<Path> entries = Files.list(blobs)) {
            for (Path blob : (Iterable<Path>) entries::iterator) {
                try {
                    if ((int) Files.getAttribute(blob, "unix:nlink") == 1) {
                        Files.deleteIfExists(blob);
                    }
                } catch (NoSuchFileException e) {
                    // Another one prunes at the same time.
                }
            }
        }
    }
}
