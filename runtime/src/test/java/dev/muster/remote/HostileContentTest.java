package dev.muster.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.typesafe.config.ConfigFactory;
import dev.muster.cluster.LocalCluster;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.VectorClock;
import dev.muster.serialization.ByteSink;
import dev.muster.serialization.Serialization;
import dev.muster.wire.BoundedGzip;
import dev.muster.wire.ClusterCodec;
import dev.muster.wire.ControlCodec;
import dev.muster.wire.Preamble;
import dev.muster.wire.WireDialect;
import dev.muster.wire.WireException;
import dev.muster.wire.WireException.Reason;
import dev.muster.wire.proto.ClusterAddress;
import dev.muster.wire.proto.ClusterNode;
import dev.muster.wire.proto.CompressionTable;
import dev.muster.wire.proto.Gossip;
import dev.muster.wire.proto.GossipClockEntry;
import dev.muster.wire.proto.GossipEnvelope;
import dev.muster.wire.proto.GossipMember;
import dev.muster.wire.proto.GossipObservation;
import dev.muster.wire.proto.GossipObserver;
import dev.muster.wire.proto.GossipOverview;
import dev.muster.wire.proto.GossipTombstone;
import dev.muster.wire.proto.GossipVersion;
import dev.muster.wire.proto.HandshakeRequest;
import dev.muster.wire.proto.HeartbeatRequest;
import dev.muster.wire.proto.JoinRequest;
import dev.muster.wire.proto.RemoteAddress;
import dev.muster.wire.proto.RemoteNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Frames that are good and whose content is not, from a peer that has proved who it is, on a real socket to a real
 * node. After each of them one counter has gone up, nobody's membership has changed, and actors of two nodes still talk
 * to each other; the connection is closed or kept as docs/hostile-input.md says.
 */
class HostileContentTest {
    private static final int CLUSTER = 5;
    private static final String UNREADABLE = "cluster.unreadable-messages";
    private static final String REFUSED = "cluster.refused.";
    private static final byte GROUP = 0x5b; // field 11 opens a group

    private static AttackedCluster cluster;

    @BeforeAll
    static void start() {
        cluster = new AttackedCluster("content");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static RawPeer knownPeer() {
        RawPeer peer = cluster.stranger().handshake();
        cluster.awaitHeard(peer);
        return peer;
    }

    private static boolean sendToCore(RawPeer peer, String manifest, byte[] bytes) {
        String daemon = cluster.target() + "/system/cluster/core/daemon";
        return peer.send(RawPeer.frame(peer.self.uid(), CLUSTER, daemon, manifest, bytes));
    }

    private static void expectUnreadable(RawPeer peer, String manifest, byte[] bytes) {
        cluster.expectOneMore(UNREADABLE, () -> sendToCore(peer, manifest, bytes));
    }

    /** The same, after a look at whether it is for the reason that the test is about. */
    private static void expectUnreadable(Reason reason, RawPeer peer, String manifest, byte[] bytes) {
        NodeId attacked = cluster.attacked().cluster().self();
        ClusterCodec codec = new ClusterCodec(attacked, JoinConfiguration.UNKNOWN, WireDialect.of(attacked.address()));
        assertThatThrownBy(() -> codec.decode(peer.self, manifest, bytes, 0, bytes.length))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.reason()).isEqualTo(reason));
        expectUnreadable(peer, manifest, bytes);
    }

    private static void expectClosed(String counter, RawPeer peer, byte[] frame) {
        cluster.expectOneMore(counter, () -> {
            peer.send(frame);
            assertThat(peer.isClosedWithin(10_000)).isTrue();
        });
    }

    // --- SEC-04

    @Test
    void whatWouldUnpackToFarMoreIsDropped() {
        byte[] huge = zippedZeros(100 * 1024 * 1024);
        byte[] dense = zippedZeros(4 * 1024 * 1024); // no more than allowed, but of next to nothing
        byte[] liar = huge.clone();
        Arrays.fill(liar, liar.length - 4, liar.length, (byte) 0);
        liar[liar.length - 3] = (byte) 0xf0; // says that it becomes 60 KB

        try (RawPeer peer = knownPeer()) {
            for (byte[] bomb : List.of(huge, dense, liar)) {
                expectUnreadable(Reason.BOMB, peer, "W", bomb);
                expectUnreadable(
                        Reason.BOMB, peer, "GE", envelope(peer.self, bomb).toByteArray());
            }
            cluster.awaitHeard(peer);
        }
    }

    private static byte[] zippedZeros(int count) {
        byte[] zeros = new byte[1024 * 1024];
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            for (int done = 0; done < count; done += zeros.length) {
                out.write(zeros);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return zipped.toByteArray();
    }

    // --- SEC-05

    @Test
    void groupsInGroupsWithoutEndAreDropped() {
        byte[] nested = new byte[200_000];
        Arrays.fill(nested, GROUP);

        try (RawPeer peer = knownPeer()) {
            for (String manifest : new String[] {"HB", "HBR", "GE", "GS", "IJ", "IJA", "IJN", "J", "EC"}) {
                expectUnreadable(Reason.MALFORMED, peer, manifest, nested);
            }
            byte[] zipped = BoundedGzip.zip(Arrays.copyOf(nested, 60_000));
            expectUnreadable(Reason.MALFORMED, peer, "W", zipped);
            expectUnreadable(
                    Reason.MALFORMED, peer, "GE", envelope(peer.self, zipped).toByteArray());
            cluster.awaitHeard(peer);
            // What remoting itself cannot read ends the connection.
            expectClosed("remote.refused.malformed", peer, control(peer, "f", nested));
        }
    }

    @Test
    void moreOfAnythingThanAClusterCanHaveIsDropped() {
        try (RawPeer peer = knownPeer()) {
            JoinRequest.Builder roles = JoinRequest.newBuilder().setNode(node(peer.self));
            for (int i = 0; i < 1_000; i++) {
                roles.addRoles("r" + i);
            }
            Gossip.Builder members = emptyGossip().toBuilder();
            for (int i = 0; i < 20_000; i++) {
                members.addMembers(GossipMember.newBuilder()
                        .setNode(i)
                        .setUpNumber(1 + i * 7)
                        .setStatus(GossipMember.Status.UP));
            }
            byte[] tooMany = BoundedGzip.zip(members.build().toByteArray());
            byte[] once = envelope(peer.self, BoundedGzip.zip(emptyGossip().toByteArray()))
                    .toByteArray();
            byte[] twice = Arrays.copyOf(once, 2 * once.length);
            System.arraycopy(once, 0, twice, once.length, once.length);

            expectUnreadable(Reason.TOO_LARGE, peer, "J", roles.build().toByteArray());
            expectUnreadable(
                    Reason.TOO_LARGE, peer, "GE", envelope(peer.self, tooMany).toByteArray());
            expectUnreadable(Reason.MALFORMED, peer, "GE", twice);
            cluster.awaitHeard(peer);
        }
    }

    /** Nothing is counted for the first message, for there is nothing wrong with it; the second one tells when. */
    @Test
    void unknownFieldsWithoutEndArePassedOver() {
        try (RawPeer peer = knownPeer()) {
            byte[] heartbeat = HeartbeatRequest.newBuilder()
                    .setFrom(address(peer.self))
                    .setSequence(1)
                    .build()
                    .toByteArray();
            byte[] many = Arrays.copyOf(heartbeat, heartbeat.length + 200_000);
            for (int i = heartbeat.length; i < many.length; i += 2) {
                many[i] = 0x58; // field 11, a number
            }
            cluster.expectOneMore(UNREADABLE, () -> {
                sendToCore(peer, "HB", many);
                sendToCore(peer, "HB", new byte[0]);
            });
            cluster.awaitHeard(peer);
        }
    }

    // --- SEC-08

    @Test
    void handshakesOfHostsAndPortsThatCannotBeAreRefused() {
        for (String host : new String[] {"", "a b", "a%b", "a\nb", "a\u0000", "h\u202eh"}) {
            expectHandshakeRefused("remote.refused.bad-text", handshake(host, 2_552));
        }
        expectHandshakeRefused("remote.refused.too-large", handshake("x".repeat(300), 2_552));
        for (int port : new int[] {0, -1, 65_536}) {
            expectHandshakeRefused("remote.refused.malformed", handshake("127.0.0.1", port));
        }
        byte[] broken = handshake("127.0.0.1", 2_552);
        int host = new String(broken, StandardCharsets.ISO_8859_1).indexOf("127.0.0.1");
        broken[host] = (byte) 0xc0; // begins a character that never ends
        expectHandshakeRefused("remote.refused.bad-text", broken);
    }

    private static void expectHandshakeRefused(String counter, byte[] handshake) {
        cluster.expectClosed(
                counter,
                Preamble.of(Preamble.CONTROL),
                RawPeer.frame(7, ControlCodec.SERIALIZER_ID, "", "d", handshake));
    }

    private static byte[] handshake(String host, int port) {
        RemoteAddress.Builder address = RemoteAddress.newBuilder()
                .setProtocol(cluster.target().protocol())
                .setSystem(cluster.target().system());
        RemoteAddress here = address.setHostname(cluster.target().host())
                .setPort(cluster.target().port())
                .build();
        RemoteAddress there = address.setHostname(host).setPort(port).build();
        return HandshakeRequest.newBuilder()
                .setFrom(RemoteNode.newBuilder().setAddress(there).setUid(7))
                .setTo(here)
                .build()
                .toByteArray();
    }

    @Test
    void laterMessagesWithTextsThatAreNoneAreDropped() {
        try (RawPeer peer = knownPeer()) {
            String somebody = cluster.target() + "/user/echo";
            for (String place : new String[] {"a b:1", "a%b:1", ":1", "host:0", "host:-1", "host:65536", "host:x"}) {
                String nowhere = "muster://content@" + place + "/user/echo";
                expectBadText(peer, frame(peer, nowhere, somebody));
                expectBadText(peer, frame(peer, "", nowhere));
            }
            expectBadText(peer, frame(peer, "", "echo"));
            expectBadText(peer, frame(peer, "", cluster.target() + "/user/ech\u0007o"));
            expectBadText(peer, control(peer, "f", table(peer, "a\nb")));
            JoinRequest join = JoinRequest.newBuilder()
                    .setNode(node(peer.self))
                    .addRoles("a\r\nFATAL: b")
                    .build();
            expectUnreadable(Reason.BAD_TEXT, peer, "J", join.toByteArray());
            cluster.awaitHeard(peer);
        }
    }

    private static void expectBadText(RawPeer peer, byte[] frame) {
        cluster.expectOneMore("remote.dropped.bad-text", () -> peer.send(frame));
    }

    private static byte[] frame(RawPeer peer, String sender, String recipient) {
        Written text = written("hello");
        return RawPeer.frame(peer.self.uid(), text.serializerId(), sender, recipient, text.manifest(), text.bytes());
    }

    private static byte[] table(RawPeer peer, String key) {
        RemoteAddress address = RemoteAddress.newBuilder()
                .setProtocol(peer.self.address().protocol())
                .setSystem(peer.self.address().system())
                .setHostname(peer.self.address().host())
                .setPort(peer.self.address().port())
                .build();
        return CompressionTable.newBuilder()
                .setFrom(RemoteNode.newBuilder().setAddress(address).setUid(peer.self.uid()))
                .setOriginUid(cluster.attacked().cluster().self().uid())
                .setVersion(1)
                .addKeys(key)
                .addValues(0)
                .build()
                .toByteArray();
    }

    // --- SEC-10

    @Test
    void anActorsMessageUnderTheLabelOfAnotherIsDropped() {
        Written number = written(4_711L);
        Written flag = written(true);
        Written text = written("hello");

        try (RawPeer peer = knownPeer()) {
            for (Written label : List.of(number, flag)) {
                cluster.expectOneMore(
                        "remote.unreadable-messages",
                        () -> peer.send(RawPeer.frame(
                                peer.self.uid(),
                                label.serializerId(),
                                cluster.target() + "/user/echo",
                                label.manifest(),
                                text.bytes())));
            }
            cluster.awaitHeard(peer);
        }
    }

    @Test
    void aMessageOfTheClusterUnderTheLabelOfAnotherIsDropped() {
        try (RawPeer peer = knownPeer()) {
            byte[] gossip = envelope(peer.self, BoundedGzip.zip(emptyGossip().toByteArray()))
                    .toByteArray();
            for (String manifest : new String[] {"W", "GS", "HB", "HBR", "J", "EC", "L", "D", "IJ", "IJA", "IJN"}) {
                expectUnreadable(peer, manifest, gossip);
            }
            byte[] heartbeat = HeartbeatRequest.newBuilder()
                    .setFrom(address(peer.self))
                    .build()
                    .toByteArray();
            for (String manifest : new String[] {"GE", "GS", "W", "J"}) {
                expectUnreadable(peer, manifest, heartbeat);
            }
            cluster.awaitHeard(peer);
            // What remoting itself cannot read ends the connection.
            expectClosed("remote.refused.malformed", peer, control(peer, "n", gossip));
        }
    }

    // --- SEC-11, SEC-14

    @Test
    void gossipOfSomebodyWhoIsNoMemberChangesNothing() {
        try (RawPeer peer = knownPeer()) {
            byte[] asMember = gossip(g -> {
                g.addNodes(node(peer.self));
                g.addMembers(g.getMembers(0).toBuilder().setNode(g.getNodesCount() - 1));
                setClock(g, peer.self.clockKey(), 1);
            });
            expectRefused(
                    "from-non-member",
                    () -> sendToCore(peer, "GE", envelope(peer.self, asMember).toByteArray()));
            cluster.awaitHeard(peer);
        }
    }

    @Test
    void gossipWithClocksThatCannotBeIsRefusedAsAWhole() {
        NodeId attacked = cluster.attacked().cluster().self();
        NodeId member = cluster.other().cluster().self();
        try (RawPeer bad = memberGoneBad()) {
            expectGossipRefused("claims-my-changes", bad, g -> setClock(g, attacked.clockKey(), 1_000_000));
            expectGossipRefused("claims-my-changes", bad, g -> setClock(g, attacked.clockKey(), Long.MAX_VALUE));
            expectGossipRefused("clock-out-of-range", bad, g -> setClock(g, member.clockKey(), Long.MAX_VALUE));
            expectGossipRefused("clock-out-of-range", bad, g -> setClock(g, "nobody", Long.MAX_VALUE));
            expectGossipRefused("clock-out-of-range", bad, g -> setClock(g, "nobody", (1L << 32) + 1));
            expectGossipUnreadable(bad, g -> setClock(g, "nobody", 0));
            expectGossipUnreadable(bad, g -> setClock(g, "nobody", -1));
            expectGossipUnreadable(bad, g -> g.addClockKeys("a\nb"));
            cluster.awaitHeard(bad);
        }
    }

    @Test
    void gossipWithForbiddenContentIsRefusedAsAWhole() {
        NodeId attacked = cluster.attacked().cluster().self();
        try (RawPeer bad = memberGoneBad()) {
            expectGossipRefused("without-me", bad, g -> removeMember(g, attacked));
            expectGossipRefused(
                    "claims-my-changes",
                    bad,
                    g -> g.getOverviewBuilder()
                            .addObservers(GossipObserver.newBuilder()
                                    .setObserver(placeOf(g, attacked))
                                    .setVersion(1_000)
                                    .addObservations(GossipObservation.newBuilder()
                                            .setSubject(1 - placeOf(g, attacked))
                                            .setStatus(GossipObservation.Status.TERMINATED)
                                            .setVersion(1_000))));
            expectGossipRefused("other-system", bad, HostileContentTest::addMemberOfAnotherSystem);
            expectGossipUnreadable(bad, g -> g.setMembers(0, withStatus(g.getMembers(0), 17)));
            expectGossipUnreadable(bad, g -> g.getMembersBuilder(0).setStatus(GossipMember.Status.REMOVED));
            expectGossipUnreadable(bad, g -> g.addMembers(g.getMembers(0)));
            expectGossipUnreadable(bad, g -> g.getMembersBuilder(0).setNode(17));
            expectGossipUnreadable(bad, g -> g.getOverviewBuilder().addSeen(17));
            expectGossipUnreadable(
                    bad,
                    g -> g.addTombstones(
                            GossipTombstone.newBuilder().setNode(0).setRemovedAtMillis(1))); // member and removed
            cluster.awaitHeard(bad);
        }
    }

    /** Nothing is counted for what is harmless; the message behind it tells when it has been dealt with. */
    @Test
    void oldAndRepeatedGossipChangesNothing() {
        NodeId attacked = cluster.attacked().cluster().self();
        NodeId member = cluster.other().cluster().self();
        VectorClock version = version();
        byte[] present = gossip(g -> {});
        byte[] old = gossip(g -> {
            g.getMembersBuilder(memberAt(g, member)).setStatus(GossipMember.Status.JOINING);
            setClock(g, attacked.clockKey(), 1);
        });
        try (RawPeer bad = memberGoneBad()) {
            cluster.expectOneMore(REFUSED + "without-me", () -> {
                for (byte[] gossip : List.of(old, present, old, old, present)) {
                    sendToCore(bad, "GE", envelope(member, gossip).toByteArray());
                }
                sendToCore(
                        bad,
                        "GE",
                        envelope(member, gossip(g -> removeMember(g, attacked))).toByteArray());
            });
            assertThat(version()).isEqualTo(version);
            cluster.awaitHeard(bad);
        }
    }

    /** Clock entries of nodes that are not known here are kept; when somebody was removed is for people to read. */
    @Test
    void strangeClockEntriesAndStampsFromTheFutureAreKeptAndDoNoHarm() {
        NodeId member = cluster.other().cluster().self();
        NodeId gone = new NodeId(new NodeAddress("muster", "content", "127.0.0.1", 9), 9);
        String members = cluster.membership();
        try (RawPeer bad = memberGoneBad()) {
            byte[] gossip = gossip(g -> {
                setClock(g, "somebody unknown", 7);
                g.addNodes(node(gone));
                g.addTombstones(GossipTombstone.newBuilder()
                        .setNode(g.getNodesCount() - 1)
                        .setRemovedAtMillis(Long.MAX_VALUE));
            });
            sendToCore(bad, "GE", envelope(member, gossip).toByteArray());
            for (LocalCluster.Node node : List.of(cluster.attacked(), cluster.other())) {
                cluster.await("all nodes know it and agree", () -> {
                    ClusterSnapshot snapshot = node.cluster().snapshot();
                    return snapshot.state().version().counterOf("somebody unknown") == 7
                            && snapshot.state().tombstones().has(gone)
                            && snapshot.converged();
                });
            }
            assertThat(cluster.membership()).isEqualTo(members);
            cluster.assertIsWell();
            cluster.awaitHeard(bad);
        }
    }

    /**
     * The other node has joined as it should and goes on as it should; this speaks in its name, on a stream that it
     * does not use itself.
     */
    private static RawPeer memberGoneBad() {
        RawPeer bad = RawPeer.inTheNameOf(cluster.other().cluster().self(), cluster.target())
                .introduce(Preamble.LARGE);
        cluster.awaitHeard(bad);
        return bad;
    }

    private static void expectRefused(String refusal, Runnable hostility) {
        VectorClock version = version();
        cluster.expectOneMore(REFUSED + refusal, hostility);
        assertThat(version()).isEqualTo(version);
    }

    private static void expectGossipRefused(String refusal, RawPeer bad, Consumer<Gossip.Builder> change) {
        byte[] gossip = envelope(bad.self, gossip(change)).toByteArray();
        expectRefused(refusal, () -> sendToCore(bad, "GE", gossip));
    }

    private static void expectGossipUnreadable(RawPeer bad, Consumer<Gossip.Builder> change) {
        VectorClock version = version();
        expectUnreadable(bad, "GE", envelope(bad.self, gossip(change)).toByteArray());
        assertThat(version()).isEqualTo(version);
    }

    private static VectorClock version() {
        return cluster.attacked().cluster().snapshot().state().version();
    }

    /** What the other node would say now, with a change. */
    private static byte[] gossip(Consumer<Gossip.Builder> change) {
        NodeId member = cluster.other().cluster().self();
        NodeId attacked = cluster.attacked().cluster().self();
        ClusterState state = cluster.other().cluster().snapshot().state();
        byte[] honest = new ClusterCodec(member, JoinConfiguration.UNKNOWN, WireDialect.of(member.address()))
                .encode(new GossipMessage.GossipState(attacked, state), attacked.address())
                .bytes();
        try {
            byte[] zipped = GossipEnvelope.parseFrom(honest).getZippedGossip().toByteArray();
            Gossip.Builder gossip = Gossip.newBuilder()
                    .mergeFrom(BoundedGzip.unzip(zipped, 0, zipped.length, 1024 * 1024, BoundedGzip.MOST_RATIO));
            change.accept(gossip);
            return BoundedGzip.zip(gossip.buildPartial().toByteArray());
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void setClock(Gossip.Builder gossip, String key, long counter) {
        int place = gossip.getClockKeysList().indexOf(key);
        if (place < 0) {
            gossip.addClockKeys(key);
            gossip.getVersionBuilder()
                    .addEntries(GossipClockEntry.newBuilder()
                            .setClockKey(gossip.getClockKeysCount() - 1)
                            .setCounter(counter));
            return;
        }
        for (GossipClockEntry.Builder entry : gossip.getVersionBuilder().getEntriesBuilderList()) {
            if (entry.getClockKey() == place) {
                entry.setCounter(counter);
            }
        }
    }

    private static int placeOf(Gossip.Builder gossip, NodeId id) {
        return gossip.getNodesList().indexOf(node(id));
    }

    private static int memberAt(Gossip.Builder gossip, NodeId id) {
        int place = placeOf(gossip, id);
        for (int i = 0; i < gossip.getMembersCount(); i++) {
            if (gossip.getMembers(i).getNode() == place) {
                return i;
            }
        }
        throw new IllegalStateException(id + " is no member");
    }

    private static void removeMember(Gossip.Builder gossip, NodeId id) {
        gossip.removeMembers(memberAt(gossip, id));
        gossip.getOverviewBuilder().clearSeen(); // only members can have seen it
    }

    private static void addMemberOfAnotherSystem(Gossip.Builder gossip) {
        gossip.addNodes(node(new NodeId(new NodeAddress("muster", "elsewhere", "127.0.0.1", 9), 9)));
        gossip.addMembers(gossip.getMembers(0).toBuilder().setNode(gossip.getNodesCount() - 1));
    }

    private static GossipMember withStatus(GossipMember member, int status) {
        UnknownFieldSet.Field number =
                UnknownFieldSet.Field.newBuilder().addVarint(status).build();
        return member.toBuilder()
                .clearStatus()
                .setUnknownFields(
                        UnknownFieldSet.newBuilder().addField(3, number).build())
                .buildPartial();
    }

    // --- Making such things

    /** What a message is when it travels. */
    private record Written(int serializerId, String manifest, byte[] bytes) {}

    private static Written written(Object message) {
        ByteSink sink = new ByteSink();
        Serialization.Label label = Serialization.from(ConfigFactory.load()).write(message, null, sink);
        return new Written(label.serializerId(), label.manifest(), Arrays.copyOf(sink.array(), sink.length()));
    }

    private static byte[] control(RawPeer peer, String manifest, byte[] bytes) {
        return RawPeer.frame(peer.self.uid(), ControlCodec.SERIALIZER_ID, "", manifest, bytes);
    }

    private static ClusterAddress address(NodeId id) {
        return ClusterAddress.newBuilder()
                .setSystem(id.address().system())
                .setHostname(id.address().host())
                .setPort(id.address().port())
                .setProtocol(id.address().protocol())
                .build();
    }

    private static ClusterNode node(NodeId id) {
        return ClusterNode.newBuilder()
                .setAddress(address(id))
                .setUidLow((int) id.uid())
                .setUidHigh((int) (id.uid() >>> 32))
                .build();
    }

    private static Gossip emptyGossip() {
        return Gossip.newBuilder()
                .setOverview(GossipOverview.getDefaultInstance())
                .setVersion(GossipVersion.getDefaultInstance())
                .build();
    }

    private static GossipEnvelope envelope(NodeId from, byte[] zipped) {
        return GossipEnvelope.newBuilder()
                .setFrom(node(from))
                .setTo(node(cluster.attacked().cluster().self()))
                .setZippedGossip(ByteString.copyFrom(zipped))
                .build();
    }
}
