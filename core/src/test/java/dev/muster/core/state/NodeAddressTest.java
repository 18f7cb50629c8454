package dev.muster.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeAddressTest {

    @Test
    void isWrittenAndReadAsOneText() {
        NodeAddress address = new NodeAddress("pekko", "Wire", "127.0.0.1", 2560);

        assertThat(address).hasToString("pekko://Wire@127.0.0.1:2560");
        assertThat(address.hostAndPort()).isEqualTo("127.0.0.1:2560");
        assertThat(NodeAddress.parse("pekko://Wire@127.0.0.1:2560")).isEqualTo(address);
    }

    @Test
    void readsAnIpv6Literal() {
        NodeAddress address = NodeAddress.parse("muster://s@[fe80::1]:1");

        assertThat(address.host()).isEqualTo("[fe80::1]");
        assertThat(address.port()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "muster", "://s@h:1", "muster://s-h:1", "muster://h:1@s", "muster:/s@h:1", "a@b://c:1"})
    void refusesWhatIsNoAddress(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeAddress.parse(text))
                .withMessage("not a node address: '" + text + "'; write it as protocol://system@host:port");
    }

    @Test
    void refusesAPortThatIsNoNumber() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeAddress.parse("muster://s@h:2x"))
                .withMessage("not a port number in node address 'muster://s@h:2x': '2x'");
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 65_536})
    void refusesAPortOutOfRange(int port) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NodeAddress("muster", "s", "h", port))
                .withMessage("port must be between 1 and 65535, was " + port);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 65_535})
    void takesTheFirstAndTheLastPort(int port) {
        assertThat(new NodeAddress("muster", "s", "h", port).port()).isEqualTo(port);
    }

    @Test
    void everyAllowedCharacterMayStandInAName() {
        String all = "azAZ09._-";

        assertThat(new NodeAddress(all, all, all + ":[]", 1)).hasToString(all + "://" + all + "@" + all + ":[]:1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a/b", "a@b", "ä", "`", "{", "^", "/", ":", "a:b", "["})
    void refusesOtherCharactersInNames(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NodeAddress(name, "s", "h", 1))
                .withMessage("protocol may hold letters, digits, '.', '_' and '-' only, was '" + name + "'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NodeAddress("muster", name, "h", 1))
                .withMessage("system may hold letters, digits, '.', '_' and '-' only, was '" + name + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "h h", "h/", "h@", "h\n", "\\", "^"})
    void refusesOtherCharactersInHosts(String host) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NodeAddress("muster", "s", host, 1))
                .withMessageStartingWith("host may hold letters, digits,")
                .withMessageEndingWith("was '" + host + "'");
    }

    @Test
    void refusesMissingParts() {
        assertThatIllegalArgumentException().isThrownBy(() -> new NodeAddress(null, "s", "h", 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new NodeAddress("muster", null, "h", 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new NodeAddress("muster", "s", null, 1));
    }

    @Test
    void hostsAreOrderedAsTextAndPortsAsNumbers() {
        List<NodeAddress> ordered = Stream.of(
                        "p://s@10.0.0.10:9", "p://s@10.0.0.9:2", "p://s@10.0.0.9:10", "p://s@B:1", "p://s@a:1")
                .map(NodeAddress::parse)
                .toList();

        assertThat(ordered.stream().sorted()).containsExactlyElementsOf(ordered);
        assertThat(ordered.get(0)).isLessThan(ordered.get(1));
    }

    @ParameterizedTest
    @CsvSource({"p://a@h:1,p://b@h:1", "p://s@h:1,q://s@h:1"})
    void systemAndProtocolOnlyBreakTies(String lower, String higher) {
        assertThat(NodeAddress.parse(lower)).isLessThan(NodeAddress.parse(higher));
        assertThat(NodeAddress.parse(higher)).isNotEqualTo(NodeAddress.parse(lower));
        assertThat(NodeAddress.parse("p://z@h:1")).isLessThan(NodeAddress.parse("p://a@h:2"));
    }

    @ParameterizedTest
    @CsvSource({
        "p://s@h:1, p://s@i:2, true",
        "p://s@h:1, p://t@h:1, false",
        "p://s@h:1, q://s@h:1, false",
    })
    void oneSystemMeansEqualNameAndProtocol(String one, String other, boolean same) {
        assertThat(NodeAddress.parse(one).sameSystemAs(NodeAddress.parse(other)))
                .isEqualTo(same);
    }
}
