package dev.eremite.cli.dap;

import dev.eremite.dap.Backend;
import dev.eremite.dap.DapSession;
import dev.eremite.replay.store.DataDirectory;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

/** Serves clients of the Debug Adapter Protocol: one on the standard streams, or many on a port. */
public final class DapServer {
    private static final int WAITING = 16;

    private final Backend backend;

    /** A server for the recordings of a folder. */
    public DapServer(DataDirectory directory) {
        this.backend = new EngineBackend(directory);
    }

    /** Serves the client that started this process, until it leaves. */
    public void serveStandardStreams() {
        BufferedOutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out));
        // Whatever else is printed must not come between the messages.
        System.setOut(System.err);
        AtomicBoolean over = new AtomicBoolean();
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> endWell(over.get())));
        DapSession.serve(
                new BufferedInputStream(new FileInputStream(FileDescriptor.in)), out, backend, () -> over.set(true));
    }

    /** Editors end a session and then interrupt its adapter, and show any other status than 0 as a failure. */
    private static void endWell(boolean over) {
        if (over) {
            Runtime.getRuntime().halt(0);
        }
    }

    /**
     * Serves clients on a port of the loopback interface, each with a session of its own, until this process is ended.
     *
     * @param port 1…65535, or 0 for any free one
     * @param bound is told the port
     * @throws IOException if it cannot be had
     */
    public void serve(int port, IntConsumer bound) throws IOException {
        try (ServerSocket server = new ServerSocket(port, WAITING, InetAddress.getLoopbackAddress())) {
            bound.accept(server.getLocalPort());
            while (true) {
                Socket client = server.accept();
                Thread.ofPlatform().name("dap-client").daemon().start(() -> serve(client));
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            DapSession.serve(
                    new BufferedInputStream(client.getInputStream()),
                    new BufferedOutputStream(client.getOutputStream()),
                    backend,
                    () -> {});
        } catch (IOException e) {
            // The client is gone, and its session has ended.
            System.err.println("eremite: a client was lost: " + e.getMessage());
        }
    }
}
