package dev.eremite.gdb;

import dev.eremite.replay.debug.DebugTarget;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves GDB's remote protocol on the loopback interface, one client at a time, one after another, until it is closed.
 * A client that leaves, also in the middle of a movement, leaves the replay where it stopped; its breakpoints go.
 */
public final class GdbServer implements AutoCloseable {
    /** Hears of clients; called on the server's own thread, so it must return at once. */
    public interface Listener {
        /** A client has connected. */
        default void connected() {}

        /** The client is gone. */
        default void disconnected() {}
    }

    private static final Logger LOG = LoggerFactory.getLogger(GdbServer.class);
    private static final int CLOSE_TIMEOUT_MS = 2000;

    private final DebugTarget target;
    private final Executor targetThread;
    private final Listener listener;
    private final EventLoopGroup loop;
    private Channel channel;
    /** Only touched by the event loop. */
    private boolean occupied;
    /** The present client, or the last one; only touched by the event loop. */
    private ClientConnection client;

    private GdbServer(DebugTarget target, Executor targetThread, Listener listener) {
        this.target = target;
        this.targetThread = targetThread;
        this.listener = listener;
        this.loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("gdb-server", true), NioIoHandler.newFactory());
    }

    /**
     * Starts serving.
     *
     * @param target what is debugged; all its methods but interrupt are called on {@code targetThread}
     * @param targetThread runs tasks one after another, in order, on the thread that owns the target
     * @param port the TCP port, 1…65535, or 0 for any free one
     * @throws IOException when the port cannot be bound
     */
    public static GdbServer start(DebugTarget target, Executor targetThread, int port) throws IOException {
        return start(target, targetThread, port, new Listener() {});
    }

    /** Starts serving as {@link #start(DebugTarget, Executor, int)} and tells of clients. */
    public static GdbServer start(DebugTarget target, Executor targetThread, int port, Listener listener)
            throws IOException {
        GdbServer server = new GdbServer(target, targetThread, listener);
        try {
            server.bind(port);
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
        return server;
    }

    private void bind(int port) throws IOException {
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel client) {
                        client.pipeline().addLast(new Doorkeeper(GdbServer.this::admit));
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), port)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen on port " + port + ": " + bound.cause().getMessage(), bound.cause());
        }
        channel = bound.channel();
    }

    private Optional<ChannelHandler> admit() {
        if (occupied) {
            return Optional.empty();
        }
        occupied = true;
        listener.connected();
        client = new ClientConnection(target, targetThread, this::left);
        return Optional.of(client);
    }

    private void left() {
        occupied = false;
        listener.disconnected();
    }

    /** The port that is served. */
    public int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /**
     * Hangs up and stops serving; a movement that runs is interrupted. The target stays open. May be called from any
     * thread but the server's own.
     */
    @Override
    public void close() {
        hangUp();
        loop.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(2L * CLOSE_TIMEOUT_MS);
    }

    /** Waits for the end of what a client has begun; an interrupt is repeated only as long as the loop runs. */
    private void hangUp() {
        CountDownLatch still = new CountDownLatch(1);
        try {
            loop.execute(() -> {
                if (client == null) {
                    still.countDown();
                } else {
                    client.hangUp(still::countDown);
                }
            });
            if (!still.await(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                LOG.warn("a movement could not be interrupted");
            }
        } catch (RejectedExecutionException e) {
            LOG.debug("the server is closed already");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
