package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.HeartbeatMessage;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bytes that were checked against another implementation of this wire. */
class WireVectorsTest {
    private static final NodeId M = new NodeId(NodeAddress.parse("pekko://Wire@127.0.0.1:2560"), 0x0123456789ABCDEFL);
    private static final NodeId N = new NodeId(NodeAddress.parse("pekko://Wire@127.0.0.1:2551"), -2);

    private static final String M_REMOTE =
            "0a1b0a0570656b6b6f1204576972651a093132372e302e302e3120801410ef9bafcdf8acd19101";
    private static final String N_REMOTE_ADDRESS = "0a0570656b6b6f1204576972651a093132372e302e302e3120f713";
    private static final String N_REMOTE = "0a1b" + N_REMOTE_ADDRESS + "10feffffffffffffffff01";
    private static final String M_CLUSTER_ADDRESS = "0a045769726512093132372e302e302e31188014220570656b6b6f";
    private static final String M_CLUSTER = "0a1b" + M_CLUSTER_ADDRESS + "10ef9bafcd0818e78a8d09";
    private static final String N_CLUSTER =
            "0a1b0a045769726512093132372e302e302e3118f713220570656b6b6f10feffffff0f18ffffffff0f";

    @Test
    void handshakeNamesTheSenderAndWhomItMeans() {
        ControlMessage handshake = new ControlMessage.HandshakeReq(M, N.address());

        assertWritten(ControlCodec.encode(handshake), 17, "d", "0a27" + M_REMOTE + "121b" + N_REMOTE_ADDRESS);
        assertThat(control("d", "0a27" + M_REMOTE + "121b" + N_REMOTE_ADDRESS)).isEqualTo(handshake);
    }

    @Test
    void nodesOfRemotingHaveAUidOfUpToTenBytes() {
        ControlMessage quarantined = new ControlMessage.Quarantined(M, N);

        assertWritten(ControlCodec.encode(quarantined), 17, "a", "0a27" + M_REMOTE + "1228" + N_REMOTE);
        assertThat(control("a", "0a27" + M_REMOTE + "1228" + N_REMOTE)).isEqualTo(quarantined);
    }

    @Test
    void nodesOfTheClusterHaveAUidInTwoHalves() {
        assertWritten(written(M, new JoinMessage.ExitConfirmed()), 5, "EC", M_CLUSTER);
        assertWritten(written(N, new JoinMessage.ExitConfirmed()), 5, "EC", N_CLUSTER);
        assertThat(cluster(M, "EC", M_CLUSTER)).isEqualTo(new ClusterMessage.Core(M, new JoinMessage.ExitConfirmed()));
        assertThat(cluster(N, "EC", N_CLUSTER)).isEqualTo(new ClusterMessage.Core(N, new JoinMessage.ExitConfirmed()));
    }

    @Test
    void aMissingUpperHalfOfTheUidIsTheSignOfTheLowerOne() {
        String withoutUpperHalf = N_CLUSTER.substring(0, N_CLUSTER.length() - 12);

        assertThat(cluster(N, "EC", withoutUpperHalf))
                .isEqualTo(new ClusterMessage.Core(N, new JoinMessage.ExitConfirmed()));
    }

    @Test
    void creationTimeIsZigzagInAHeartbeatAndPlainInItsAnswer() {
        assertWritten(
                written(M, new HeartbeatMessage.Heartbeat(3, -1)), 5, "HB", "0a1b" + M_CLUSTER_ADDRESS + "10031801");
        assertWritten(written(M, new HeartbeatMessage.HeartbeatReply(3, 5)), 5, "HBR", "0a28" + M_CLUSTER + "10031805");
        assertThat(cluster(M, "HB", "0a1b" + M_CLUSTER_ADDRESS + "10031801"))
                .isEqualTo(new ClusterMessage.Core(M, new HeartbeatMessage.Heartbeat(3, -1)));
        assertThat(cluster(M, "HBR", "0a28" + M_CLUSTER + "10031805"))
                .isEqualTo(new ClusterMessage.Core(M, new HeartbeatMessage.HeartbeatReply(3, 5)));
    }

    @Test
    void usersActionsAreBareAddresses() {
        assertWritten(ClusterCodec.encode(new ClusterMessage.Leave(M.address())), 5, "L", M_CLUSTER_ADDRESS);
        assertThat(cluster(N, "L", M_CLUSTER_ADDRESS)).isEqualTo(new ClusterMessage.Leave(M.address()));
        assertThat(cluster(N, "D", M_CLUSTER_ADDRESS)).isEqualTo(new ClusterMessage.Down(M.address()));
    }

    @Test
    void longManifestsMeanTheSameAsShortOnes() {
        assertThat(cluster(N, "org.apache.pekko.cluster.ClusterUserAction$Leave", M_CLUSTER_ADDRESS))
                .isEqualTo(new ClusterMessage.Leave(M.address()));
        assertThat(cluster(M, "org.apache.pekko.cluster.ClusterHeartbeatSender$Heartbeat", M_CLUSTER_ADDRESS))
                .isEqualTo(new ClusterMessage.Core(M, new HeartbeatMessage.Heartbeat(-1, -1)));
        assertThat(cluster(M, "org.apache.pekko.cluster.ClusterHeartbeatSender$HeartbeatRsp", M_CLUSTER))
                .isEqualTo(new ClusterMessage.Core(M, new HeartbeatMessage.HeartbeatReply(-1, -1)));
    }

    @Test
    void clockKeysAndRingAndSeenDigestAreThoseOfTheWire() {
        Members members = Members.of(List.of(up(M), up(N)));
        ClusterState state = ClusterState.of(
                members,
                Tombstones.NONE,
                Reachability.ALL_REACHABLE,
                VectorClock.EMPTY,
                SeenSet.only(0).with(1));

        assertThat(M.clockKey()).isEqualTo("b19514588287991e6b3b11217053cebb");
        assertThat(N.clockKey()).isEqualTo("59ad697baf4802293160b17534a0e588");
        assertThat(M.ringHash()).isEqualTo(-2004318072);
        assertThat(N.ringHash()).isEqualTo(1);
        assertThat(state.seenDigest().hex()).isEqualTo("b7d601e7c77b937ae34fb21f78ef445994a0aefb");
    }

    private static Member up(NodeId id) {
        return new Member(id, MemberStatus.UP, 1, List.of(), "0.0.0");
    }

    private static Payload written(NodeId self, CoreMessage message) {
        return Samples.codec(self).encode(message, N.address());
    }

    private static void assertWritten(Payload payload, int serializer, String manifest, String hex) {
        assertThat(payload.serializerId()).isEqualTo(serializer);
        assertThat(payload.manifest()).isEqualTo(manifest);
        assertThat(HexFormat.of().formatHex(payload.bytes())).isEqualTo(hex);
    }

    private static ControlMessage control(String manifest, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        return ControlCodec.decode(manifest, bytes, 0, bytes.length);
    }

    private static ClusterMessage cluster(NodeId from, String manifest, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        return Samples.codec(N).decode(from, manifest, bytes, 0, bytes.length);
    }
}
