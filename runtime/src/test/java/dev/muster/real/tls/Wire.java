package dev.muster.real.tls;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Real sockets on loopback: a server that echoes, and clients. */
final class Wire implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 30;
    private static final InetAddress LOOPBACK = NetUtil.LOCALHOST4;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final BlockingQueue<CompletableFuture<SslHandler>> accepted = new LinkedBlockingQueue<>();
    private final Channel server;

    Wire(Function<ByteBufAllocator, SslHandler> serverSide) {
        server = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        SslHandler handler = serverSide.apply(channel.alloc());
                        accepted.add(outcome(handler));
                        channel.pipeline().addLast(handler, new Echo());
                    }
                })
                .bind(new InetSocketAddress(LOOPBACK, 0))
                .syncUninterruptibly()
                .channel();
    }

    int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    Connection connect(Function<ByteBufAllocator, SslHandler> clientSide) throws Exception {
        Heard heard = new Heard();
        CompletableFuture<SslHandler> handshake = new CompletableFuture<>();
        Channel channel = new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel created) {
                        SslHandler handler = clientSide.apply(created.alloc());
                        forward(outcome(handler), handshake);
                        created.pipeline().addLast(handler, heard);
                    }
                })
                .connect(LOOPBACK, port())
                .syncUninterruptibly()
                .channel();
        return new Connection(channel, handshake, accepted.poll(PATIENCE_SECONDS, TimeUnit.SECONDS), heard);
    }

    private static void forward(CompletableFuture<SslHandler> from, CompletableFuture<SslHandler> to) {
        var unused = from.whenComplete((handler, failure) -> {
            if (failure == null) {
                to.complete(handler);
            } else {
                to.completeExceptionally(failure);
            }
        });
    }

    private static CompletableFuture<SslHandler> outcome(SslHandler handler) {
        CompletableFuture<SslHandler> outcome = new CompletableFuture<>();
        handler.handshakeFuture().addListener(done -> {
            if (done.isSuccess()) {
                outcome.complete(handler);
            } else {
                outcome.completeExceptionally(done.cause());
            }
        });
        return outcome;
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    record Connection(
            Channel channel,
            CompletableFuture<SslHandler> clientSide,
            CompletableFuture<SslHandler> serverSide,
            Heard heard) {

        SslHandler client() throws Exception {
            return clientSide.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        SslHandler server() throws Exception {
            return serverSide.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        String echo(String text) throws Exception {
            var unused = channel.writeAndFlush(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
            return heard.texts.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        /** Sends something, and waits until the connection is gone; says what came back. */
        String echoUntilClosed(String text) {
            var unused = channel.writeAndFlush(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
            if (!channel.closeFuture().awaitUninterruptibly(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the connection stays open");
            }
            return String.join("", heard.texts);
        }
    }

    private static final class Echo extends SimpleChannelInboundHandler<ByteBuf> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
            var unused = context.writeAndFlush(message.retain());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var unused = context.close();
        }
    }

    static final class Heard extends SimpleChannelInboundHandler<ByteBuf> {
        private final BlockingQueue<String> texts = new LinkedBlockingQueue<>();

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
            texts.add(message.toString(StandardCharsets.US_ASCII));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var unused = context.close();
        }
    }
}
