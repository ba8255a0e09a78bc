package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiValue;
import dev.eremite.dap.protocol.Call;
import dev.eremite.dap.protocol.RequestFailure;
import dev.eremite.dap.protocol.RequestTable;
import dev.eremite.dap.protocol.RequestTable.Lane;
import dev.eremite.dap.session.Session;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.eclipse.lsp4j.debug.DisassembleArguments;
import org.eclipse.lsp4j.debug.DisassembleResponse;
import org.eclipse.lsp4j.debug.DisassembledInstruction;
import org.eclipse.lsp4j.debug.MemoryEventArguments;
import org.eclipse.lsp4j.debug.ReadMemoryArguments;
import org.eclipse.lsp4j.debug.ReadMemoryResponse;
import org.eclipse.lsp4j.debug.WriteMemoryArguments;
import org.eclipse.lsp4j.debug.WriteMemoryResponse;

/** Memory, as bytes and as code. */
public final class MemoryRequests {
    private static final int MOST_BYTES = 1 << 20;
    private static final int MOST_INSTRUCTIONS = 10_000;

    private final Session session;
    private final Disassembly disassembly;
    private final Changes changes;

    /** Requests of a session. */
    public MemoryRequests(Session session, Changes changes) {
        this.session = session;
        this.changes = changes;
        this.disassembly = new Disassembly(session);
    }

    /** Adds them to a table. */
    public void addTo(RequestTable table) {
        table.on("readMemory", ReadMemoryArguments.class, Lane.VIEW, this::read)
                .on("writeMemory", WriteMemoryArguments.class, this::write)
                .on("disassemble", DisassembleArguments.class, Lane.VIEW, this::disassemble);
    }

    private static long address(String reference, Integer offset) {
        return Addresses.parse(reference) + (offset == null ? 0 : offset);
    }

    private Object read(ReadMemoryArguments arguments, Call call) {
        session.stoppedMi();
        long address = address(arguments.getMemoryReference(), arguments.getOffset());
        int count = arguments.getCount();
        if (count < 0 || count > MOST_BYTES) {
            throw new RequestFailure("readMemory reads from 0 to " + MOST_BYTES + " bytes, not " + count);
        }
        byte[] bytes = count == 0 ? new byte[0] : bytes(address, count);
        ReadMemoryResponse response = new ReadMemoryResponse();
        response.setAddress("0x" + Long.toHexString(address));
        response.setData(Base64.getEncoder().encodeToString(bytes));
        if (bytes.length < count) {
            response.setUnreadableBytes(count - bytes.length);
        }
        return response;
    }

    /** What is readable from the address on. */
    private byte[] bytes(long address, int count) {
        List<MiValue> blocks;
        try {
            blocks = session.mi()
                    .command("-data-read-memory-bytes 0x" + Long.toHexString(address) + " " + count)
                    .list("memory");
        } catch (MiException e) {
            // Nothing there is mapped.
            return new byte[0];
        }
        for (MiValue block : blocks) {
            if (block.number("begin", 0) == address) {
                return HexFormat.of().parseHex(block.text("contents"));
            }
        }
        return new byte[0];
    }

    private Object write(WriteMemoryArguments arguments, Call call) {
        session.stoppedMi();
        long address = address(arguments.getMemoryReference(), arguments.getOffset());
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(arguments.getData());
        } catch (IllegalArgumentException e) {
            throw new RequestFailure("the data is not in base64", e);
        }
        if (bytes.length > 0) {
            session.mi()
                    .command("-data-write-memory-bytes 0x" + Long.toHexString(address) + " "
                            + HexFormat.of().formatHex(bytes));
            MemoryEventArguments event = new MemoryEventArguments();
            event.setMemoryReference(arguments.getMemoryReference());
            event.setOffset(arguments.getOffset() == null ? 0 : arguments.getOffset());
            event.setCount(bytes.length);
            changes.made(call, event);
        }
        WriteMemoryResponse response = new WriteMemoryResponse();
        response.setBytesWritten(bytes.length);
        return response;
    }

    private Object disassemble(DisassembleArguments arguments, Call call) {
        session.stoppedMi();
        long address = address(arguments.getMemoryReference(), arguments.getOffset());
        int first = arguments.getInstructionOffset() == null ? 0 : arguments.getInstructionOffset();
        int count = arguments.getInstructionCount();
        if (count < 0 || count > MOST_INSTRUCTIONS || Math.abs((long) first) > MOST_INSTRUCTIONS) {
            throw new RequestFailure("disassemble gives at most " + MOST_INSTRUCTIONS + " instructions");
        }
        DisassembleResponse response = new DisassembleResponse();
        response.setInstructions(disassembly.around(address, first, count).toArray(DisassembledInstruction[]::new));
        return response;
    }
}
