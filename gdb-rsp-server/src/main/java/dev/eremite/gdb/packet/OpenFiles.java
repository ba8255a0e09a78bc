package dev.eremite.gdb.packet;

import dev.eremite.replay.debug.DebugTarget;
import dev.eremite.replay.debug.DebugTarget.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that a client has open: those that the recording holds, by the path that the guest saw, and
 * {@code /proc/PID/maps}, which GDB's {@code info proc mappings} reads.
 */
final class OpenFiles {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);
    private static final int MAX_OPEN = 64;
    private static final Pattern MAPS = Pattern.compile("/proc/(\\d+)(/task/\\d+)?/maps");
    private static final Pattern EXE = Pattern.compile("/proc/(\\d+)/exe");

    /** Something to read by offset. */
    private sealed interface Content {
        record Stored(FileChannel channel, long modifiedSeconds) implements Content {}

        record Made(byte[] bytes) implements Content {}
    }

    /**
     * What fstat tells.
     *
     * @param inode a number that differs between files
     * @param size in bytes
     * @param modifiedSeconds since the epoch
     */
    record Status(int inode, long size, long modifiedSeconds) {}

    private final DebugTarget target;
    private final Map<Integer, Content> open = new HashMap<>();
    private final Map<Integer, Integer> inodes = new HashMap<>();

    OpenFiles(DebugTarget target) {
        this.target = target;
    }

    /** Opens a file for reading and returns its descriptor. */
    int open(String path) throws FileError, IOException {
        if (open.size() >= MAX_OPEN) {
            throw new FileError(FileError.EMFILE);
        }
        Content content = content(path);
        int descriptor = 3;
        while (open.containsKey(descriptor)) {
            descriptor++;
        }
        open.put(descriptor, content);
        inodes.put(descriptor, path.hashCode() & Integer.MAX_VALUE);
        return descriptor;
    }

    private Content content(String path) throws FileError, IOException {
        Optional<Path> stored = target.file(executable(path).orElse(path));
        if (stored.isPresent()) {
            FileChannel channel = FileChannel.open(stored.get());
            return new Content.Stored(
                    channel, Files.getLastModifiedTime(stored.get()).toMillis() / 1000);
        }
        Matcher maps = MAPS.matcher(path);
        if (maps.matches()) {
            List<MemoryRegion> regions = target.memoryRegions(Integer.parseInt(maps.group(1)));
            if (!regions.isEmpty()) {
                return new Content.Made(maps(regions));
            }
        }
        throw new FileError(FileError.ENOENT);
    }

    /** The program of the process whose link to it the path is, if it is one. */
    private Optional<String> executable(String path) {
        Matcher link = EXE.matcher(path);
        return link.matches() ? Optional.of(target.executable(Integer.parseInt(link.group(1)))) : Optional.empty();
    }

    private static byte[] maps(List<MemoryRegion> regions) {
        StringBuilder text = new StringBuilder();
        for (MemoryRegion region : regions) {
            String rights = region.permissions();
            text.append(Long.toHexString(region.start()))
                    .append('-')
                    .append(Long.toHexString(region.end()))
                    .append(rights.contains("r") ? " r" : " -")
                    .append(rights.contains("w") ? 'w' : '-')
                    .append(rights.contains("x") ? 'x' : '-')
                    .append("p 00000000 00:00 0 ")
                    .append(region.name())
                    .append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Reads at most {@code count} bytes; none at the end of the file. */
    byte[] read(int descriptor, long offset, int count) throws FileError, IOException {
        return switch (content(descriptor)) {
            case Content.Stored stored -> read(stored.channel(), offset, count);
            case Content.Made made -> {
                int from = (int) Math.min(offset, made.bytes().length);
                yield Arrays.copyOfRange(made.bytes(), from, Math.min(from + count, made.bytes().length));
            }
        };
    }

    private static byte[] read(FileChannel channel, long offset, int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count);
        while (buffer.hasRemaining() && channel.read(buffer, offset + buffer.position()) > 0) {
            // Reads are whole except at the end of the file.
        }
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    Status status(int descriptor) throws FileError, IOException {
        int inode = inodes.getOrDefault(descriptor, 0);
        return switch (content(descriptor)) {
            case Content.Stored stored -> new Status(inode, stored.channel().size(), stored.modifiedSeconds());
            case Content.Made made -> new Status(inode, made.bytes().length, 0);
        };
    }

    /** What a symbolic link holds; the recording knows only the one to the executable. */
    String link(String path) throws FileError {
        Optional<String> executable = executable(path);
        if (executable.isPresent()) {
            return executable.get();
        }
        throw new FileError(target.file(path).isPresent() ? FileError.EINVAL : FileError.ENOENT);
    }

    void close(int descriptor) throws FileError, IOException {
        Content content = content(descriptor);
        open.remove(descriptor);
        if (content instanceof Content.Stored stored) {
            stored.channel().close();
        }
    }

    private Content content(int descriptor) throws FileError {
        Content content = open.get(descriptor);
        if (content == null) {
            throw new FileError(FileError.EBADF);
        }
        return content;
    }

    /** Closes all. */
    void close() {
        for (Content content : open.values()) {
            if (content instanceof Content.Stored stored) {
                try {
                    stored.channel().close();
                } catch (IOException e) {
                    LOG.debug("closing a file", e);
                }
            }
        }
        open.clear();
    }
}
