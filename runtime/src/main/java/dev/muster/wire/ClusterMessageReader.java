package dev.muster.wire;

import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.exchange.HeartbeatMessage;
import dev.muster.core.exchange.Island;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.SeenDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** The reading half of {@link ClusterCodec}; any number of threads may use it. */
final class ClusterMessageReader {
    private static final int UNCHECKED = 1;
    private static final int INCOMPATIBLE = 2;
    private static final int COMPATIBLE = 3;

    /** Long manifests that old releases wrote, without what they begin with. */
    private static final Map<String, String> LONG_MANIFESTS = Map.ofEntries(
            Map.entry("InternalClusterAction$InitJoin$", "IJ"),
            Map.entry("InternalClusterAction$InitJoinAck", "IJA"),
            Map.entry("InternalClusterAction$InitJoinNack", "IJN"),
            Map.entry("InternalClusterAction$Join", "J"),
            Map.entry("InternalClusterAction$Welcome", "W"),
            Map.entry("InternalClusterAction$ExitingConfirmed", "EC"),
            Map.entry("GossipEnvelope", "GE"),
            Map.entry("GossipStatus", "GS"),
            Map.entry("ClusterHeartbeatSender$Heartbeat", "old HB"),
            Map.entry("ClusterHeartbeatSender$HeartbeatRsp", "old HBR"),
            Map.entry("ClusterUserAction$Leave", "L"),
            Map.entry("ClusterUserAction$Down", "D"));

    private final NodeId self;
    private final JoinConfiguration own;
    private final JoinConfigurationText texts;
    private final SeedContacts contacts;
    private final WireDialect dialect;
    private volatile LastText lastText; // all nodes of a cluster send the same

    private record LastText(String text, JoinConfigurationText.Reading reading) {}

    ClusterMessageReader(
            NodeId self,
            JoinConfiguration own,
            JoinConfigurationText texts,
            SeedContacts contacts,
            WireDialect dialect) {
        this.self = self;
        this.own = own;
        this.texts = texts;
        this.contacts = contacts;
        this.dialect = dialect;
    }

    ClusterMessage read(NodeId from, String manifest, byte[] buffer, int offset, int length) {
        ProtoReader in = new ProtoReader(buffer, offset, length);
        return switch (shortManifest(manifest)) {
            case "GE" -> core(from, gossipState(in, from));
            case "GS" -> core(from, gossipStatus(in, from));
            case "HB" -> core(from, heartbeat(in, from));
            case "HBR" -> core(from, heartbeatReply(in, from));
            case "IJ" -> core(from, seedContact(in, from));
            case "IJA" -> core(from, seedWelcomes(in, from));
            case "IJN" -> {
                requireSender(ClusterNodes.readBareAddress(in, "address"), from);
                yield core(from, new JoinMessage.SeedIsNoMember());
            }
            case "J" -> core(from, join(in, from));
            case "W" -> core(from, welcome(buffer, offset, length, from));
            case "EC" -> {
                requireSender(ClusterNodes.readBareNode(in, "node"), from);
                yield core(from, new JoinMessage.ExitConfirmed());
            }
            case "L" -> new ClusterMessage.Leave(ClusterNodes.readBareAddress(in, "address"));
            case "D" -> new ClusterMessage.Down(ClusterNodes.readBareAddress(in, "address"));
            case "old HB" -> {
                requireSender(ClusterNodes.readBareAddress(in, "from"), from);
                yield core(from, new HeartbeatMessage.Heartbeat(-1, -1));
            }
            case "old HBR" -> {
                requireSender(ClusterNodes.readBareNode(in, "from"), from);
                yield core(from, new HeartbeatMessage.HeartbeatReply(-1, -1));
            }
            default -> throw WireException.unknownManifest(ClusterCodec.SERIALIZER_ID, manifest);
        };
    }

    private String shortManifest(String manifest) {
        if (manifest.length() <= 3) {
            return manifest;
        }
        String known = manifest.startsWith(dialect.manifestPrefix())
                ? LONG_MANIFESTS.get(manifest.substring(dialect.manifestPrefix().length()))
                : null;
        return known == null ? "" : known;
    }

    private static ClusterMessage core(NodeId from, CoreMessage message) {
        return new ClusterMessage.Core(from, message);
    }

    /** Who speaks is known from the connection; a message that says otherwise is a lie. */
    static void requireSender(NodeId claimed, NodeId from) {
        if (!from.equals(claimed)) {
            throw claimed == null
                    ? WireException.missing("from")
                    : wrongSender(claimed.address() + "-" + claimed.uid(), from);
        }
    }

    private static void requireSender(NodeAddress claimed, NodeId from) {
        if (!from.address().equals(claimed)) {
            throw claimed == null ? WireException.missing("from") : wrongSender(claimed.toString(), from);
        }
    }

    private static WireException wrongSender(String claimed, NodeId from) {
        return new WireException(
                WireException.Reason.WRONG_SENDER,
                "from is " + claimed + ", but the connection is that of " + from.address() + "-" + from.uid());
    }

    // --- Gossip
    // -------------------------------------------------------------------------------------------------------

    private CoreMessage gossipState(ProtoReader in, NodeId from) {
        NodeId claimed = null;
        NodeId to = null;
        ClusterState state = null;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> {
                    claimed = ClusterNodes.readNode(in, "from");
                    requireSender(claimed, from);
                }
                case 2 -> to = ClusterNodes.readNode(in, "to");
                case 3 -> {
                    // Nothing is unzipped for somebody who is not who he says.
                    requireSender(claimed, from);
                    requireFirst(state);
                    int length = in.open("gossip");
                    state = UnzippedStates.read(in.buffer(), in.position(), length);
                    in.skipBytes(length);
                }
                default -> in.skip();
            }
        }
        return new GossipMessage.GossipState(required(to, "to"), required(state, "gossip"));
    }

    private static void requireFirst(ClusterState state) {
        if (state != null) {
            throw WireException.malformed("a message with two states");
        }
    }

    private CoreMessage gossipStatus(ProtoReader in, NodeId from) {
        NodeId claimed = null;
        NodeId to = self;
        ClockReader clock = new ClockReader();
        SeenDigest digest = SeenDigest.UNKNOWN;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> claimed = ClusterNodes.readNode(in, "from");
                case 2 -> clock.key(in);
                case 3 -> clock.version(in);
                case 4 -> digest = SeenDigest.ofHex(HexFormat.of().formatHex(in.bytes("digest", Limits.DIGEST_BYTES)));
                case 100 -> to = ClusterNodes.readNode(in, "to");
                default -> in.skip();
            }
        }
        requireSender(claimed, from);
        return new GossipMessage.GossipStatus(to, clock.toClock(), digest);
    }

    private CoreMessage welcome(byte[] buffer, int offset, int length, NodeId from) {
        ProtoReader in = UnzippedStates.unzip(buffer, offset, length);
        NodeId claimed = null;
        NodeId to = self;
        ClusterState state = null;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> claimed = ClusterNodes.readNode(in, "from");
                case 2 -> {
                    requireFirst(state);
                    int outer = in.enter("gossip");
                    state = GossipReader.read(in);
                    in.leave(outer);
                }
                case 100 -> to = ClusterNodes.readNode(in, "to");
                default -> in.skip();
            }
        }
        requireSender(claimed, from);
        return new JoinMessage.Welcome(to, required(state, "gossip"));
    }

    // --- Heartbeats
    // ---------------------------------------------------------------------------------------------------

    private static CoreMessage heartbeat(ProtoReader in, NodeId from) {
        NodeAddress claimed = null;
        long sequence = -1;
        long sentAtNanos = -1;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> claimed = ClusterNodes.readAddress(in, "from");
                case 2 -> sequence = in.int64("sequence");
                case 3 -> sentAtNanos = in.sint64("sentAtNanos");
                default -> in.skip();
            }
        }
        requireSender(claimed, from);
        return new HeartbeatMessage.Heartbeat(sequence, sentAtNanos);
    }

    private static CoreMessage heartbeatReply(ProtoReader in, NodeId from) {
        NodeId claimed = null;
        long sequence = -1;
        long sentAtNanos = -1;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> claimed = ClusterNodes.readNode(in, "from");
                case 2 -> sequence = in.int64("sequence");
                case 3 -> sentAtNanos = in.int64("sentAtNanos");
                default -> in.skip();
            }
        }
        requireSender(claimed, from);
        return new HeartbeatMessage.HeartbeatReply(sequence, sentAtNanos);
    }

    // --- Joining
    // ------------------------------------------------------------------------------------------------------

    private CoreMessage seedContact(ProtoReader in, NodeId from) {
        String text = null;
        while (in.next()) {
            if (in.field() == 1) {
                text = in.uncheckedText("configuration", Limits.CONFIGURATION_BYTES);
            } else {
                in.skip();
            }
        }
        JoinConfigurationText.Reading reading = readText(text == null ? "{}" : text);
        contacts.heard(from, reading);
        return new JoinMessage.SeedContact(reading.configuration(), reading.from());
    }

    private JoinConfigurationText.Reading readText(String text) {
        LastText last = lastText;
        if (last == null || !last.text().equals(text)) {
            last = new LastText(text, texts.read(text));
            lastText = last;
        }
        return last.reading();
    }

    private CoreMessage seedWelcomes(ProtoReader in, NodeId from) {
        NodeAddress claimed = null;
        int verdict = -1;
        String text = null;
        List<String> reasons = new ArrayList<>();
        int members = 0;
        String lowest = "";
        while (in.next()) {
            switch (in.field()) {
                case 1 -> claimed = ClusterNodes.readAddress(in, "address");
                case 2 -> {
                    int outer = in.enter("check");
                    while (in.next()) {
                        switch (in.field()) {
                            case 1 -> verdict = in.between("verdict", UNCHECKED, COMPATIBLE);
                            case 2 -> text = in.uncheckedText("configuration", Limits.CONFIGURATION_BYTES);
                            default -> in.skip();
                        }
                    }
                    in.leave(outer);
                }
                case 101 -> members = in.between("members", 0, Integer.MAX_VALUE);
                case 102 -> lowest = in.text("lowest", Limits.REASON_BYTES);
                case 100 -> {
                    Limits.requireAtMost("reasons", reasons.size() + 1, Limits.REASONS);
                    reasons.add(in.text("reason", Limits.REASON_BYTES));
                }
                default -> in.skip();
            }
        }
        requireSender(claimed, from);
        return new JoinMessage.SeedWelcomes(reasons(verdict, text, reasons, from), new Island(members, lowest));
    }

    private List<String> reasons(int verdict, String text, List<String> given, NodeId from) {
        if (verdict < 0) {
            throw WireException.missing("verdict");
        }
        if (verdict == INCOMPATIBLE && given.isEmpty()) {
            return List.of(from.address() + " says that the configuration of this node does not fit; its log "
                    + "says which settings. Most often it is another downing strategy");
        }
        if (verdict != COMPATIBLE || text == null) {
            return verdict == INCOMPATIBLE ? given : List.of();
        }
        // A seed of another system leaves it to the joining node to compare as well.
        JoinConfigurationText.Reading theirs = texts.read(text);
        return theirs.isOurs() ? List.of() : theirs.configuration().differencesTo(own);
    }

    private CoreMessage join(ProtoReader in, NodeId from) {
        NodeId claimed = null;
        List<String> roles = new ArrayList<>();
        String appVersion = Member.DEFAULT_APP_VERSION;
        String text = null;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> claimed = ClusterNodes.readNode(in, "node");
                case 2 -> {
                    Limits.requireAtMost("roles", roles.size() + 1, Limits.ROLES_PER_MEMBER);
                    roles.add(in.text("role", Limits.ROLE_BYTES));
                }
                case 3 -> appVersion = in.text("appVersion", Limits.APP_VERSION_BYTES);
                case 100 -> text = in.uncheckedText("configuration", Limits.CONFIGURATION_BYTES);
                default -> in.skip();
            }
        }
        requireSender(claimed, from);
        JoinConfiguration configuration =
                text == null ? contacts.configurationOf(from) : readText(text).configuration();
        return new JoinMessage.Join(roles, appVersion, configuration);
    }

    private static <T> T required(T value, String field) {
        if (value == null) {
            throw WireException.missing(field);
        }
        return value;
    }
}
