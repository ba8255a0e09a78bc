package dev.eremite.replay.text;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/** The tables of a 64-bit ELF file (elf(5)). What does not hold together is an IOException. */
final class ElfFile {
    static final int PT_LOAD = 1;
    static final int PT_GNU_EH_FRAME = 0x6474e550;
    static final int PF_X = 1;

    private static final int HEADER_LENGTH = 64;
    private static final int SEGMENT_LENGTH = 56;
    private static final int SECTION_LENGTH = 64;

    private final FileChannel channel;
    private final List<Segment> segments = new ArrayList<>();
    private final List<Section> sections = new ArrayList<>();

    /** A program header. */
    record Segment(int type, int flags, long offset, long address, long length) {}

    /** A section header; the name is not needed where the type tells enough. */
    record Section(String name, int type, long flags, long address, long offset, long length) {
        boolean executable() {
            int execInstr = 4;
            return (flags & execInstr) != 0;
        }
    }

    ElfFile(FileChannel channel) throws IOException {
        this.channel = channel;
        ByteBuffer header = read(0, HEADER_LENGTH);
        boolean elf64 = header.getInt(0) == 0x464c457f && header.get(4) == 2;
        if (!elf64) {
            throw new IOException("not a 64-bit ELF file");
        }
        ByteBuffer table = read(header.getLong(32), header.getShort(56) * SEGMENT_LENGTH);
        for (int at = 0; at < table.limit(); at += SEGMENT_LENGTH) {
            segments.add(new Segment(
                    table.getInt(at),
                    table.getInt(at + 4),
                    table.getLong(at + 8),
                    table.getLong(at + 16),
                    table.getLong(at + 32)));
        }
        readSections(header.getLong(40), header.getShort(60) & 0xffff, header.getShort(62) & 0xffff);
    }

    private void readSections(long offset, int count, int names) throws IOException {
        if (offset == 0 || count == 0 || names >= count) {
            return;
        }
        ByteBuffer table = read(offset, count * SECTION_LENGTH);
        ByteBuffer strings =
                read(table.getLong(names * SECTION_LENGTH + 24), checked(table.getLong(names * SECTION_LENGTH + 32)));
        for (int at = 0; at < table.limit(); at += SECTION_LENGTH) {
            sections.add(new Section(
                    string(strings, table.getInt(at)),
                    table.getInt(at + 4),
                    table.getLong(at + 8),
                    table.getLong(at + 16),
                    table.getLong(at + 24),
                    table.getLong(at + 32)));
        }
    }

    private static String string(ByteBuffer strings, int at) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = at; i >= 0 && i < strings.limit(); i++) {
            if (strings.get(i) == 0) {
                return text.toString();
            }
            text.append((char) (strings.get(i) & 0xff));
        }
        throw new IOException("a name outside of its table");
    }

    List<Segment> segments() {
        return segments;
    }

    List<Section> sections() {
        return sections;
    }

    /** The address at which the byte at that place of the file is linked; −1 where it is not loaded. */
    long address(long offset) {
        for (Segment s : segments) {
            if (s.type == PT_LOAD && offset >= s.offset && offset < s.offset + s.length) {
                return s.address + (offset - s.offset);
            }
        }
        return -1;
    }

    /** Where the byte that is linked at the address lies in the file. */
    long offset(long address) throws IOException {
        for (Segment s : segments) {
            if (s.type == PT_LOAD && address >= s.address && address < s.address + s.length) {
                return s.offset + (address - s.address);
            }
        }
        throw new IOException("an address that is not in the file");
    }

    /** Bytes of the file, little-endian. */
    ByteBuffer read(long offset, int length) throws IOException {
        if (offset < 0 || length < 0 || offset + length > channel.size()) {
            throw new EOFException("a table beyond the end of the file");
        }
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, offset + bytes.position()) < 0) {
                throw new EOFException("the file has become shorter");
            }
        }
        return bytes.flip();
    }

    ByteBuffer read(Section section) throws IOException {
        return read(section.offset, checked(section.length));
    }

    private static int checked(long length) throws IOException {
        if (length < 0 || length > Integer.MAX_VALUE - 16) {
            throw new IOException("a table too long");
        }
        return (int) length;
    }
}
