package dev.muster.real.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.discovery.DiscoveryException;
import dev.muster.discovery.DnsSettings;
import dev.muster.discovery.DnsSettings.RecordType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.codec.dns.DefaultDnsRawRecord;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.util.NetUtil;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that do not answer, and records that are not what they should be. */
class NameServersTest {

    @Test
    void silenceEndsWithTheNamesOfServerAndQuestion() throws Exception {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        // Bound, so that nobody else answers, and never read.
        try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            String server = "127.0.0.1:" + silent.getLocalPort();
            DnsSettings settings = new DnsSettings(
                    "nodes.test", RecordType.A, 2551, "", "tcp", List.of(server), Duration.ofMillis(100), 1, 100);
            try (DnsDiscovery discovery = new DnsDiscovery(settings, "muster", "Shop", 2551, group)) {
                assertThatThrownBy(
                                () -> discovery.lookup().toCompletableFuture().get(30, TimeUnit.SECONDS))
                        .cause()
                        .isInstanceOf(DiscoveryException.class)
                        .hasMessageContaining("lookup of nodes.test (A) at " + server)
                        .hasMessageContaining("no answer within 100 ms");
            }
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.53, 10.0.0.53, 53",
        "10.0.0.53:5353, 10.0.0.53, 5353",
        "[::1]:5353, ::1, 5353",
        "[::1], ::1, 53",
    })
    void serversAreNumbersWithOrWithoutPort(String text, String host, int port) {
        assertThat(NameServers.parse(text))
                .isEqualTo(new InetSocketAddress(NetUtil.createInetAddressFromIpAddressString(host), port));
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:53", "10.0.0.53:", "10.0.0.53:x", "10.0.0.53:70000", "", ":53"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> NameServers.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void aServiceRecordIsRead() {
        ByteBuf content = Unpooled.wrappedBuffer(new byte[] {0, 5, 0, 9, 9, -9, 1, 'a', 4, 't', 'e', 's', 't', 0});
        assertThat(FoundNode.in(record(DnsRecordType.SRV, content)))
                .contains(new FoundNode(5, "a.test", OptionalInt.of(2551)));
    }

    @Test
    void recordsThatAreCutShortAreRefused() {
        for (int length = 0; length <= 6; length++) {
            DnsRecord record = record(DnsRecordType.SRV, Unpooled.wrappedBuffer(new byte[length]));
            assertThatThrownBy(() -> FoundNode.in(record)).isInstanceOf(IllegalArgumentException.class);
        }
        DnsRecord address = record(DnsRecordType.A, Unpooled.wrappedBuffer(new byte[3]));
        assertThatThrownBy(() -> FoundNode.in(address)).isInstanceOf(IllegalArgumentException.class);
        ByteBuf pointsToItself = Unpooled.wrappedBuffer(new byte[] {0, 0, 0, 0, 0, 1, (byte) 0xC0, 6});
        assertThatThrownBy(() -> FoundNode.in(record(DnsRecordType.SRV, pointsToItself)))
                .isInstanceOf(RuntimeException.class);
    }

    @Test
    void theRootAsHostMeansThatThereIsNone() {
        assertThat(FoundNode.in(record(DnsRecordType.SRV, Unpooled.wrappedBuffer(new byte[7]))))
                .isEmpty();
        assertThat(FoundNode.in(record(DnsRecordType.TXT, Unpooled.wrappedBuffer(new byte[7]))))
                .isEmpty();
    }

    private static DnsRecord record(DnsRecordType type, ByteBuf content) {
        return new DefaultDnsRawRecord("nodes.test", type, 60, content);
    }
}
