package dev.eremite.gdb;

import dev.eremite.gdb.codec.Incoming;
import dev.eremite.gdb.codec.PacketDecoder;
import dev.eremite.gdb.codec.PacketEncoder;
import dev.eremite.gdb.packet.DebugSession;
import dev.eremite.gdb.packet.Reply;
import dev.eremite.replay.debug.DebugTarget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection. Its event loop reads packets, acknowledges them and passes them on, in order, to the
 * target's thread; replies come back to the event loop. So an interrupt is seen while the target is busy.
 */
final class ClientConnection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);
    private static final byte[] ACKNOWLEDGE = {'+'};
    private static final byte[] REPEAT = {'-'};
    private static final byte[] START_NO_ACK = "QStartNoAckMode".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TOO_LONG = "E16".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_WAITING = 1024;
    private static final int MAX_WAITING_BYTES = 4 * PacketDecoder.MAX_PAYLOAD;
    /** An interrupt may arrive just before the target begins to move, so it is repeated until the move ends. */
    private static final int INTERRUPT_AGAIN_MS = 20;

    /**
     * GDB waits two seconds for the next packet when a monitor command is at work ("set remotetimeout"), and takes the
     * answer for that of its next request later.
     */
    private static final int SIGN_OF_LIFE_MS = 700;

    /** Console output that is empty. */
    private static final byte[] SIGN_OF_LIFE = {'O'};

    private final DebugTarget target;
    private final Executor targetThread;
    private final Runnable whenGone;
    private final PacketDecoder decoder = new PacketDecoder();
    private final DebugSession session;
    private ChannelHandlerContext context;
    private boolean acknowledging = true;
    private byte[] lastSent = new byte[0];
    private int waiting;
    private int waitingBytes;
    private boolean interruptScheduled;
    private Runnable whenStill = () -> {};
    private final LateInterrupt late = new LateInterrupt(System::nanoTime);
    /** How many monitor commands wait or are at work. */
    private int commands;

    private ScheduledFuture<?> signsOfLife;
    /** Written by the event loop only. */
    private volatile ConnectionState state = new ConnectionState.Idle();

    /**
     * A connection that is about to be made.
     *
     * @param whenGone called on the event loop when it has ended
     */
    ClientConnection(DebugTarget target, Executor targetThread, Runnable whenGone) {
        this.target = target;
        this.targetThread = targetThread;
        this.whenGone = whenGone;
        this.session = new DebugSession(target, packet -> onLoop(() -> send(packet)));
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        try {
            decoder.feed(ByteBufUtil.getBytes((ByteBuf) message)).forEach(this::accept);
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void accept(Incoming incoming) {
        switch (incoming) {
            case Incoming.Command command -> {
                acknowledge(ACKNOWLEDGE);
                pass(command.payload());
            }
            case Incoming.Acknowledged ignored -> {}
            case Incoming.NotAcknowledged ignored -> write(lastSent);
            case Incoming.Interrupt ignored -> {
                if (state.running() == 0) {
                    late.came();
                }
                state = state.interrupted();
                interruptIfWanted();
            }
            case Incoming.BadChecksum ignored -> acknowledge(REPEAT);
            case Incoming.TooLong ignored -> {
                acknowledge(ACKNOWLEDGE);
                send(TOO_LONG);
            }
        }
    }

    private void acknowledge(byte[] sign) {
        if (acknowledging) {
            write(sign);
        }
    }

    private void pass(byte[] payload) {
        boolean running = DebugSession.mayRunLong(payload);
        boolean stay = DebugSession.isMovement(payload) && late.take();
        if (running) {
            state = state.started();
        }
        if (DebugSession.isMonitorCommand(payload) && commands++ == 0) {
            signsOfLife = context.executor()
                    .scheduleWithFixedDelay(this::showLife, SIGN_OF_LIFE_MS, SIGN_OF_LIFE_MS, TimeUnit.MILLISECONDS);
        }
        waiting++;
        waitingBytes += payload.length;
        try {
            targetThread.execute(() -> obey(payload, running, stay));
        } catch (RejectedExecutionException e) {
            context.close();
        }
        limitWaiting();
    }

    /** A client that waits for something else besides would not expect output. */
    private void showLife() {
        if (waiting == commands) {
            send(SIGN_OF_LIFE);
        }
    }

    /** Keeps a client that does not wait for replies from filling the memory. */
    private void limitWaiting() {
        boolean tooMany = waiting >= MAX_WAITING || waitingBytes >= MAX_WAITING_BYTES;
        if (tooMany && state.running() > 0) {
            LOG.warn("closing a client that sends {} packets without waiting for a reply", waiting);
            context.close();
        } else {
            context.channel().config().setAutoRead(!tooMany);
        }
    }

    /** Runs on the target's thread. */
    private void obey(byte[] payload, boolean running, boolean stay) {
        boolean gone = state instanceof ConnectionState.Disconnected;
        Reply reply = gone ? null : stay ? session.stay() : session.handle(payload);
        onLoop(() -> finished(payload, reply, running));
    }

    private void finished(byte[] payload, Reply reply, boolean running) {
        if (running) {
            if (reply != null && reply.isInterrupted()) {
                late.obeyed();
            } else if (reply != null && reply.isStop()) {
                late.stopped(state.wantsInterrupt());
            }
            state = state.stopped();
        }
        if (DebugSession.isMonitorCommand(payload) && --commands == 0) {
            signsOfLife.cancel(false);
        }
        waiting--;
        waitingBytes -= payload.length;
        tellIfStill();
        if (state instanceof ConnectionState.Disconnected || reply == null) {
            return;
        }
        if (reply.present()) {
            send(reply.payload());
        }
        if (Arrays.equals(payload, START_NO_ACK)) {
            acknowledging = false;
        }
        limitWaiting();
    }

    private void interruptIfWanted() {
        if (!state.wantsInterrupt()) {
            return;
        }
        try {
            target.interrupt();
        } catch (RuntimeException e) {
            LOG.warn("interrupt failed", e);
        }
        if (!interruptScheduled) {
            interruptScheduled = true;
            context.executor()
                    .schedule(
                            () -> {
                                interruptScheduled = false;
                                interruptIfWanted();
                            },
                            INTERRUPT_AGAIN_MS,
                            TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Ends the connection. To be called on the event loop.
     *
     * @param still called there, when nothing moves any more that the client has begun
     */
    void hangUp(Runnable still) {
        whenStill = still;
        context.close();
        tellIfStill();
    }

    private void tellIfStill() {
        if (state instanceof ConnectionState.Disconnected && state.running() == 0) {
            whenStill.run();
        }
    }

    private void onLoop(Runnable task) {
        try {
            context.executor().execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("the server is closed; a reply is dropped");
        }
    }

    private void send(byte[] payload) {
        lastSent = PacketEncoder.encode(payload);
        write(lastSent);
    }

    private void write(byte[] bytes) {
        context.writeAndFlush(Unpooled.wrappedBuffer(bytes));
    }

    @Override
    public void channelInactive(ChannelHandlerContext inactive) {
        state = state.disconnected();
        if (signsOfLife != null) {
            signsOfLife.cancel(false);
        }
        interruptIfWanted();
        try {
            targetThread.execute(session::close);
        } catch (RejectedExecutionException e) {
            LOG.debug("the target's thread has ended before the client");
        }
        whenGone.run();
        tellIfStill();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        LOG.debug("connection lost", cause);
        failed.close();
    }
}
