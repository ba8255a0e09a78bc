package dev.eremite.replay.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where the functions of an ELF file begin: from its unwind tables (.eh_frame), which nearly all compiled code has, and
 * from its symbols.
 */
final class FunctionStarts {
    private static final int SHT_SYMTAB = 2;
    private static final int SHT_DYNSYM = 11;
    private static final int STT_NOTYPE = 0;
    private static final int STT_FUNC = 2;
    private static final int SYMBOL_LENGTH = 24;

    /** DW_EH_PE_… of the Linux Standard Base: the format in the low half, what it is relative to above. */
    private static final int FORMAT = 0x0f;

    private static final int APPLICATION = 0x70;
    private static final int PC_RELATIVE = 0x10;
    private static final int SIGNED_4_DATA_RELATIVE = 0x3b;

    private final ElfFile elf;

    /** Ends of functions by their starts. */
    private final TreeMap<Long, Long> unwound = new TreeMap<>();

    private final TreeMap<Long, Long> named = new TreeMap<>();

    FunctionStarts(ElfFile elf) {
        this.elf = elf;
        try {
            readUnwindTables();
        } catch (IOException | IndexOutOfBoundsException e) {
            unwound.clear();
        }
        try {
            readSymbols();
        } catch (IOException | IndexOutOfBoundsException e) {
            named.clear();
        }
    }

    /** The start of the function that the address is in; −1 when nothing tells. */
    long before(long address) {
        long start = covering(unwound, address);
        return start >= 0 ? start : covering(named, address);
    }

    private static long covering(TreeMap<Long, Long> functions, long address) {
        Map.Entry<Long, Long> entry = functions.floorEntry(address);
        return entry != null && address < entry.getValue() ? entry.getKey() : -1;
    }

    private void readUnwindTables() throws IOException {
        for (ElfFile.Section section : elf.sections()) {
            if (section.name().equals(".eh_frame")) {
                readFrames(elf.read(section), section.address());
                return;
            }
        }
        for (ElfFile.Segment segment : elf.segments()) {
            if (segment.type() == ElfFile.PT_GNU_EH_FRAME) {
                readFrameIndex(segment);
            }
        }
    }

    /** Without section headers, the index for the run-time unwinder tells the functions' starts but not their ends. */
    private void readFrameIndex(ElfFile.Segment segment) throws IOException {
        ByteBuffer index = elf.read(segment.offset(), (int) segment.length());
        int pointer = index.get(1) & FORMAT;
        if (index.get(0) != 1 || (index.get(2) & FORMAT) != 3 || (index.get(3) & 0xff) != SIGNED_4_DATA_RELATIVE) {
            throw new IOException("an unwind index of another form");
        }
        int at = 4 + (pointer == 3 || pointer == 0xb ? 4 : 8);
        int count = index.getInt(at);
        at += 4;
        long last = -1;
        for (int i = 0; i < count; i++, at += 8) {
            long start = segment.address() + index.getInt(at);
            if (last >= 0) {
                unwound.put(last, start);
            }
            last = start;
        }
    }

    private void readFrames(ByteBuffer frames, long address) throws IOException {
        Map<Integer, Integer> encodings = new TreeMap<>();
        int at = 0;
        while (at + 8 <= frames.limit()) {
            int length = frames.getInt(at);
            if (length == 0) {
                at += 4;
                continue;
            }
            if (length < 0) {
                throw new IOException("64-bit unwind tables");
            }
            int back = frames.getInt(at + 4);
            if (back == 0) {
                encodings.put(at, pointerEncoding(frames, at));
            } else {
                Integer encoding = encodings.get(at + 4 - back);
                if (encoding != null) {
                    readFunction(frames, at + 8, address, encoding);
                }
            }
            at += 4 + length;
        }
    }

    private void readFunction(ByteBuffer frames, int at, long address, int encoding) throws IOException {
        boolean relative = (encoding & APPLICATION) == PC_RELATIVE;
        if (!relative && (encoding & APPLICATION) != 0) {
            throw new IOException("an address of an unusual kind");
        }
        long start = value(frames, at, encoding) + (relative ? address + at : 0);
        long length = value(frames, at + size(encoding), encoding & FORMAT);
        if (length > 0) {
            unwound.put(start, start + length);
        }
    }

    private static int size(int encoding) throws IOException {
        return switch (encoding & FORMAT) {
            case 0x0, 0x4, 0xc -> 8;
            case 0x3, 0xb -> 4;
            default -> throw new IOException("an address of an unusual size");
        };
    }

    private static long value(ByteBuffer frames, int at, int encoding) throws IOException {
        if (size(encoding) == 8) {
            return frames.getLong(at);
        }
        boolean signed = (encoding & FORMAT) == 0xb;
        return signed ? frames.getInt(at) : Integer.toUnsignedLong(frames.getInt(at));
    }

    /** How the common entry at that place says that addresses are written: its augmentation 'R'. */
    private static int pointerEncoding(ByteBuffer frames, int entry) throws IOException {
        ByteBuffer in = frames.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(entry + 8);
        int version = in.get();
        StringBuilder augmentation = new StringBuilder();
        for (byte c = in.get(); c != 0; c = in.get()) {
            augmentation.append((char) c);
        }
        skipVariable(in);
        skipVariable(in);
        if (version == 1) {
            in.get();
        } else {
            skipVariable(in);
        }
        if (augmentation.isEmpty() || augmentation.charAt(0) != 'z') {
            return 0;
        }
        skipVariable(in);
        for (char c : augmentation.substring(1).toCharArray()) {
            switch (c) {
                case 'R' -> {
                    return in.get() & 0xff;
                }
                case 'L' -> in.get();
                case 'P' -> {
                    int encoding = in.get() & 0xff;
                    in.position(in.position() + size(encoding));
                }
                default -> {
                    // 'S' and 'B' have no data.
                }
            }
        }
        return 0;
    }

    private static void skipVariable(ByteBuffer in) {
        while (in.get() < 0) {
            // LEB128: the top bit says that more follows.
        }
    }

    private void readSymbols() throws IOException {
        TreeMap<Long, Long> sizes = new TreeMap<>();
        // Labels without a type may name data; they serve only where nobody has given types (small assembly programs).
        readSymbols(STT_FUNC, sizes);
        if (sizes.isEmpty()) {
            readSymbols(STT_NOTYPE, sizes);
        }
        for (Map.Entry<Long, Long> symbol : sizes.entrySet()) {
            long start = symbol.getKey();
            Long next = sizes.higherKey(start);
            long limit = next == null ? sectionEnd(start) : Math.min(next, sectionEnd(start));
            named.put(start, symbol.getValue() == 0 ? limit : Math.min(limit, start + symbol.getValue()));
        }
    }

    private void readSymbols(int wanted, Map<Long, Long> sizes) throws IOException {
        for (ElfFile.Section section : elf.sections()) {
            if (section.type() == SHT_SYMTAB || section.type() == SHT_DYNSYM) {
                readSymbols(elf.read(section), wanted, sizes);
            }
        }
    }

    private void readSymbols(ByteBuffer symbols, int wanted, Map<Long, Long> sizes) {
        for (int at = 0; at + SYMBOL_LENGTH <= symbols.limit(); at += SYMBOL_LENGTH) {
            int type = symbols.get(at + 4) & 0xf;
            int section = symbols.getShort(at + 6) & 0xffff;
            boolean code = section > 0
                    && section < elf.sections().size()
                    && elf.sections().get(section).executable();
            if (code && type == wanted) {
                sizes.merge(symbols.getLong(at + 8), symbols.getLong(at + 16), Math::max);
            }
        }
    }

    private long sectionEnd(long address) {
        for (ElfFile.Section section : elf.sections()) {
            if (section.executable()
                    && address >= section.address()
                    && address < section.address() + section.length()) {
                return section.address() + section.length();
            }
        }
        return address;
    }
}
