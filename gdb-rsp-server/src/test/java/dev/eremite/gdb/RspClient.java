package dev.eremite.gdb;

import dev.eremite.gdb.codec.Incoming;
import dev.eremite.gdb.codec.PacketDecoder;
import dev.eremite.gdb.codec.PacketEncoder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;

/** A bare client that says exactly what a test wants. */
final class RspClient implements AutoCloseable {
    private static final int TIMEOUT_MS = 10_000;

    final Socket socket;
    private final PacketDecoder decoder = new PacketDecoder();
    private final Queue<Incoming> received = new ArrayDeque<>();

    RspClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MS);
        socket.setTcpNoDelay(true);
    }

    void raw(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    void packet(String payload) throws IOException {
        socket.getOutputStream().write(PacketEncoder.encode(payload.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** The next packet, acknowledgement or rejection; null when the server has hung up. */
    Incoming next() throws IOException {
        byte[] buffer = new byte[1 << 16];
        while (received.isEmpty()) {
            int count = read(buffer);
            if (count < 0) {
                return null;
            }
            received.addAll(decoder.feed(Arrays.copyOf(buffer, count)));
        }
        return received.remove();
    }

    private int read(byte[] buffer) throws IOException {
        try {
            return socket.getInputStream().read(buffer);
        } catch (SocketException e) {
            // Reset: the server hung up before it had read everything.
            return -1;
        }
    }

    /** The payload of the next packet, skipping acknowledgements. */
    String reply() throws IOException {
        while (true) {
            Incoming next = next();
            if (next == null) {
                throw new IOException("the server hung up");
            }
            if (next instanceof Incoming.Command command) {
                return new String(command.payload(), StandardCharsets.ISO_8859_1);
            }
        }
    }

    String ask(String payload) throws IOException {
        packet(payload);
        return reply();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
