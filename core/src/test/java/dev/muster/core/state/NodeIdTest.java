package dev.muster.core.state;

import static dev.muster.core.Nodes.address;
import static dev.muster.core.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The clock keys and ring hashes are test vectors that real Pekko nodes computed. */
class NodeIdTest {
    private static final NodeId M =
            new NodeId(NodeAddress.parse("pekko://Wire@127.0.0.1:2560"), 0x0123_4567_89AB_CDEFL);
    private static final NodeId N = new NodeId(NodeAddress.parse("pekko://Wire@127.0.0.1:2551"), -2);

    @Test
    void clockKeyIsTheHexMd5OfAddressAndSignedUid() {
        assertThat(M.clockKey()).isEqualTo("b19514588287991e6b3b11217053cebb");
        assertThat(N.clockKey()).isEqualTo("59ad697baf4802293160b17534a0e588");
        assertThat(M.clockKey()).isSameAs(M.clockKey());
    }

    @Test
    void ringHashFoldsTheUidIntoASignedNumber() {
        assertThat(M.ringHash()).isEqualTo(-2_004_318_072);
        assertThat(N.ringHash()).isEqualTo(1);
    }

    @Test
    void seenDigestIsTheSha1OfTheAddressesInMemberOrder() {
        Members members = Members.of(List.of(joining(M), joining(N)));

        assertThat(new SeenDigest(members, SeenSet.only(0).with(1)).hex())
                .isEqualTo("b7d601e7c77b937ae34fb21f78ef445994a0aefb");
    }

    private static Member joining(NodeId id) {
        return Member.joining(id, List.of(), "1");
    }

    @Test
    void isOrderedByAddressAndThenBySignedUid() {
        List<NodeId> ordered = List.of(
                node("a", Long.MAX_VALUE), node("b", Long.MIN_VALUE), node("b", -1), node("b", 0), node("c", -5));

        assertThat(ordered.stream().sorted()).containsExactlyElementsOf(ordered);
        assertThat(node("b", -1)).isEqualByComparingTo(node("b", -1));
        assertThat(M).isEqualByComparingTo(M);
        assertThat(N).isLessThan(M);
    }

    @Test
    void twoIncarnationsAtOneAddressAreDifferentNodes() {
        assertThat(node("a", 1))
                .isEqualTo(node("a", 1))
                .hasSameHashCodeAs(node("a", 1))
                .isNotEqualTo(node("a", 2))
                .isNotEqualTo(node("b", 1))
                .isNotEqualTo("a");
        assertThat(node("a", 1).equals(node("a", 1))).isTrue();
        assertThat(node("a", 1).hashCode()).isEqualTo(address("a").hashCode() * 31 + 1);
    }

    @Test
    void readsAsHostPortAndUid() {
        assertThat(node("a", -7)).hasToString("a:2552#-7");
        assertThat(node("a", -7).address()).isEqualTo(address("a"));
        assertThat(node("a", -7).uid()).isEqualTo(-7);
    }

    @Test
    void anUnknownHashFunctionIsABug() {
        assertThatIllegalStateException()
                .isThrownBy(() -> NodeId.hexDigest("no-such-hash", ""))
                .withMessage("every Java platform has no-such-hash");
    }
}
