package dev.muster.real.net;

import dev.muster.environment.Transport.Connection;
import dev.muster.environment.Transport.ConnectionUser;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A connection that this node opened. */
@SuppressWarnings("FutureReturnValueIgnored") // what becomes of a channel is told by its events
final class Opened extends ChannelInboundHandlerAdapter implements Connection, Runnable {
    static final long LONGEST_GOODBYE_MILLIS = 1_000;

    private final ConnectionUser user;
    private final AtomicBoolean isOver = new AtomicBoolean();
    volatile Channel channel;
    private volatile boolean closeAsked;
    private boolean isOpen;
    private volatile long lastWriteNanos = System.nanoTime();

    Opened(ConnectionUser user) {
        this.user = user;
    }

    void stands() {
        if (closeAsked) {
            channel.close();
            return;
        }
        isOpen = true;
        ConnectionBudget.OF_THIS_PROCESS.opened(this);
        user.opened(this);
        user.writable();
    }

    void over(String reason) {
        if (isOver.compareAndSet(false, true)) {
            isOpen = false;
            ConnectionBudget.OF_THIS_PROCESS.closed(this);
            user.closed(reason);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ((ByteBuf) message).release();
        over("the peer sent bytes on a connection that is ours to send on");
        context.close();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        run();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        over("closed by the peer");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        over(String.valueOf(cause.getMessage()));
        context.close();
    }

    long lastWriteNanos() {
        return lastWriteNanos;
    }

    @Override
    public void wakeUp() {
        Channel at = channel;
        if (at != null) {
            at.eventLoop().execute(this);
        }
    }

    @Override
    public void run() {
        if (isOpen && channel.isWritable()) {
            user.writable();
        }
    }

    @Override
    public boolean write(byte[] bytes, int offset, int length) {
        lastWriteNanos = System.nanoTime();
        ByteBuf buffer = channel.alloc().directBuffer(length);
        buffer.writeBytes(bytes, offset, length);
        channel.writeAndFlush(buffer, channel.voidPromise());
        return channel.isWritable();
    }

    /** After what was written has gone out, or soon after it should have. */
    @Override
    public void close() {
        closeAsked = true;
        Channel at = channel;
        if (at != null) {
            at.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> at.close());
            at.eventLoop().schedule(() -> at.close(), LONGEST_GOODBYE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
