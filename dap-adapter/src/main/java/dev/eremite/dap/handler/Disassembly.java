package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiValue;
import dev.eremite.dap.session.Session;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.lsp4j.debug.DisassembledInstruction;
import org.eclipse.lsp4j.debug.DisassembledInstructionPresentationHint;

/** Code around an address. Where instructions begin is known from functions, or found by trying. */
final class Disassembly {
    /** Bytes of the longest instruction. */
    private static final int LONGEST = 15;

    private static final int TRIALS = 16;

    /** MI's number for: with raw opcodes and sources, in the order of addresses. */
    private static final String MIXED = " -- 5";

    private final Session session;

    Disassembly(Session session) {
        this.session = session;
    }

    /** That many instructions, beginning at the one so many places behind, or before, the one at the address. */
    List<DisassembledInstruction> around(long address, int first, int count) {
        List<DisassembledInstruction> shown = new ArrayList<>();
        int before = Math.max(0, -first);
        if (before > 0) {
            List<DisassembledInstruction> earlier = before(address, before);
            shown.addAll(earlier.subList(0, Math.min(count, before)));
        }
        int behind = count - shown.size();
        int skipped = Math.max(0, first);
        if (behind > 0) {
            List<DisassembledInstruction> later = from(address, behind + skipped);
            shown.addAll(later.subList(Math.min(skipped, later.size()), Math.min(later.size(), skipped + behind)));
        }
        long next = address;
        while (shown.size() < count) {
            shown.add(invalid(next++));
        }
        return shown;
    }

    private List<DisassembledInstruction> from(long address, int count) {
        long size = (long) count * LONGEST;
        // The end of the code may be near.
        for (; size >= LONGEST; size /= 2) {
            List<DisassembledInstruction> code = range(address, address + size);
            if (!code.isEmpty()) {
                return code.subList(0, Math.min(count, code.size()));
            }
        }
        return range(address, address + 1);
    }

    /** Exactly so many, invalid ones first where code is not known. */
    private List<DisassembledInstruction> before(long address, int count) {
        List<DisassembledInstruction> code = new ArrayList<>(until(address, function(address)));
        for (int i = 0; code.size() < count && i < TRIALS; i++) {
            long start =
                    code.isEmpty() ? address : Addresses.parse(code.getFirst().getAddress());
            List<DisassembledInstruction> more = trial(start);
            if (more.isEmpty()) {
                break;
            }
            code.addAll(0, more);
        }
        long start = code.isEmpty() ? address : Addresses.parse(code.getFirst().getAddress());
        while (code.size() < count) {
            code.addFirst(invalid(--start));
        }
        return code.subList(code.size() - count, code.size());
    }

    private List<DisassembledInstruction> function(long address) {
        try {
            return instructions(session.mi().command("-data-disassemble -a 0x" + Long.toHexString(address) + MIXED));
        } catch (MiException e) {
            // It is in no function.
            return List.of();
        }
    }

    private static List<DisassembledInstruction> until(long address, List<DisassembledInstruction> code) {
        return code.stream()
                .filter(each -> Long.compareUnsigned(Addresses.parse(each.getAddress()), address) < 0)
                .toList();
    }

    /** Instructions that end where the address is, by a start from which that comes out. */
    private List<DisassembledInstruction> trial(long address) {
        for (int back = LONGEST * 4; back > 0; back--) {
            List<DisassembledInstruction> code = range(address - back, address + 1);
            boolean fits = code.stream().anyMatch(each -> Addresses.parse(each.getAddress()) == address);
            if (fits) {
                return until(address, code);
            }
        }
        return List.of();
    }

    private List<DisassembledInstruction> range(long start, long end) {
        try {
            return instructions(session.mi()
                    .command("-data-disassemble -s 0x" + Long.toHexString(start) + " -e 0x" + Long.toHexString(end)
                            + MIXED));
        } catch (MiException e) {
            // A part of it is not mapped.
            return List.of();
        }
    }

    private List<DisassembledInstruction> instructions(MiValue answer) {
        List<DisassembledInstruction> shown = new ArrayList<>();
        for (MiValue each : answer.list("asm_insns")) {
            if (each.has("line_asm_insn")) {
                boolean first = true;
                for (MiValue instruction : each.list("line_asm_insn")) {
                    DisassembledInstruction made = instruction(instruction);
                    if (first && !each.text("fullname").isEmpty()) {
                        made.setLocation(StackRequests.source(each.text("fullname")));
                        made.setLine(session.toClientLine((int) each.number("line", 0)));
                    }
                    first = false;
                    shown.add(made);
                }
            } else {
                shown.add(instruction(each));
            }
        }
        return shown;
    }

    private static DisassembledInstruction instruction(MiValue value) {
        DisassembledInstruction shown = new DisassembledInstruction();
        shown.setAddress("0x" + Long.toHexString(value.number("address", 0)));
        shown.setInstruction(value.text("inst"));
        shown.setInstructionBytes(value.text("opcodes"));
        if (!value.text("func-name").isEmpty()) {
            shown.setSymbol(value.text("func-name") + "+" + value.text("offset"));
        }
        return shown;
    }

    private static DisassembledInstruction invalid(long address) {
        DisassembledInstruction shown = new DisassembledInstruction();
        shown.setAddress("0x" + Long.toHexString(address));
        shown.setInstruction("??");
        shown.setPresentationHint(DisassembledInstructionPresentationHint.INVALID);
        return shown;
    }
}
