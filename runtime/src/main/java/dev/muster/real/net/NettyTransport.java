package dev.muster.real.net;

import dev.muster.environment.Transport;
import dev.muster.environment.TransportException;
import dev.muster.real.tls.TlsContexts;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Real sockets, by Netty. */
@SuppressWarnings("FutureReturnValueIgnored") // what becomes of a channel is told by its events
public final class NettyTransport implements Transport, AutoCloseable {
    private static final WriteBufferWaterMark WATER_MARKS = new WriteBufferWaterMark(256 * 1024, 1024 * 1024);

    private final EventLoops loops = EventLoops.acquire();
    private final Optional<TlsContexts> tls;
    private final int connectTimeoutMillis;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Set<Channel> dialled = ConcurrentHashMap.newKeySet();

    public NettyTransport(Optional<TlsContexts> tls, Duration connectTimeout) {
        this.tls = tls;
        this.connectTimeoutMillis = (int) Math.min(Integer.MAX_VALUE, connectTimeout.toMillis());
    }

    public EventLoopGroup eventLoops() {
        return loops.group();
    }

    @Override
    public Listener listen(String host, int port, Acceptor acceptor) {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops.group())
                .channel(loops.serverChannel())
                .option(ChannelOption.SO_BACKLOG, 1024)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        tls.ifPresent(
                                t -> channel.pipeline().addLast(t.newHandler(channel.alloc(), false, host, port)));
                        channel.pipeline().addLast(new Accepted(acceptor, tls.isPresent()));
                    }
                });
        ChannelFuture bound = bootstrap.bind(host, port).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new TransportException(
                    "cannot listen at " + host + ":" + port + ": "
                            + bound.cause().getMessage()
                            + "; choose another muster.remote.artery.canonical.port, or end the process that has it",
                    bound.cause());
        }
        Channel channel = bound.channel();
        return new Listener() {
            @Override
            public int port() {
                return ((InetSocketAddress) channel.localAddress()).getPort();
            }

            @Override
            public void close() {
                channel.close().awaitUninterruptibly(1_000);
            }
        };
    }

    @Override
    public Connection connect(String host, int port, ConnectionUser user) {
        Opened opened = new Opened(user, ConnectionBudget.OF_THIS_PROCESS, it -> dial(host, port, it));
        ConnectionBudget.OF_THIS_PROCESS.ask(opened);
        return opened;
    }

    private void dial(String host, int port, Opened opened) {
        ChannelFuture connecting = new Bootstrap()
                .group(loops.group())
                .channel(loops.channel())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMillis)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARKS)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        opened.channel = channel;
                        dialled.add(channel);
                        channel.closeFuture().addListener(gone -> dialled.remove(channel));
                        tls.ifPresent(t -> channel.pipeline().addLast(t.newHandler(channel.alloc(), true, host, port)));
                        channel.pipeline().addLast(opened);
                    }
                })
                .connect(host, port);
        connecting.addListener(done -> {
            if (!done.isSuccess()) {
                opened.over(String.valueOf(done.cause().getMessage()));
            } else if (tls.isPresent()) {
                SslHandler handler = connecting.channel().pipeline().get(SslHandler.class);
                handler.handshakeFuture().addListener(shaken -> {
                    if (shaken.isSuccess()) {
                        opened.stands();
                    } else {
                        opened.over("TLS: " + shaken.cause().getMessage());
                        connecting.channel().close();
                    }
                });
            } else {
                opened.stands();
            }
        });
    }

    @Override
    public int affordableConnections() {
        return ConnectionBudget.OF_THIS_PROCESS.most();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            awaitGoodbyes();
            loops.release();
        }
    }

    /**
     * The process may end as soon as this transport is closed, and with it the threads that write. So it waits until
     * all connections, which their users have closed before, have sent their last words.
     */
    private void awaitGoodbyes() {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Opened.LONGEST_GOODBYE_MILLIS);
        for (Channel channel : dialled) {
            long leftNanos = deadlineNanos - System.nanoTime();
            if (leftNanos > 0 && !channel.eventLoop().inEventLoop()) {
                channel.closeFuture().awaitUninterruptibly(leftNanos, TimeUnit.NANOSECONDS);
            }
        }
    }
}
