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
import java.util.function.Consumer;

/** A connection that this node opened. */
@SuppressWarnings("FutureReturnValueIgnored") // what becomes of a channel is told by its events
final class Opened extends ChannelInboundHandlerAdapter implements Connection, ConnectionBudget.Client, Runnable {
    static final long LONGEST_GOODBYE_MILLIS = 1_000;

    /** Writes that are closer to each other than this are one use. */
    private static final long ONE_USE_NANOS = 500_000_000L;

    private static final int REGULAR_USES = 3;

    private final ConnectionUser user;
    private final ConnectionBudget budget;
    private final Consumer<Opened> dialler;
    private final AtomicBoolean isOver = new AtomicBoolean();
    volatile Channel channel;
    private volatile boolean closeAsked;
    private boolean isOpen;
    private boolean isDialled;
    private volatile long lastWriteNanos = System.nanoTime();
    private volatile boolean isRegular;
    private int uses;

    /** @param dialler opens the channel when it may be opened */
    Opened(ConnectionUser user, ConnectionBudget budget, Consumer<Opened> dialler) {
        this.user = user;
        this.budget = budget;
        this.dialler = dialler;
    }

    @Override
    public void dial() {
        isDialled = true;
        if (closeAsked) {
            over("closed before it was opened");
        } else {
            dialler.accept(this);
        }
    }

    void stands() {
        if (closeAsked) {
            channel.close();
            return;
        }
        isOpen = true;
        budget.stands(this);
        user.opened(this);
        user.writable();
    }

    void over(String reason) {
        if (isOver.compareAndSet(false, true)) {
            isOpen = false;
            if (isDialled) {
                budget.over(this);
            }
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

    @Override
    public long lastWriteNanos() {
        return lastWriteNanos;
    }

    @Override
    public boolean isRegular() {
        return isRegular;
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
        long now = System.nanoTime();
        if (now - lastWriteNanos > ONE_USE_NANOS) {
            isRegular = ++uses >= REGULAR_USES;
        }
        lastWriteNanos = now;
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
        if (at == null) {
            if (budget.withdraw(this)) {
                over("closed before it was opened");
            }
        } else {
            at.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> at.close());
            at.eventLoop().schedule(() -> at.close(), LONGEST_GOODBYE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
