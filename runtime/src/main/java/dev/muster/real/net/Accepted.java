package dev.muster.real.net;

import dev.muster.environment.Transport.Acceptor;
import dev.muster.environment.Transport.Incoming;
import dev.muster.environment.Transport.Receiver;
import dev.muster.real.tls.TlsContexts;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** An accepted connection. */
@SuppressWarnings("FutureReturnValueIgnored") // what becomes of a channel is told by its events
final class Accepted extends ChannelInboundHandlerAdapter implements Incoming {
    private final Acceptor acceptor;
    private final boolean usesTls;
    private Channel channel;
    private Receiver receiver;

    Accepted(Acceptor acceptor, boolean usesTls) {
        this.acceptor = acceptor;
        this.usesTls = usesTls;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = context.channel();
        receiver = acceptor.accepted(this);
        if (receiver == null) {
            context.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf buffer = (ByteBuf) message;
        try {
            int length = buffer.readableBytes();
            if (receiver != null && length > 0) {
                byte[] bytes = new byte[length];
                buffer.readBytes(bytes);
                receiver.received(bytes, length);
            }
        } finally {
            buffer.release();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (receiver != null) {
            receiver.closed();
            receiver = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }

    @Override
    public String peer() {
        return String.valueOf(channel.remoteAddress());
    }

    @Override
    public boolean isLocal() {
        SocketAddress remote = channel.remoteAddress();
        return remote instanceof InetSocketAddress inet
                && inet.getAddress() != null
                && inet.getAddress().isLoopbackAddress();
    }

    @Override
    public boolean provesToBe(String host) {
        if (!usesTls) {
            return true;
        }
        SslHandler handler = channel.pipeline().get(SslHandler.class);
        return handler != null && TlsContexts.certificateNames(handler.engine().getSession(), host);
    }

    @Override
    public void pause() {
        channel.config().setAutoRead(false);
    }

    @Override
    public void resume() {
        channel.config().setAutoRead(true);
    }

    @Override
    public void close() {
        channel.close();
    }
}
