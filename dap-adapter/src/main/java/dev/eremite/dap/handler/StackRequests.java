package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiFrame;
import dev.eremite.dap.mi.MiThread;
import dev.eremite.dap.mi.MiValue;
import dev.eremite.dap.protocol.Call;
import dev.eremite.dap.protocol.RequestTable;
import dev.eremite.dap.protocol.RequestTable.Lane;
import dev.eremite.dap.session.Frames;
import dev.eremite.dap.session.Session;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.lsp4j.debug.Source;
import org.eclipse.lsp4j.debug.SourcePresentationHint;
import org.eclipse.lsp4j.debug.StackFrame;
import org.eclipse.lsp4j.debug.StackFramePresentationHint;
import org.eclipse.lsp4j.debug.StackTraceArguments;
import org.eclipse.lsp4j.debug.StackTraceResponse;
import org.eclipse.lsp4j.debug.Thread;
import org.eclipse.lsp4j.debug.ThreadsResponse;

/** Threads and their stacks. */
public final class StackRequests {
    /** Deeper stacks are said to be as deep as this, or as the client asks. */
    private static final int MOST_COUNTED = 1000;

    private static final int MOST_AT_ONCE = 200;

    private final Session session;
    private final Frames frames;
    private List<MiThread> lastThreads = List.of();

    /** Requests of a session. */
    public StackRequests(Session session, Frames frames) {
        this.session = session;
        this.frames = frames;
    }

    /** Adds them to a table. */
    public void addTo(RequestTable table) {
        table.on("threads", Void.class, Lane.VIEW, (arguments, call) -> threads())
                .on("stackTrace", StackTraceArguments.class, Lane.VIEW, this::stackTrace);
    }

    private Object threads() {
        // While something moves, those of the last stop are as good as any.
        if (!session.execution().running()) {
            lastThreads = session.mi().command("-thread-info").list("threads").stream()
                    .map(MiThread::of)
                    .sorted((one, other) -> Integer.compare(one.id(), other.id()))
                    .toList();
        }
        ThreadsResponse response = new ThreadsResponse();
        response.setThreads(lastThreads.stream().map(StackRequests::thread).toArray(Thread[]::new));
        return response;
    }

    private static Thread thread(MiThread known) {
        Thread thread = new Thread();
        thread.setId(known.id());
        thread.setName(known.name().isEmpty() ? known.target() : known.name() + " (" + known.target() + ")");
        return thread;
    }

    private Object stackTrace(StackTraceArguments arguments, Call call) {
        int thread = arguments.getThreadId();
        int first = arguments.getStartFrame() == null ? 0 : Math.max(0, arguments.getStartFrame());
        int wanted = arguments.getLevels() == null || arguments.getLevels() <= 0 ? MOST_AT_ONCE : arguments.getLevels();
        int last = (int) Math.min(Integer.MAX_VALUE - 1L, (long) first + Math.min(wanted, MOST_AT_ONCE) - 1);
        String of = " --thread " + thread + " ";
        int most = Math.max(MOST_COUNTED, first == 0 ? 0 : last + 1);
        int depth = (int)
                session.stoppedMi().command("-stack-info-depth" + of + most).number("depth", 0);
        List<StackFrame> shown = new ArrayList<>();
        if (first < depth) {
            for (MiValue value : session.mi()
                    .command("-stack-list-frames" + of + first + " " + last)
                    .list("stack")) {
                shown.add(frame(new Frames.Place(thread, MiFrame.of(value))));
            }
        }
        StackTraceResponse response = new StackTraceResponse();
        response.setStackFrames(shown.toArray(StackFrame[]::new));
        response.setTotalFrames(Math.max(depth, first + shown.size()));
        return response;
    }

    private StackFrame frame(Frames.Place place) {
        MiFrame known = place.frame();
        StackFrame frame = new StackFrame();
        frame.setId(frames.add(place));
        frame.setName(known.function().isEmpty() ? "0x" + Long.toHexString(known.address()) : known.function());
        frame.setInstructionPointerReference("0x" + Long.toHexString(known.address()));
        frame.setCanRestart(true);
        if (known.path().isEmpty()) {
            frame.setPresentationHint(StackFramePresentationHint.SUBTLE);
            frame.setColumn(0);
            frame.setLine(0);
        } else {
            frame.setSource(source(known.path()));
            frame.setLine(session.toClientLine(known.line()));
            frame.setColumn(session.toClientLine(1));
        }
        return frame;
    }

    /** A source file by its path, whether or not it exists here. */
    static Source source(String path) {
        Source source = new Source();
        source.setName(path.substring(path.lastIndexOf('/') + 1));
        source.setPath(path);
        if (!Files.isRegularFile(Path.of(path))) {
            // Clients then show the first caller whose source is here, instead of a library's missing file.
            source.setPresentationHint(SourcePresentationHint.DEEMPHASIZE);
        }
        return source;
    }
}
