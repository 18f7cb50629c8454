package dev.muster.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.state.NodeAddress;
import dev.muster.discovery.DnsSettings.RecordType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists that never change, and what is asked where they do. */
class DiscoveryTest {

    @Test
    void aFixedListKeepsItsOrder() {
        NodeAddress second = NodeAddress.parse("muster://Shop@b:2551");
        NodeAddress first = NodeAddress.parse("muster://Shop@a:2551");
        Discovery discovery = Discovery.of(List.of(second, first, second));
        assertThat(discovery.lookup().toCompletableFuture()).isCompletedWithValue(List.of(second, first));
    }

    @Test
    void aServiceIsAskedForByItsWholeName() {
        assertThat(dns(RecordType.SRV, "muster").queriedName()).isEqualTo("_muster._tcp.shop.test");
        assertThat(dns(RecordType.SRV, "").queriedName()).isEqualTo("shop.test");
        assertThat(dns(RecordType.A, "muster").queriedName()).isEqualTo("shop.test");
    }

    @Test
    void moreCannotBeRequiredThanIsUsed() {
        assertThatThrownBy(() -> new DnsSettings(
                        "shop.test", RecordType.A, 2551, "", "tcp", List.of(), Duration.ofSeconds(1), 3, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3 and 2");
    }

    private static DnsSettings dns(RecordType type, String portName) {
        return new DnsSettings("shop.test", type, 2551, portName, "tcp", List.of(), Duration.ofSeconds(1), 1, 100);
    }
}
