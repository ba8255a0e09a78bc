package dev.eremite.cli.dap;

import dev.eremite.dap.DapSession;
import dev.eremite.replay.store.DataDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A short session with the latest recording, for the AOT cache: what editors ask for between F5 and the first steps. */
public final class DapTraining {
    private static final int PIPE = 1 << 16;
    private static final int STEP_MS = 5000;
    private static final String REFUSED = "\"success\":false";

    private final DataDirectory directory;
    private final Heard heard = new Heard();
    private int sequence;

    /** A session with the latest recording of a folder. */
    public DapTraining(DataDirectory directory) {
        this.directory = directory;
    }

    /** Runs it; whatever fails is told and does no harm. */
    public void run(PrintWriter out) {
        try (PipedInputStream in = new PipedInputStream(PIPE);
                PipedOutputStream requests = new PipedOutputStream(in)) {
            Thread server = Thread.ofPlatform()
                    .daemon()
                    .start(() -> DapSession.serve(in, heard, new EngineBackend(directory), () -> {}));
            ask(requests, "initialize", "{\"adapterID\":\"training\"}", "\"command\":\"initialize\"");
            ask(requests, "launch", "{\"recording\":\"latest\",\"stopAt\":\"start\"}", "\"event\":\"initialized\"");
            ask(
                    requests,
                    "setBreakpoints",
                    "{\"source\":{\"path\":\"/training.c\"},\"breakpoints\":[{\"line\":1}]}",
                    "\"command\":\"setBreakpoints\"");
            ask(requests, "configurationDone", "{}", "\"event\":\"stopped\"");
            ask(requests, "threads", "{}", "\"command\":\"threads\"");
            ask(requests, "stackTrace", "{\"threadId\":1}", "\"command\":\"stackTrace\"");
            ask(requests, "scopes", "{\"frameId\":1}", "\"command\":\"scopes\"");
            ask(requests, "variables", "{\"variablesReference\":1}", "\"command\":\"variables\"");
            String step = "{\"threadId\":1,\"granularity\":\"instruction\"}";
            ask(requests, "next", step, "\"event\":\"stopped\"");
            ask(requests, "stepBack", step, "\"event\":\"stopped\"");
            ask(requests, "eremite/position", "{}", "\"command\":\"eremite/position\"");
            ask(requests, "disconnect", "{}", "\"command\":\"disconnect\"");
            server.join(STEP_MS);
            out.println("[dap]: " + heard.size() + " bytes");
        } catch (IOException e) {
            out.println("[dap]: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask(OutputStream requests, String command, String arguments, String answer)
            throws IOException, InterruptedException {
        String request = "{\"seq\":" + ++sequence + ",\"type\":\"request\",\"command\":\"" + command
                + "\",\"arguments\":" + arguments + "}";
        heard.expect(answer);
        requests.write(("Content-Length: " + request.length() + "\r\n\r\n" + request).getBytes(StandardCharsets.UTF_8));
        requests.flush();
        heard.await();
    }

    /** What the server has said since the last question. */
    private static final class Heard extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private String expected = "";
        private int total;

        @Override
        public synchronized void write(int b) {
            bytes.write(b);
            total++;
        }

        @Override
        public synchronized void write(byte[] source, int offset, int length) {
            bytes.write(source, offset, length);
            total += length;
            notifyAll();
        }

        synchronized int size() {
            return total;
        }

        synchronized void expect(String text) {
            bytes.reset();
            expected = text;
        }

        /** Waits for what is expected, or a refusal: without gdb there is nothing else to come. */
        synchronized void await() throws IOException, InterruptedException {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STEP_MS);
            for (String text = text(); !text.contains(expected) && !text.contains(REFUSED); text = text()) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    throw new IOException("no " + expected + " within " + STEP_MS + " ms");
                }
                wait(left);
            }
        }

        private String text() {
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }
}
