package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.muster.core.exchange.GossipMessage.GossipState;
import dev.muster.core.exchange.HeartbeatMessage.Heartbeat;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.handoff.GateMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.wire.WireException.Reason;
import dev.muster.wire.proto.ClusterAddress;
import dev.muster.wire.proto.ClusterNode;
import dev.muster.wire.proto.CompressionTable;
import dev.muster.wire.proto.ConfirmedMessage;
import dev.muster.wire.proto.GateLetterMessage;
import dev.muster.wire.proto.Gossip;
import dev.muster.wire.proto.GossipClockEntry;
import dev.muster.wire.proto.GossipEnvelope;
import dev.muster.wire.proto.GossipMember;
import dev.muster.wire.proto.GossipObservation;
import dev.muster.wire.proto.GossipObserver;
import dev.muster.wire.proto.GossipOverview;
import dev.muster.wire.proto.GossipTombstone;
import dev.muster.wire.proto.GossipVersion;
import dev.muster.wire.proto.HandedMessage;
import dev.muster.wire.proto.HandshakeRequest;
import dev.muster.wire.proto.JoinRequest;
import dev.muster.wire.proto.MoveMessage;
import dev.muster.wire.proto.PassedOnMessage;
import dev.muster.wire.proto.PrepareItem;
import dev.muster.wire.proto.RemoteAddress;
import dev.muster.wire.proto.RemoteNode;
import dev.muster.wire.proto.SeedContactMessage;
import dev.muster.wire.proto.SelectionElement;
import dev.muster.wire.proto.SelectionEnvelope;
import dev.muster.wire.proto.StateItem;
import dev.muster.wire.proto.SystemMessageAck;
import dev.muster.wire.proto.SystemMessageEnvelope;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** One test for each kind of malice that somebody may put into a message. */
class HostileInputTest {
    private static final NodeId SELF = new NodeId(NodeAddress.parse("pekko://Sys@self:1"), 1);
    private static final NodeId PEER = new NodeId(NodeAddress.parse("pekko://Sys@peer:2"), 2);
    private static final NodeId OTHER = new NodeId(NodeAddress.parse("pekko://Sys@other:3"), 3);

    private final ClusterCodec codec = Samples.codec(SELF);

    // --- Who says so
    // --------------------------------------------------------------------------------------------------

    @Test
    void whoClaimsToBeSomebodyElseIsRefused() {
        ClusterState state = new Samples(1).state(3);
        List<Payload> lies = List.of(
                Samples.codec(OTHER).encode(new GossipState(SELF, state), SELF.address()),
                Samples.codec(OTHER).encode(new JoinMessage.Welcome(SELF, state), SELF.address()),
                Samples.codec(OTHER).encode(new JoinMessage.Join(List.of(), "1", Samples.OWN), SELF.address()),
                Samples.codec(OTHER).encode(new JoinMessage.SeedWelcomes(List.of()), SELF.address()),
                Samples.codec(OTHER).encode(new JoinMessage.SeedIsNoMember(), SELF.address()),
                Samples.codec(OTHER).encode(new JoinMessage.ExitConfirmed(), SELF.address()),
                Samples.codec(OTHER).encode(new Heartbeat(1, 1), SELF.address()));

        for (Payload lie : lies) {
            assertRefused(Reason.WRONG_SENDER, () -> decode(lie.manifest(), lie.bytes()));
        }
    }

    @Test
    void anotherIncarnationIsSomebodyElse() {
        NodeId earlier = new NodeId(PEER.address(), 1_000);
        Payload lie = Samples.codec(earlier).encode(new JoinMessage.ExitConfirmed(), SELF.address());

        assertRefused(Reason.WRONG_SENDER, () -> decode(lie.manifest(), lie.bytes()));
    }

    // --- What kind
    // ----------------------------------------------------------------------------------------------------

    @Test
    void unknownManifestsAreNamedWithoutTheirPoison() {
        String poison = "\u001b[31mX\r\n\u202e" + "y".repeat(70_000);
        for (String manifest : new String[] {"", "PS", "CRP", "ZZ", "old HB", "java.lang.String", poison}) {
            WireException refusal = assertRefused(Reason.UNKNOWN_MANIFEST, () -> decode(manifest, new byte[0]));
            assertThat(refusal.getMessage()).hasSizeLessThan(220).doesNotContain("\r", "\n", "\u001b", "\u202e");
            assertThat(refusal.getStackTrace()).isEmpty();
        }
        assertRefused(Reason.UNKNOWN_MANIFEST, () -> ControlCodec.decode("z", new byte[0], 0, 0));
        assertRefused(Reason.UNKNOWN_MANIFEST, () -> ControlCodec.decode("dd", new byte[0], 0, 0));
        assertRefused(Reason.UNKNOWN_MANIFEST, () -> MiscCodec.decode("C", new byte[0], 0, 0));
    }

    @Test
    void bytesOfOneKindAreNotReadAsAnother() {
        Samples samples = new Samples(5);
        byte[] gossip = Samples.codec(PEER)
                .encode(new GossipState(SELF, samples.state(5)), SELF.address())
                .bytes();
        for (String manifest : new String[] {"a", "d", "f", "j", "k", "n", "p"}) {
            assertRefused(null, () -> ControlCodec.decode(manifest, gossip, 0, gossip.length));
        }
        for (String manifest : new String[] {"W", "GS", "HB", "HBR", "J", "EC", "L", "IJA", "IJ"}) {
            assertRefused(null, () -> decode(manifest, gossip));
        }
    }

    @Test
    void whatGatesNeverSayIsRefused() {
        assertGateRefused(
                Reason.UNKNOWN_MANIFEST,
                "HX",
                MoveMessage.newBuilder().setToUid(1).setMove(1));
        assertGateRefused(
                Reason.MALFORMED, "HA", MoveMessage.newBuilder().setToUid(1).setMove(0));
        assertGateRefused(
                Reason.MALFORMED, "HA", MoveMessage.newBuilder().setToUid(1).setMove(Long.MAX_VALUE));
        HandedMessage.Builder handed =
                HandedMessage.newBuilder().setToUid(1).setMove(1).setNumber(1);
        assertGateRefused(Reason.MALFORMED, "HI", handed.clone());
        assertGateRefused(Reason.MALFORMED, "HI", handed.clone().setYourTurn(false));
        assertGateRefused(
                Reason.MALFORMED, "HI", handed.clone().setYourTurn(true).setAllSwitched(true));
        assertGateRefused(
                Reason.MALFORMED, "HI", handed.clone().setYourTurn(true).setNumber(-1));
        assertGateRefused(
                Reason.TOO_LARGE,
                "HI",
                handed.clone()
                        .setState(StateItem.newBuilder()
                                .setBytes(ByteString.copyFrom(new byte[Limits.STATE_PART_BYTES + 1]))
                                .setIsLast(true)));
        PrepareItem.Builder prepare = PrepareItem.newBuilder()
                .setOption2(3)
                .setOption3(0)
                .setOption4(0)
                .setHasState(true);
        assertGateRefused(Reason.MALFORMED, "HI", handed.clone().setPrepare(prepare));
        PassedOnMessage.Builder passed =
                PassedOnMessage.newBuilder().setToUid(1).setLetter(GateLetterMessage.newBuilder());
        assertGateRefused(Reason.MALFORMED, "HP", passed.clone().setHops(9));
        assertGateRefused(Reason.MALFORMED, "HP", passed.clone().setHops(-1));
        assertGateRefused(
                Reason.BAD_TEXT,
                "HC",
                ConfirmedMessage.newBuilder()
                        .setToUid(1)
                        .setMove(1)
                        .setNumber(1)
                        .setIsReady(true)
                        .setHasGap(false)
                        .setFailure("a\nb"));
    }

    /** Whoever hands it over would send it again and again if it were refused. */
    @Test
    void ofALetterThatCannotBeReadItsPlaceIsLeft() {
        GateLetterMessage.Builder half = GateLetterMessage.newBuilder().setSerializer(1);
        byte[] handed = HandedMessage.newBuilder()
                .setToUid(1)
                .setMove(2)
                .setNumber(3)
                .setLetter(half)
                .build()
                .toByteArray();
        GateLetter unreadable = GateLetter.unreadable("letter is missing");
        assertThat(GateCodec.decode("HI", handed, 0, handed.length, letter -> letter))
                .isEqualTo(new GateCodec.Received<>(
                        1, new GateMessage.Handed<>(2, 3, new GateMessage.Item.Message<>(unreadable))));
    }

    @Test
    void aLetterWithAMarkThatNobodyKnowsCannotBeRead() {
        GateLetterMessage.Builder letter = GateLetterMessage.newBuilder()
                .setSerializer(20)
                .setManifest("")
                .setBytes(ByteString.copyFromUtf8("hello"));
        for (int mark : new int[] {Integer.MIN_VALUE, -1, 0, 2, Integer.MAX_VALUE}) {
            assertThat(passedOn(letter.setMark(mark)))
                    .isEqualTo(GateLetter.unreadable("mark must be between 1 and 1, was " + mark));
        }
        assertThat(passedOn(letter.setMark(1)).isForAll()).isTrue();
        assertThat(passedOn(letter.clearMark()).isForAll()).isFalse();
    }

    private static GateLetter passedOn(GateLetterMessage.Builder letter) {
        byte[] bytes = PassedOnMessage.newBuilder()
                .setToUid(1)
                .setHops(0)
                .setLetter(letter)
                .build()
                .toByteArray();
        GateMessage<GateLetter> read =
                GateCodec.decode("HP", bytes, 0, bytes.length, it -> it).message();
        return ((GateMessage.PassedOn<GateLetter>) read).message();
    }

    @Test
    void aLetterMayBeAsLargeAsItsFrame() {
        GateLetter letter = new GateLetter(Optional.of(new Payload(1, "", new byte[Limits.MESSAGE_BYTES + 1])), "");
        Payload written = GateCodec.encode(1, new GateMessage.PassedOn<>(letter, 1), it -> it);
        GateMessage<GateLetter> read = GateCodec.decode(
                        written.manifest(), written.bytes(), 0, written.bytes().length, it -> it)
                .message();
        assertThat(((GateMessage.PassedOn<GateLetter>) read).message().content())
                .hasValueSatisfying(it -> assertThat(it.bytes()).hasSize(Limits.MESSAGE_BYTES + 1));
    }

    private static void assertGateRefused(Reason reason, String manifest, Message.Builder message) {
        byte[] bytes = message.buildPartial().toByteArray();
        assertRefused(reason, () -> GateCodec.decode(manifest, bytes, 0, bytes.length, letter -> letter));
    }

    // --- Shape
    // --------------------------------------------------------------------------------------------------------

    @Test
    void whatIsMissingIsNamed() {
        assertThat(assertRefused(Reason.MALFORMED, () -> ControlCodec.decode("d", new byte[0], 0, 0)))
                .hasMessage("from is missing");
        assertThat(assertRefused(Reason.MALFORMED, () -> SystemMessageCodec.decode(new byte[0], 0, 0)))
                .hasMessage("type is missing");
        assertRefused(Reason.MALFORMED, () -> SelectionCodec.decode(new byte[0], 0, 0));
        assertRefused(Reason.MALFORMED, () -> decode("GE", new byte[0]));
        assertRefused(Reason.MALFORMED, () -> decode("IJN", new byte[0]));
        assertRefused(Reason.MALFORMED, () -> SystemMessageCodec.decode(new byte[] {8, 6}, 0, 2));
    }

    @Test
    void lengthsThatPointOutsideAreRefusedBeforeAnythingIsMade() {
        for (byte[] lie : new byte[][] {
            {10, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7}, // 2^31 - 1 bytes
            {10, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 15}, // 2^32 - 1 bytes
            {10, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1}, // minus one
            {10, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1}, // a number without end
            {10, 5, 1, 2}
        }) {
            assertRefused(Reason.MALFORMED, () -> ControlCodec.decode("d", lie, 0, lie.length));
        }
    }

    @Test
    void groupsAndTheirNestingAreRefused() {
        byte[] nested = new byte[100_000];
        Arrays.fill(nested, (byte) 0x5b); // field 11 opens a group

        assertRefused(Reason.MALFORMED, () -> ControlCodec.decode("d", nested, 0, nested.length));
    }

    @Test
    void aMillionUnknownFieldsCostNothing() {
        byte[] handshake = ControlCodec.encode(new ControlMessage.HandshakeReq(PEER, SELF.address()))
                .bytes();
        byte[] many = Arrays.copyOf(handshake, handshake.length + 2_000_000);
        for (int i = handshake.length; i < many.length; i += 2) {
            many[i] = 0x58; // field 11, a number
        }

        assertThat(ControlCodec.decode("d", many, 0, many.length))
                .isEqualTo(new ControlMessage.HandshakeReq(PEER, SELF.address()));
    }

    @Test
    void buffersAreNotLeft() {
        for (int[] range : new int[][] {{-1, 2}, {0, 11}, {11, 0}, {5, 6}, {0, -1}, {Integer.MAX_VALUE, 1}}) {
            assertRefused(null, () -> ControlCodec.decode("d", new byte[10], range[0], range[1]));
        }
    }

    // --- Texts
    // --------------------------------------------------------------------------------------------------------

    @Test
    void addressesWithForbiddenCharactersOrPortsAreRefused() {
        for (String host : new String[] {"", "a b", "a%b", "a\nb", "a\u0000", "h\u202eh", "x".repeat(300)}) {
            WireException refusal = assertRefused(null, () -> handshake(host, 1));
            assertThat(refusal.getMessage())
                    .doesNotContain("\n", "\u0000", "\u202e")
                    .hasSizeLessThan(400);
        }
        for (int port : new int[] {0, -1, 65_536, Integer.MAX_VALUE}) {
            assertRefused(Reason.MALFORMED, () -> handshake("host", port));
        }
    }

    @Test
    void textsThatAreNoUtf8AreRefused() {
        RemoteAddress address = address("host", 1);
        byte[] bytes = request(address).toByteArray();
        int host = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("host");
        bytes[host] = (byte) 0xc0; // begins a character that never ends
        bytes[host + 1] = (byte) 0x80;

        assertRefused(Reason.BAD_TEXT, () -> ControlCodec.decode("d", bytes, 0, bytes.length));
    }

    @Test
    void rolesWithControlCharactersAreRefused() {
        JoinRequest join = JoinRequest.newBuilder()
                .setNode(cluster(PEER))
                .addRoles("a\r\nFATAL: b")
                .build();

        assertRefused(Reason.BAD_TEXT, () -> decode("J", join.toByteArray()));
    }

    @Test
    void tooManyRolesOrTooLongOnesAreRefused() {
        JoinRequest.Builder many = JoinRequest.newBuilder().setNode(cluster(PEER));
        for (int i = 0; i < 1_000; i++) {
            many.addRoles("r" + i);
        }
        JoinRequest large = JoinRequest.newBuilder()
                .setNode(cluster(PEER))
                .addRoles("r".repeat(10_000))
                .build();

        assertRefused(Reason.TOO_LARGE, () -> decode("J", many.build().toByteArray()));
        assertRefused(Reason.TOO_LARGE, () -> decode("J", large.toByteArray()));
    }

    // --- Configuration
    // ------------------------------------------------------------------------------------------------

    @Test
    void aConfigurationCannotReachForFilesOrTheEnvironment() {
        for (String text : new String[] {
            "include \"/etc/passwd\"",
            "include file(\"/etc/passwd\")",
            "{\"muster\":{\"cluster\":{\"wire-version\":${HOME}}}}",
            "muster.cluster.wire-version=1",
            "[1]",
            "",
            "{",
            "{\"a\":1}}"
        }) {
            assertRefused(Reason.MALFORMED, () -> contact(text));
        }
    }

    @Test
    void aDeepOrLargeConfigurationIsRefused() {
        assertRefused(Reason.TOO_LARGE, () -> contact("[".repeat(30_000)));
        assertRefused(Reason.TOO_LARGE, () -> contact("{\"a\":".repeat(6_000)));
        assertRefused(Reason.TOO_LARGE, () -> contact("{\"a\":\"" + "x".repeat(40_000) + "\"}"));
        StringBuilder many = new StringBuilder("{\"muster\":{\"a\":1");
        for (int i = 0; i < 1_000; i++) {
            many.append(",\"k").append(i).append("\":1");
        }
        assertRefused(Reason.TOO_LARGE, () -> contact(many.append("}}").toString()));
    }

    @Test
    void aConfigurationValueThatBreaksLogLinesIsRefused() {
        assertRefused(Reason.BAD_TEXT, () -> contact("{\"muster\":{\"a\":\"x\\r\\ny\"}}"));
    }

    // --- Gossip
    // -------------------------------------------------------------------------------------------------------

    @Test
    void gossipThatContradictsItselfIsRefused() {
        assertGossipRefused(g -> g.getMembersBuilder(0).setNode(17));
        assertGossipRefused(g -> g.getMembersBuilder(0).setNode(-1));
        assertGossipRefused(g -> g.getMembersBuilder(0).setNode(1)); // one node, two rows
        assertGossipRefused(g -> g.getMembersBuilder(0).setUpNumber(0));
        assertGossipRefused(g -> g.getMembersBuilder(0).setUpNumber(-5));
        assertGossipRefused(g -> g.getMembersBuilder(0).setStatus(GossipMember.Status.REMOVED));
        assertGossipRefused(g -> g.getMembersBuilder(0).addRoles(9));
        assertGossipRefused(g -> g.getMembersBuilder(0).addRoles(-1));
        assertGossipRefused(g -> g.addRoles("dc-second").getMembersBuilder(0).addRoles(1)); // two data centers
        assertGossipRefused(g -> g.getMembersBuilder(0).setAppVersion(4));
        assertGossipRefused(g -> g.getOverviewBuilder().addSeen(2)); // removed
        assertGossipRefused(g -> g.getOverviewBuilder().addSeen(3)); // nobody
        assertGossipRefused(g -> g.getOverviewBuilder().addSeen(-1));
        assertGossipRefused(g ->
                g.addTombstones(GossipTombstone.newBuilder().setNode(0).setRemovedAtMillis(1))); // member and removed
        assertGossipRefused(
                g -> g.addTombstones(GossipTombstone.newBuilder().setNode(2).setRemovedAtMillis(1))); // twice
        assertGossipRefused(
                g -> g.addTombstones(GossipTombstone.newBuilder().setNode(99).setRemovedAtMillis(1)));
        assertGossipRefused(g -> g.getNodesBuilder(1).getAddressBuilder().setPort(0));
    }

    @Test
    void gossipWithImpossibleClocksIsRefused() {
        assertGossipRefused(g -> g.getVersionBuilder().getEntriesBuilder(0).setCounter(0));
        assertGossipRefused(g -> g.getVersionBuilder().getEntriesBuilder(0).setCounter(-1));
        assertGossipRefused(g -> g.getVersionBuilder().getEntriesBuilder(0).setClockKey(5));
        assertGossipRefused(g -> g.getVersionBuilder().getEntriesBuilder(0).setClockKey(-5));
        assertGossipRefused(g -> g.getVersionBuilder()
                .addEntries(GossipClockEntry.newBuilder().setClockKey(0).setCounter(2)));
        assertGossipRefused(g -> g.setClockKeys(0, ""));
        assertGossipRefused(g -> g.setClockKeys(0, "a\nb"));
        assertGossipRefused(g -> g.setClockKeys(0, "k".repeat(100)));
    }

    @Test
    void gossipWithImpossibleWordsIsRefused() {
        GossipObservation onMember = GossipObservation.newBuilder()
                .setSubject(1)
                .setStatus(GossipObservation.Status.UNREACHABLE)
                .setVersion(1)
                .build();
        GossipObservation onRemoved = onMember.toBuilder().setSubject(2).build();
        GossipObserver good = GossipObserver.newBuilder()
                .setObserver(0)
                .setVersion(1)
                .addObservations(onMember)
                .build();

        assertThat(gossip(g -> g.getOverviewBuilder().addObservers(good))).isNotNull();
        assertGossipRefused(
                g -> g.getOverviewBuilder().addObservers(good.toBuilder().setObserver(2)));
        assertGossipRefused(
                g -> g.getOverviewBuilder().addObservers(good.toBuilder().setObserver(7)));
        assertGossipRefused(
                g -> g.getOverviewBuilder().addObservers(good.toBuilder().setVersion(0)));
        assertGossipRefused(g -> g.getOverviewBuilder().addObservers(good).addObservers(good));
        assertGossipRefused(
                g -> g.getOverviewBuilder().addObservers(good.toBuilder().addObservations(onMember)));
        assertGossipRefused(
                g -> g.getOverviewBuilder().addObservers(good.toBuilder().addObservations(onRemoved)));
    }

    @Test
    void wordsThatSomebodyIsReachableSayNothing() {
        GossipObservation reachable = GossipObservation.newBuilder()
                .setSubject(1)
                .setStatus(GossipObservation.Status.REACHABLE)
                .setVersion(2)
                .build();
        GossipObserver observer = GossipObserver.newBuilder()
                .setObserver(0)
                .setVersion(3)
                .addObservations(reachable)
                .build();

        ClusterState read = gossip(g -> g.getOverviewBuilder().addObservers(observer));

        assertThat(read.reachability().versionOf(PEER)).isEqualTo(3);
        assertThat(read.reachability().isAllReachable()).isTrue();
    }

    @Test
    void tooManyMembersAreRefused() {
        assertGossipRefused(g -> {
            for (int i = 0; i < 20_000; i++) {
                g.addMembers(g.getMembers(0));
            }
        });
        assertGossipRefused(g -> {
            for (int i = 0; i < 200_000; i++) {
                g.addClockKeys("k");
            }
        });
    }

    @Test
    void gossipWithoutWhatItMustHaveIsRefused() {
        assertGossipBytesRefused(gossipBuilder().clearOverview().buildPartial().toByteArray());
        assertGossipBytesRefused(gossipBuilder().clearVersion().buildPartial().toByteArray());
    }

    @Test
    void aBombInGossipOrWelcomeIsNotSetOff() {
        byte[] bomb = BoundedGzip.zip(new byte[8 * 1024 * 1024]);

        assertRefused(Reason.BOMB, () -> decode("W", bomb));
        assertRefused(Reason.BOMB, () -> decode("GE", envelope(bomb)));
        assertRefused(Reason.MALFORMED, () -> decode("GE", envelope(new byte[0])));
        assertRefused(Reason.MALFORMED, () -> decode("GE", envelope(new byte[100])));
    }

    // --- Remoting
    // -----------------------------------------------------------------------------------------------------

    @Test
    void tablesMustBeWhole() {
        CompressionTable.Builder table = CompressionTable.newBuilder()
                .setFrom(remote())
                .setOriginUid(1)
                .setVersion(1)
                .addKeys("a")
                .addValues(0);

        assertTableRefused(table.clone().addKeys("b"));
        assertTableRefused(table.clone().addValues(1));
        assertTableRefused(table.clone().addKeys("a").addValues(1));
        assertTableRefused(table.clone().setVersion(128));
        assertTableRefused(table.clone().addKeys("b").addValues(65_536));
        assertTableRefused(table.clone().addKeys("b").addValues(-1));
        assertTableRefused(table.clone().addKeys("b\n").addValues(1));
    }

    @Test
    void sequenceNumbersBeginAtOne() {
        SystemMessageEnvelope.Builder envelope = SystemMessageEnvelope.newBuilder()
                .setMessage(ByteString.EMPTY)
                .setSerializerId(22)
                .setAckReplyTo(remote());
        for (long number : new long[] {0, -1, Long.MIN_VALUE}) {
            byte[] bytes = envelope.setSequence(number).build().toByteArray();
            assertRefused(Reason.MALFORMED, () -> ControlCodec.decode("j", bytes, 0, bytes.length));
        }
        byte[] ack = SystemMessageAck.newBuilder()
                .setSequence(-1)
                .setFrom(remote())
                .build()
                .toByteArray();
        assertRefused(Reason.MALFORMED, () -> ControlCodec.decode("k", ack, 0, ack.length));
    }

    @Test
    void selectionsAreShortAndDoNotEncloseEachOther() {
        SelectionEnvelope.Builder selection =
                SelectionEnvelope.newBuilder().setEnclosed(ByteString.EMPTY).setSerializerId(6);
        assertSelectionRefused(selection.clone());
        for (int i = 0; i < 100; i++) {
            selection.addElements(SelectionElement.newBuilder()
                    .setKind(SelectionElement.Kind.CHILD)
                    .setMatcher("a"));
        }
        assertSelectionRefused(selection.setSerializerId(5));
    }

    // --- Making such things
    // -------------------------------------------------------------------------------------------

    private ClusterMessage decode(String manifest, byte[] bytes) {
        return codec.decode(PEER, manifest, bytes, 0, bytes.length);
    }

    private static WireException assertRefused(Reason reason, ThrowingCallable call) {
        WireException[] thrown = new WireException[1];
        assertThatThrownBy(call).isInstanceOfSatisfying(WireException.class, e -> {
            thrown[0] = e;
            if (reason != null) {
                assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason);
            }
        });
        return thrown[0];
    }

    private static RemoteAddress address(String host, int port) {
        return RemoteAddress.newBuilder()
                .setProtocol("pekko")
                .setSystem("Sys")
                .setHostname(host)
                .setPort(port)
                .build();
    }

    private static RemoteNode remote() {
        return RemoteNode.newBuilder().setAddress(address("peer", 2)).setUid(2).build();
    }

    private static HandshakeRequest request(RemoteAddress to) {
        return HandshakeRequest.newBuilder().setFrom(remote()).setTo(to).build();
    }

    private static ControlMessage handshake(String host, int port) {
        byte[] bytes = request(address(host, port)).toByteArray();
        return ControlCodec.decode("d", bytes, 0, bytes.length);
    }

    private static ClusterNode cluster(NodeId id) {
        return ClusterNode.newBuilder()
                .setAddress(ClusterAddress.newBuilder()
                        .setSystem(id.address().system())
                        .setHostname(id.address().host())
                        .setPort(id.address().port())
                        .setProtocol(id.address().protocol()))
                .setUidLow((int) id.uid())
                .build();
    }

    private ClusterMessage contact(String text) {
        return decode(
                "IJ",
                SeedContactMessage.newBuilder().setConfiguration(text).build().toByteArray());
    }

    /** Two members, of which the first has seen it, and one that was removed. */
    private static Gossip.Builder gossipBuilder() {
        GossipMember.Builder member = GossipMember.newBuilder()
                .setUpNumber(1)
                .setStatus(GossipMember.Status.UP)
                .addRoles(0)
                .setAppVersion(0);
        return Gossip.newBuilder()
                .addNodes(cluster(PEER))
                .addNodes(cluster(SELF))
                .addNodes(cluster(OTHER))
                .addRoles("dc-default")
                .addClockKeys("k1")
                .addMembers(member.setNode(0).build())
                .addMembers(member.setNode(1).build())
                .setOverview(GossipOverview.newBuilder().addSeen(0))
                .setVersion(GossipVersion.newBuilder()
                        .addEntries(GossipClockEntry.newBuilder().setClockKey(0).setCounter(3)))
                .addTombstones(GossipTombstone.newBuilder().setNode(2).setRemovedAtMillis(5))
                .addAppVersions("1.0");
    }

    private ClusterState gossip(Consumer<Gossip.Builder> change) {
        Gossip.Builder gossip = gossipBuilder();
        change.accept(gossip);
        byte[] zipped = BoundedGzip.zip(gossip.build().toByteArray());
        ClusterMessage.Core read = (ClusterMessage.Core) decode("GE", envelope(zipped));
        return ((GossipState) read.message()).state();
    }

    private static byte[] envelope(byte[] zipped) {
        return GossipEnvelope.newBuilder()
                .setFrom(cluster(PEER))
                .setTo(cluster(SELF))
                .setZippedGossip(ByteString.copyFrom(zipped))
                .build()
                .toByteArray();
    }

    private void assertGossipRefused(Consumer<Gossip.Builder> change) {
        assertThat(gossip(g -> {})).isNotNull(); // it is the change that is refused
        assertRefused(null, () -> gossip(change));
    }

    private void assertGossipBytesRefused(byte[] bytes) {
        assertRefused(Reason.MALFORMED, () -> decode("GE", envelope(BoundedGzip.zip(bytes))));
    }

    private static void assertTableRefused(CompressionTable.Builder table) {
        byte[] bytes = table.build().toByteArray();
        assertRefused(null, () -> ControlCodec.decode("f", bytes, 0, bytes.length));
    }

    private static void assertSelectionRefused(SelectionEnvelope.Builder selection) {
        byte[] bytes = selection.build().toByteArray();
        assertRefused(null, () -> SelectionCodec.decode(bytes, 0, bytes.length));
    }
}
