package dev.eremite.replay.text;

import dev.eremite.replay.guest.TrappedInstruction;
import dev.eremite.tracer.x86.Decoded;
import dev.eremite.tracer.x86.Flow;
import dev.eremite.tracer.x86.Instruction;
import dev.eremite.tracer.x86.InstructionDecoder;
import dev.eremite.tracer.x86.OpcodeMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the instructions in the text of files whose results a recording has to keep ({@link TrappedInstruction}).
 *
 * <p>Bytes that look like one may be part of a longer instruction or of data. So a place counts only where decoding from
 * the start of its function arrives at it.
 */
public final class TrapScan {
    /** Of what is looked for, and how: to be changed with either. */
    private static final String VERSION = "1";

    private static final int WINDOW = 1 << 20;
    private static final byte ESCAPE = 0x0f;

    private static final int STRAIGHT_LINE = 256;
    private static final int APPROACH = 256;

    /** The longest function that is decoded up to a place. */
    private static final int FUNCTION_LIMIT = 4 << 20;

    /**
     * What was found in a range of a file.
     *
     * @param places offsets in the file of the first opcode bytes (0x0f), ascending
     * @param clockUndecided whether there may be an RDTSC or RDTSCP besides those
     */
    public record Text(long[] places, boolean clockUndecided) {
        /** As a line of text. */
        public String note() {
            StringBuilder note = new StringBuilder().append(VERSION).append(clockUndecided ? " undecided" : " decided");
            for (long place : places) {
                note.append(' ').append(place);
            }
            return note.toString();
        }

        /** From {@link #note}; null when it comes from another version. */
        public static Text ofNote(String note) {
            String[] words = note.split(" ");
            if (words.length < 2 || !words[0].equals(VERSION)) {
                return null;
            }
            long[] places = new long[words.length - 2];
            for (int i = 0; i < places.length; i++) {
                places[i] = Long.parseLong(words[i + 2]);
            }
            return new Text(places, words[1].equals("undecided"));
        }
    }

    /**
     * Looks through a range of a file.
     *
     * @param offset of the range's first byte
     * @param length of the range in bytes; it may reach beyond the file's end
     */
    public static Text scan(Path file, long offset, long length) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return new Scanner(channel).scan(offset, Math.min(length, channel.size() - offset));
        } catch (IOException e) {
            return new Text(new long[0], true);
        }
    }

    private TrapScan() {}

    private static final class Scanner {
        private final FileChannel channel;
        private final List<Long> places = new ArrayList<>();
        private ElfFile elf;
        private FunctionStarts functions;
        private boolean unreadable;
        private boolean clockUndecided;

        Scanner(FileChannel channel) {
            this.channel = channel;
        }

        Text scan(long offset, long length) throws IOException {
            // Windows overlap by what an instruction's opcode needs beyond its first byte.
            int overlap = 2;
            byte[] window = new byte[Math.clamp(length, 0, WINDOW)];
            for (long at = 0; at < length; at += window.length - overlap) {
                int count = read(offset + at, window, (int) Math.min(window.length, length - at));
                look(window, count, offset + at);
                if (at + count >= length) {
                    break;
                }
            }
            return new Text(
                    places.stream().mapToLong(Long::longValue).distinct().toArray(), clockUndecided);
        }

        private int read(long offset, byte[] into, int length) throws IOException {
            ByteBuffer buffer = ByteBuffer.wrap(into, 0, length);
            while (buffer.hasRemaining() && channel.read(buffer, offset + buffer.position()) > 0) {
                // Short reads go on.
            }
            Arrays.fill(into, buffer.position(), length, (byte) 0);
            return length;
        }

        private void look(byte[] window, int count, long offset) throws IOException {
            for (int i = 0; i + 1 < count; i++) {
                if (window[i] == ESCAPE) {
                    TrappedInstruction found = TrappedInstruction.ofOpcode(window, i, count);
                    if (found != null) {
                        decide(found, offset + i);
                    }
                }
            }
        }

        private void decide(TrappedInstruction found, long offset) throws IOException {
            Boolean real = isInstruction(offset);
            if (real == null) {
                clockUndecided |= found.readsClock();
            } else if (real) {
                places.add(offset);
            }
        }

        /** Whether an instruction's opcode begins there; null when nothing tells. */
        private Boolean isInstruction(long offset) throws IOException {
            if (elf == null && !unreadable) {
                try {
                    elf = new ElfFile(channel);
                    functions = new FunctionStarts(elf);
                } catch (IOException | RuntimeException e) {
                    unreadable = true;
                }
            }
            if (unreadable) {
                return null;
            }
            long address = elf.address(offset);
            long start = functions.before(address);
            if (start < 0) {
                boolean data = outsideOfCode(address) || runsIntoNonsense(offset);
                return data || isInsideOfOthers(offset) ? Boolean.FALSE : null;
            }
            if (address - start > FUNCTION_LIMIT) {
                return null;
            }
            byte[] code = new byte[(int) (address - start) + InstructionDecoder.MAX_LENGTH];
            read(elf.offset(start), code, code.length);
            int at = 0;
            while (start + at <= address) {
                Decoded decoded = InstructionDecoder.decode(code, at, start + at);
                if (!(decoded instanceof Instruction instruction)) {
                    return null;
                }
                int length = instruction.length();
                if (start + at + length > address) {
                    boolean twoByte = instruction.map() == OpcodeMap.MAP_0F && !instruction.vector();
                    return twoByte && !instruction.repeated() && start + at + instruction.opcodeOffset() - 1 == address;
                }
                at += length;
            }
            return null;
        }

        /** Whether what follows in a straight line, before it branches away, is what no program contains: so it is data. */
        private boolean runsIntoNonsense(long offset) throws IOException {
            byte[] code = new byte[STRAIGHT_LINE + InstructionDecoder.MAX_LENGTH];
            read(offset, code, code.length);
            for (int at = 0; at < STRAIGHT_LINE; ) {
                if (!(InstructionDecoder.decode(code, at, at) instanceof Instruction instruction)) {
                    return true;
                }
                if (instruction.map() == OpcodeMap.ONE_BYTE && isForKernels(instruction)) {
                    return true;
                }
                if (instruction.flow().endsBlock()) {
                    return false;
                }
                at += instruction.length();
            }
            return false;
        }

        /** Loads of segment registers, I/O and far jumps; not HLT, with which some programs end what never returns. */
        private static boolean isForKernels(Instruction instruction) {
            int movToSegment = 0x8e;
            int int1 = 0xf1;
            int hlt = 0xf4;
            return instruction.opcode() == movToSegment
                    || instruction.opcode() == int1
                    || instruction.flow() == Flow.FAR_TRANSFER
                    || instruction.flow() == Flow.PRIVILEGED && instruction.opcode() != hlt;
        }

        /**
         * Whether decoding from many places before it never finds an instruction there. From wherever it starts, decoding
         * falls into step with the code after a few instructions.
         */
        private boolean isInsideOfOthers(long offset) throws IOException {
            int before = (int) Math.min(offset, APPROACH);
            byte[] code = new byte[before + InstructionDecoder.MAX_LENGTH];
            read(offset - before, code, code.length);
            for (int start = 0; start < Math.min(before, APPROACH / 4); start++) {
                int at = start;
                while (at < before) {
                    at += InstructionDecoder.decode(code, at, at) instanceof Instruction i ? i.length() : 1;
                }
                if (at == before) {
                    return false;
                }
            }
            return before > 0;
        }

        private boolean outsideOfCode(long address) {
            if (elf.sections().isEmpty()) {
                return false;
            }
            for (ElfFile.Section section : elf.sections()) {
                if (section.executable()
                        && address >= section.address()
                        && address < section.address() + section.length()) {
                    return false;
                }
            }
            return true;
        }
    }
}
