package dev.muster.real.net;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The few threads that do all input and output of this process, shared by all nodes in it. They start with the first
 * node and end with the last.
 */
final class EventLoops {
    private static EventLoops shared;

    private final MultiThreadIoEventLoopGroup group;
    private final boolean epoll;
    private int users;

    private EventLoops() {
        epoll = Epoll.isAvailable();
        IoHandlerFactory handlers = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        int threads = Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors()));
        group = new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory("muster-io", true), handlers);
    }

    static synchronized EventLoops acquire() {
        if (shared == null) {
            shared = new EventLoops();
        }
        shared.users++;
        return shared;
    }

    void release() {
        synchronized (EventLoops.class) {
            if (--users == 0) {
                shared = null;
                var unused = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            }
        }
    }

    MultiThreadIoEventLoopGroup group() {
        return group;
    }

    Class<? extends ServerChannel> serverChannel() {
        return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    Class<? extends Channel> channel() {
        return epoll ? EpollSocketChannel.class : NioSocketChannel.class;
    }
}
