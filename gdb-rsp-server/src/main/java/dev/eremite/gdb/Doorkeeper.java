package dev.eremite.gdb;

import dev.eremite.gdb.codec.PacketEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Looks at a connection's first byte. Silent connections keep nobody else out; what does not speak the protocol, such
 * as a web page that posts packets to a local port, is hung up on; a second debugger is told why it must go.
 */
final class Doorkeeper extends ChannelInboundHandlerAdapter {
    private static final String FIRST_BYTES = "+-$\3";
    private static final byte[] BUSY =
            "E.another debugger is connected to this replay".getBytes(StandardCharsets.US_ASCII);

    private final Supplier<Optional<ChannelHandler>> admission;

    /**
     * A doorkeeper for one connection.
     *
     * @param admission gives the handler that takes over, or none while another client is connected
     */
    Doorkeeper(Supplier<Optional<ChannelHandler>> admission) {
        this.admission = admission;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (FIRST_BYTES.indexOf(bytes.getByte(bytes.readerIndex())) < 0) {
            ReferenceCountUtil.release(message);
            context.close();
            return;
        }
        Optional<ChannelHandler> client = admission.get();
        if (client.isPresent()) {
            context.pipeline().replace(this, null, client.get());
            context.pipeline().fireChannelRead(message);
            return;
        }
        ReferenceCountUtil.release(message);
        context.write(Unpooled.wrappedBuffer(new byte[] {'+'}));
        context.writeAndFlush(Unpooled.wrappedBuffer(PacketEncoder.encode(BUSY)))
                .addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
