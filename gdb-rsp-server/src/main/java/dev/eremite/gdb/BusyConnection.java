package dev.eremite.gdb;

import dev.eremite.gdb.codec.PacketEncoder;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;

/** Answers a client's first packet with an error and hangs up: one debugger at a time. */
final class BusyConnection extends ChannelInboundHandlerAdapter {
    private static final byte[] BUSY =
            "E.another debugger is connected to this replay".getBytes(StandardCharsets.US_ASCII);

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
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
