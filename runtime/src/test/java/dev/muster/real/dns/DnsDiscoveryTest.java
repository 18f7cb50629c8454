package dev.muster.real.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.core.state.NodeAddress;
import dev.muster.discovery.DiscoveryException;
import dev.muster.discovery.DnsSettings;
import dev.muster.discovery.DnsSettings.RecordType;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lookups at a real name server. Needs dnsmasq (Debian: dnsmasq-base). */
class DnsDiscoveryTest {

    @TempDir
    static Path directory;

    private static Dnsmasq server;
    private static EventLoopGroup group;

    @BeforeAll
    static void startNameServer() throws Exception {
        assumeTrue(
                Dnsmasq.program().isPresent(),
                "there is no dnsmasq on this machine; install Debian's package dnsmasq-base to run these tests");
        List<String> lines = new ArrayList<>(List.of(
                "srv-host=_muster._tcp.shop.test,node2.shop.test,2552,5,0",
                "srv-host=_muster._tcp.shop.test,node1.shop.test,2551,5,0",
                "srv-host=_muster._tcp.shop.test,first.shop.test,2559,1,0",
                "srv-host=_none._tcp.shop.test",
                "srv-host=_zero._tcp.shop.test,broken.shop.test,0,0,0",
                "srv-host=_zero._tcp.shop.test,sound.shop.test,2551,0,0",
                "cname=alias.test,nodes.test"));
        IntStream.range(0, 150)
                .forEach(i -> lines.add("srv-host=_many._tcp.shop.test,a-rather-long-name-of-node-" + i
                        + ".in.some.data.center.shop.test,2551,0,0"));
        server = Dnsmasq.start(
                directory, List.of("10.0.0.9 nodes.test", "10.0.0.10 nodes.test", "10.0.0.1 nodes.test"), lines);
        group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    }

    @AfterAll
    static void stopNameServer() throws Exception {
        if (server != null) {
            server.close();
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    @Test
    void addressesComeWithOnePortAndInOrder() throws Exception {
        assertThat(lookup(addresses("nodes.test", 2551)))
                .containsExactly(node("10.0.0.1", 2551), node("10.0.0.10", 2551), node("10.0.0.9", 2551));
    }

    @Test
    void withoutAPortItIsThatOfThisNode() throws Exception {
        assertThat(lookup(addresses("nodes.test", 0))).contains(node("10.0.0.1", 7777));
    }

    @Test
    void anAliasIsFollowed() throws Exception {
        assertThat(lookup(addresses("alias.test", 2551))).hasSize(3).contains(node("10.0.0.9", 2551));
    }

    @Test
    void servicesComeByPriorityAndThenInOrder() throws Exception {
        assertThat(lookup(service("muster")))
                .containsExactly(
                        node("first.shop.test", 2559), node("node1.shop.test", 2551), node("node2.shop.test", 2552));
    }

    @Test
    void aServiceMayBeNamedInFull() throws Exception {
        DnsSettings settings = settings("_muster._tcp.shop.test", RecordType.SRV, 0, "", 1, 100);
        assertThat(lookup(settings)).hasSize(3);
    }

    @Test
    void anAnswerTooLongForADatagramComesWholeAndIsCutWhereTheSettingsSay() throws Exception {
        assertThat(lookup(settings("shop.test", RecordType.SRV, 0, "many", 1, 1000)))
                .hasSize(150)
                .isSorted();
        assertThat(lookup(settings("shop.test", RecordType.SRV, 0, "many", 1, 7)))
                .hasSize(7)
                .isEqualTo(lookup(service("many")).subList(0, 7));
    }

    @Test
    void whatCannotBeANodeIsLeftOut() throws Exception {
        assertThat(lookup(service("zero"))).containsExactly(node("sound.shop.test", 2551));
    }

    @Test
    void aNameThatDoesNotExistIsNamedWithWhoWasAsked() {
        assertThatThrownBy(() -> lookup(addresses("nobody.test", 2551)))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(DiscoveryException.class)
                .hasMessageContaining("lookup of nobody.test (A) at " + server.address())
                .hasMessageContaining("NXDomain");
    }

    @Test
    void aServiceThatIsDeclaredAbsentIsAFailure() {
        assertThatThrownBy(() -> lookup(service("none")))
                .cause()
                .isInstanceOf(DiscoveryException.class)
                .hasMessageContaining("_none._tcp.shop.test");
    }

    @Test
    void fewerThanRequiredIsAFailureThatSaysWhatWasThere() {
        assertThatThrownBy(() -> lookup(settings("shop.test", RecordType.SRV, 0, "muster", 4, 100)))
                .cause()
                .isInstanceOf(DiscoveryException.class)
                .hasMessageContaining("required-results is 4")
                .hasMessageContaining("first.shop.test");
    }

    @Test
    void nativeEventLoopsWorkToo() throws Exception {
        assumeTrue(Epoll.isAvailable(), "this machine has no epoll");
        assertThat(lookup(service("muster"), EpollIoHandler.newFactory())).hasSize(3);
    }

    private static List<NodeAddress> lookup(DnsSettings settings, IoHandlerFactory kind) throws Exception {
        EventLoopGroup other = new MultiThreadIoEventLoopGroup(1, kind);
        try (DnsDiscovery discovery = new DnsDiscovery(settings, "muster", "Shop", 7777, other)) {
            return discovery.lookup().toCompletableFuture().get(30, TimeUnit.SECONDS);
        } finally {
            other.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private static List<NodeAddress> lookup(DnsSettings settings) throws Exception {
        try (DnsDiscovery discovery = new DnsDiscovery(settings, "muster", "Shop", 7777, group)) {
            return discovery.lookup().toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
    }

    private static NodeAddress node(String host, int port) {
        return new NodeAddress("muster", "Shop", host, port);
    }

    private static DnsSettings addresses(String name, int port) {
        return settings(name, RecordType.A, port, "", 1, 100);
    }

    private static DnsSettings service(String portName) {
        return settings("shop.test", RecordType.SRV, 0, portName, 1, 100);
    }

    private static DnsSettings settings(
            String name, RecordType type, int port, String portName, int required, int most) {
        return new DnsSettings(
                name, type, port, portName, "tcp", List.of(server.address()), Duration.ofSeconds(20), required, most);
    }
}
