package dev.eremite.replay.timeline;

import dev.eremite.replay.debug.DebugTarget.Breakpoint;
import dev.eremite.replay.debug.DebugTarget.BreakpointKind;
import dev.eremite.tracer.linux.Tracee;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Watched memory as the four debug registers of the processor can hold it: pieces of 1, 2, 4 or 8 aligned bytes (Intel SDM
 * volume 3, "Debug Registers").
 */
final class WatchRegisters {
    private static final int REGISTERS = 4;
    /** The fourth is for finding the places where runs end; without it, that can take a stop at each instruction. */
    private static final int BEST = 3;

    private static final int CONTROL = 7;
    private static final int STATUS = 6;
    private static final int ON_WRITE = 1;
    private static final int ON_ACCESS = 3;

    /** One register's part of a watchpoint. */
    private record Piece(Breakpoint watch, long address, int length) {}

    private final List<Piece> pieces;

    private WatchRegisters(List<Piece> pieces) {
        this.pieces = pieces;
    }

    /** How the watchpoints fit into the registers; empty when they do not, so that code has to be stepped. */
    static Optional<WatchRegisters> of(List<Breakpoint> watches) {
        List<Piece> pieces =
                watches.stream().flatMap(watch -> pieces(watch).stream()).toList();
        return pieces.size() > REGISTERS ? Optional.empty() : Optional.of(new WatchRegisters(pieces));
    }

    private static List<Piece> pieces(Breakpoint watch) {
        List<Piece> pieces = new ArrayList<>();
        long address = watch.address();
        long end = address + watch.length();
        while (address < end) {
            int length = 8;
            while (address % length != 0 || address + length > end) {
                length /= 2;
            }
            pieces.add(new Piece(watch, address, length));
            address += length;
        }
        return pieces;
    }

    /** How many bytes fit well into the registers at most. */
    static int mostBytes() {
        return BEST * Long.BYTES;
    }

    /** Whether the watchpoints fit into the registers and leave one free. */
    static boolean fitWell(Stream<Breakpoint> watches) {
        return watches.mapToInt(watch -> pieces(watch).size()).sum() <= BEST;
    }

    /** A watchpoint in parts, each of which fits well; itself if it does. */
    static List<Breakpoint> cut(Breakpoint watch) {
        List<Piece> pieces = pieces(watch);
        List<Breakpoint> parts = new ArrayList<>();
        for (int i = 0; i < pieces.size(); i += BEST) {
            long start = pieces.get(i).address();
            Piece last = pieces.get(Math.min(i + BEST, pieces.size()) - 1);
            long length = last.address() + last.length() - start;
            parts.add(new Breakpoint(watch.kind(), watch.process(), start, length, watch.conditions()));
        }
        return parts;
    }

    boolean isEmpty() {
        return pieces.isEmpty();
    }

    /** Programs the registers of a stopped task. */
    void arm(Tracee tracee) {
        long control = 0;
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            int kind = piece.watch().kind() == BreakpointKind.WRITE ? ON_WRITE : ON_ACCESS;
            int length = switch (piece.length()) {
                case 1 -> 0;
                case 2 -> 1;
                case 4 -> 3;
                default -> 2;
            };
            tracee.setDebugRegister(i, piece.address());
            control |= 1L << (2 * i) | (long) (kind | length << 2) << (16 + 4 * i);
        }
        tracee.setDebugRegister(CONTROL, control);
    }

    /** Clears the registers of a stopped task. */
    static void disarm(Tracee tracee) {
        tracee.setDebugRegister(CONTROL, 0);
    }

    /** The watchpoints whose registers report a hit; clears the report. */
    List<Breakpoint> hits(Tracee tracee) {
        long status = tracee.debugRegister(STATUS);
        List<Breakpoint> hits = new ArrayList<>();
        for (int i = 0; i < pieces.size(); i++) {
            if ((status >> i & 1) != 0 && !hits.contains(pieces.get(i).watch())) {
                hits.add(pieces.get(i).watch());
            }
        }
        if (status != 0) {
            tracee.setDebugRegister(STATUS, 0);
        }
        return hits;
    }
}
