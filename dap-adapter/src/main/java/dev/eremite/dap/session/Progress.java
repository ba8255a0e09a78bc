package dev.eremite.dap.session;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.lsp4j.debug.ProgressEndEventArguments;
import org.eclipse.lsp4j.debug.ProgressStartEventArguments;
import org.eclipse.lsp4j.debug.ProgressUpdateEventArguments;

/** Tells the client of movements that take long. What takes less than a moment is not mentioned. */
final class Progress {
    private static final int SILENT_MS = 600;
    private static final int UPDATE_MS = 1000;

    private final Session session;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().name("dap-progress").daemon().unstarted(task));
    private ScheduledFuture<?> ticking;
    private String title;
    private int request;
    private long started;
    private boolean shown;
    private int number;

    Progress(Session session) {
        this.session = session;
    }

    /** The identifier of what goes on now; empty if nothing is shown. From any thread. */
    synchronized String id() {
        return shown ? "eremite-" + number : "";
    }

    synchronized void begin(String what, int sequence) {
        end();
        if (clock.isShutdown() || !session.client(args -> args.getSupportsProgressReporting())) {
            return;
        }
        title = what;
        request = sequence;
        started = System.nanoTime();
        number++;
        ticking = clock.scheduleAtFixedRate(this::tick, SILENT_MS, UPDATE_MS, TimeUnit.MILLISECONDS);
    }

    private synchronized void tick() {
        if (ticking == null) {
            return;
        }
        if (!shown) {
            shown = true;
            ProgressStartEventArguments start = new ProgressStartEventArguments();
            start.setProgressId(id());
            start.setTitle(title);
            start.setCancellable(true);
            if (request >= 0) {
                start.setRequestId(request);
            }
            session.connection().event("progressStart", start);
            return;
        }
        ProgressUpdateEventArguments update = new ProgressUpdateEventArguments();
        update.setProgressId(id());
        update.setMessage((System.nanoTime() - started) / 1_000_000_000 + " s");
        session.connection().event("progressUpdate", update);
    }

    /** Ends the clock too; nothing is shown from now on. Also twice. */
    synchronized void close() {
        end();
        clock.shutdownNow();
    }

    synchronized void end() {
        if (ticking != null) {
            ticking.cancel(false);
            ticking = null;
        }
        if (shown) {
            ProgressEndEventArguments end = new ProgressEndEventArguments();
            end.setProgressId(id());
            shown = false;
            session.connection().event("progressEnd", end);
        }
    }
}
