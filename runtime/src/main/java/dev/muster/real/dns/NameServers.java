package dev.muster.real.dns;

import dev.muster.discovery.DnsSettings;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoop;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsNameResolverChannelStrategy;
import io.netty.resolver.dns.DnsServerAddressStream;
import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.resolver.dns.NoopAuthoritativeDnsServerCache;
import io.netty.resolver.dns.NoopDnsCache;
import io.netty.resolver.dns.NoopDnsCnameCache;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Whom to ask, and how. */
final class NameServers {

    private static final int USUAL_PORT = 53;
    private static final int MOST_ASKED = 8;

    private final DnsServerAddressStreamProvider provider;
    private final List<InetSocketAddress> addresses;

    private NameServers(DnsServerAddressStreamProvider provider, List<InetSocketAddress> addresses) {
        this.provider = provider;
        this.addresses = addresses;
    }

    static NameServers of(DnsSettings settings) {
        if (settings.servers().isEmpty()) {
            DnsServerAddressStreamProvider system = DnsServerAddressStreamProviders.platformDefault();
            return new NameServers(system, askedFor(system, settings.queriedName()));
        }
        List<InetSocketAddress> given =
                settings.servers().stream().map(NameServers::parse).toList();
        // Each one twice, because a question can get lost.
        List<InetSocketAddress> asked = new ArrayList<>(given);
        asked.addAll(given);
        return new NameServers(new SequentialDnsServerAddressStreamProvider(asked), List.copyOf(asked));
    }

    private static List<InetSocketAddress> askedFor(DnsServerAddressStreamProvider system, String name) {
        DnsServerAddressStream stream = system.nameServerAddressStream(name);
        List<InetSocketAddress> asked = new ArrayList<>();
        for (int i = 0; i < Math.min(stream.size(), MOST_ASKED); i++) {
            asked.add(stream.next());
        }
        return asked;
    }

    /** Reads {@code 10.0.0.53}, {@code 10.0.0.53:53} or {@code [::1]:53}. Names are not looked up: by whom? */
    static InetSocketAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        // In 10.0.0.53:53 the only colon separates the port; in [::1]:53 the one behind the bracket does.
        boolean hasPort = colon >= 0 && (text.indexOf(':') == colon || text.charAt(colon - 1) == ']');
        byte[] number = NetUtil.createByteArrayFromIpAddressString(hasPort ? text.substring(0, colon) : text);
        if (number == null) {
            throw new IllegalArgumentException("not a name server: '" + text + "'; write it as address:port");
        }
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(number),
                    hasPort ? Integer.parseInt(text.substring(colon + 1)) : USUAL_PORT);
        } catch (UnknownHostException | IllegalArgumentException wrong) {
            throw new IllegalArgumentException("not a name server: '" + text + "'; write it as address:port", wrong);
        }
    }

    /** All tries together take no longer than {@code timeout}. */
    DnsNameResolver resolver(EventLoop loop, Duration timeout) {
        int tries = Math.max(1, Math.min(addresses.size(), MOST_ASKED));
        boolean isEpoll = loop instanceof IoEventLoop io && io.isIoType(EpollIoHandler.class);
        return new DnsNameResolverBuilder(loop)
                .datagramChannelType(isEpoll ? EpollDatagramChannel.class : NioDatagramChannel.class)
                // Answers that do not fit into a datagram are asked for again by TCP.
                .socketChannelType(isEpoll ? EpollSocketChannel.class : NioSocketChannel.class)
                // A new socket, and so a new source port, for every question: harder to answer for somebody else.
                .datagramChannelStrategy(DnsNameResolverChannelStrategy.ChannelPerResolution)
                .nameServerProvider(provider)
                .queryTimeoutMillis(Math.max(1, timeout.toMillis() / tries))
                .maxQueriesPerResolve(MOST_ASKED)
                .resolveCache(NoopDnsCache.INSTANCE)
                .cnameCache(NoopDnsCnameCache.INSTANCE)
                .authoritativeDnsServerCache(NoopAuthoritativeDnsServerCache.INSTANCE)
                .build();
    }

    @Override
    public String toString() {
        return addresses.stream().map(NetUtil::toSocketAddressString).distinct().collect(Collectors.joining(", "));
    }
}
