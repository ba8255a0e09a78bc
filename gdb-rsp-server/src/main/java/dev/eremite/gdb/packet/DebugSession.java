package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.Hex;
import dev.eremite.gdb.codec.PacketCursor;
import dev.eremite.gdb.codec.PacketException;
import dev.eremite.gdb.registers.RegisterTable;
import dev.eremite.gdb.registers.TargetDescription;
import dev.eremite.replay.debug.DebugTarget;
import dev.eremite.replay.debug.DebugTarget.ThreadInfo;
import dev.eremite.replay.debug.Stop;
import dev.eremite.replay.debug.ThreadRegisters;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one client has asked for and set so far, and the packets it may send. Except for the constructor, everything
 * runs on the target's thread.
 */
public final class DebugSession {
    /** The longest packet that clients should send, as announced to them, in bytes. */
    static final int PACKET_SIZE = 0x20000;

    private static final Logger LOG = LoggerFactory.getLogger(DebugSession.class);
    private static final int RESULT_PIECE = PACKET_SIZE / 4;
    private static final PacketTable PACKETS = packets();

    private final DebugTarget target;
    private final Consumer<byte[]> console;
    private final Breakpoints breakpoints;
    private final OpenFiles files;
    private final SymbolRequests symbols = new SymbolRequests();
    private final EndOfHistory end = new EndOfHistory();
    private final Map<Integer, ThreadRegisters> cachedRegisters = new HashMap<>();
    private ClientFeatures features = ClientFeatures.NONE;
    private ThreadId generalThread = ThreadId.ANY_THREAD;
    private ThreadId controlThread = ThreadId.ANY_THREAD;
    private RegisterTable table;
    private TargetDescription description;

    /**
     * A session of a client that has just connected.
     *
     * @param console takes {@code O} packets, which show text to the user before the reply comes
     */
    public DebugSession(DebugTarget target, Consumer<byte[]> console) {
        this.target = target;
        this.console = console;
        this.breakpoints = new Breakpoints(this);
        this.files = new OpenFiles(target);
    }

    private static PacketTable packets() {
        PacketTable table = new PacketTable();
        GeneralPackets.addTo(table);
        ThreadPackets.addTo(table);
        RegisterPackets.addTo(table);
        MemoryPackets.addTo(table);
        SearchPackets.addTo(table);
        ResumePackets.addTo(table);
        BreakpointPackets.addTo(table);
        TransferPackets.addTo(table);
        FilePackets.addTo(table);
        LifecyclePackets.addTo(table);
        SymbolPackets.addTo(table);
        return table;
    }

    /**
     * Whether a packet may keep the target busy, so that the user may want to interrupt it: movements and engine
     * commands. Needs no session and may be asked from any thread.
     */
    public static boolean mayRunLong(byte[] payload) {
        return ResumePackets.isMovement(payload) || isMonitorCommand(payload);
    }

    /** Whether a packet is answered by a stop. May be asked from any thread. */
    public static boolean isMovement(byte[] payload) {
        return ResumePackets.isMovement(payload);
    }

    /** Whether a packet is a command for the engine, which may print before it is answered. May be asked from any thread. */
    public static boolean isMonitorCommand(byte[] payload) {
        return PacketTable.name(payload).equals("qRcmd");
    }

    /** Obeys a packet. Never throws: whatever goes wrong becomes an error reply. */
    public Reply handle(byte[] payload) {
        String name = PacketTable.name(payload);
        try {
            PacketCursor arguments = new PacketCursor(payload);
            arguments.bytes(name.length());
            return PACKETS.handler(name)
                    .map(handler -> handler.handle(arguments, this))
                    .orElse(Reply.UNSUPPORTED);
        } catch (PacketException e) {
            LOG.debug("packet {}: {}", name, e.getMessage());
            return failure(payload, e.code(), e.getMessage());
        } catch (RuntimeException | Error e) {
            // One bad request, or a fault of the engine, must not take the other threads' debugging away.
            LOG.warn("packet {} failed", name, e);
            cachedRegisters.clear();
            return failure(payload, PacketException.FAILED, String.valueOf(e.getMessage()));
        }
    }

    /** Answers a movement that is interrupted before it begins. */
    public Reply stay() {
        return StopReply.moved(target.stay(), this);
    }

    private Reply failure(byte[] payload, int code, String message) {
        if (ResumePackets.isMovement(payload)) {
            // GDB prints no text for an error in place of a stop.
            show("eremite: " + message + "\n");
        }
        return Reply.error(code, message.replaceAll("[\r\n]+", " "), features.errorText());
    }

    /** Undoes what the client set up; the position stays. Called once, after its last packet. */
    public void close() {
        attempt("remove breakpoints", breakpoints::clear);
        attempt("close files", files::close);
        attempt("report all signals again", () -> target.passSignals(Set.of()));
        attempt("tell nothing of processes", () -> target.tell(Set.of()));
        if (target.canCatchSyscalls()) {
            attempt("catch no system calls", () -> target.catchSyscalls(null));
        }
    }

    private static void attempt(String what, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LOG.warn("after a client left: cannot {}", what, e);
        }
    }

    /** Shows text to the user before the reply. */
    void show(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; at += RESULT_PIECE) {
            byte[] piece = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + RESULT_PIECE));
            console.accept(("O" + Hex.encode(piece)).getBytes(StandardCharsets.US_ASCII));
        }
    }

    DebugTarget target() {
        return target;
    }

    EndOfHistory end() {
        return end;
    }

    Breakpoints breakpoints() {
        return breakpoints;
    }

    OpenFiles files() {
        return files;
    }

    SymbolRequests symbols() {
        return symbols;
    }

    ClientFeatures features() {
        return features;
    }

    void features(ClientFeatures announced) {
        features = announced;
        target.tell(announced.processEvents());
    }

    void generalThread(ThreadId thread) {
        generalThread = thread;
    }

    void controlThread(ThreadId thread) {
        controlThread = thread;
    }

    /** The thread whose registers and data the client means: the selected one, else the one that stopped. */
    int dataThread() {
        if (generalThread.single()) {
            return generalThread.thread();
        }
        Stop stop = target.current();
        if (generalThread.process() <= 0 || generalThread.process() == stop.process()) {
            return stop.thread();
        }
        return anyThread(generalThread.process());
    }

    /** Some thread of a process that exists here. */
    int anyThread(int process) {
        return target.threads().stream()
                .filter(info -> info.process() == process)
                .findFirst()
                .orElseThrow(() -> new PacketException(PacketException.ABSENT, "no process " + process + " here"))
                .thread();
    }

    /** The process whose memory, files and breakpoints the client means: that of the selected thread. */
    int dataProcess() {
        if (generalThread.process() > 0) {
            return generalThread.process();
        }
        return generalThread.single()
                ? thread(generalThread.thread()).process()
                : target.current().process();
    }

    /** The thread that a step without a thread of its own means. */
    int stepThread() {
        return controlThread.single()
                ? controlThread.thread()
                : target.current().thread();
    }

    /** A thread that exists here. */
    ThreadInfo thread(int thread) {
        return target.threads().stream()
                .filter(info -> info.thread() == thread)
                .findFirst()
                .orElseThrow(() -> new PacketException(PacketException.ABSENT, "no thread " + thread + " here"));
    }

    /** The registers of a thread; kept until something moves or writes. */
    ThreadRegisters registers(int thread) {
        ThreadRegisters known = cachedRegisters.get(thread);
        if (known == null) {
            try {
                known = target.registers(thread);
            } catch (RuntimeException e) {
                // A client may go on asking for a thread that does not exist at the present place.
                thread(thread);
                throw e;
            }
            cachedRegisters.put(thread, known);
        }
        return known;
    }

    /** The register table, which is the same for the whole recording. */
    RegisterTable table() {
        if (table == null) {
            table = new RegisterTable(registers(target.current().thread()).layout());
        }
        return table;
    }

    TargetDescription description() {
        if (description == null) {
            description = new TargetDescription(table());
        }
        return description;
    }

    /** Runs what may change registers or the position. */
    <T> T changing(Supplier<T> action) {
        cachedRegisters.clear();
        try {
            return action.get();
        } finally {
            cachedRegisters.clear();
        }
    }

    /** Moves and words the stop. */
    Reply move(DebugTarget.Movement movement) {
        long before = target.current().event();
        Stop stop = changing(() -> target.move(movement));
        String notice = target.takeNotice();
        show(notice);
        boolean silent = stop.event() == before && notice.isEmpty();
        return StopReply.moved(end.answer(stop, movement, silent, this), this);
    }
}
