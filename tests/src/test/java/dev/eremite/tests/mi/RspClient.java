package dev.eremite.tests.mi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** A client of the remote protocol that knows only packets; it acknowledges nothing it need not. */
public final class RspClient implements AutoCloseable {
    private static final int PATIENCE_MS = 20_000;

    private final Socket socket;
    private final InputStream in;

    /** Connects to HOST:PORT. */
    public RspClient(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        socket = new Socket(
                InetAddress.getByName(address.substring(0, colon)), Integer.parseInt(address.substring(colon + 1)));
        socket.setSoTimeout(PATIENCE_MS);
        // Else a packet waits until the server has acknowledged the '+' before it, which takes 40 ms.
        socket.setTcpNoDelay(true);
        in = socket.getInputStream();
    }

    /** A packet with its checksum. */
    public static byte[] framed(String payload) {
        int sum = 0;
        for (byte octet : payload.getBytes(StandardCharsets.ISO_8859_1)) {
            sum += octet;
        }
        return ("$" + payload + "#%02x".formatted(sum & 0xff)).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Sends bytes as they are. */
    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** The next byte, or −1 when the server has hung up. */
    public int read() throws IOException {
        return in.read();
    }

    /** The reply to a packet; console output on the way is passed over. */
    public String ask(String payload) throws IOException {
        send(framed(payload));
        while (true) {
            StringBuilder reply = new StringBuilder();
            int octet = in.read();
            while (octet == '+' || octet == '-') {
                octet = in.read();
            }
            assertThat(octet).as("reply to %s", payload).isEqualTo('$');
            for (octet = in.read(); octet != '#'; octet = in.read()) {
                assertThat(octet).as("reply to %s", payload).isNotNegative();
                reply.append((char) octet);
            }
            in.read();
            in.read();
            send(new byte[] {'+'});
            boolean console = reply.length() > 1 && reply.charAt(0) == 'O' && !"OK".contentEquals(reply);
            if (!console) {
                return reply.toString();
            }
        }
    }

    /** Sends what may be nonsense and takes what comes at once; false when the server has hung up. */
    public boolean throwAt(byte[] frame) {
        try {
            send(frame);
            while (in.available() > 0) {
                if (in.read() < 0) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Reads until the server hangs up or says nothing more. */
    public void drain() throws IOException {
        socket.setSoTimeout(500);
        try {
            while (in.read() >= 0) {
                // Whatever it says.
            }
        } catch (SocketTimeoutException | java.net.SocketException e) {
            // It has said all.
            socket.setSoTimeout(PATIENCE_MS);
            return;
        }
        socket.setSoTimeout(PATIENCE_MS);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
