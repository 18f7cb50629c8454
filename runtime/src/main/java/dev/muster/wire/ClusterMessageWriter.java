package dev.muster.wire;

import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.exchange.HeartbeatMessage;
import dev.muster.core.exchange.Island;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** The writing half of {@link ClusterCodec}; used by one thread at a time. */
final class ClusterMessageWriter {
    private static final int INCOMPATIBLE = 2;
    private static final int COMPATIBLE = 3;
    private static final int REASON_CHARACTERS = 1_000;

    private final NodeId self;
    private final JoinConfigurationText texts;
    private final SeedContacts contacts;
    private final ZippedStates states = new ZippedStates();
    private JoinMessage.SeedContact lastContact;
    private String lastContactText = "";

    ClusterMessageWriter(NodeId self, JoinConfigurationText texts, SeedContacts contacts) {
        this.self = self;
        this.texts = texts;
        this.contacts = contacts;
    }

    // --- Heartbeats and gossip
    // ----------------------------------------------------------------------------------------

    Payload write(HeartbeatMessage message) {
        ProtoWriter out = new ProtoWriter(96);
        if (message instanceof HeartbeatMessage.Heartbeat heartbeat) {
            ClusterNodes.writeAddress(out, 1, self.address());
            out.int64(2, heartbeat.sequence());
            out.sint64(3, heartbeat.sentAtNanos());
            return payload("HB", out);
        }
        HeartbeatMessage.HeartbeatReply reply = (HeartbeatMessage.HeartbeatReply) message;
        ClusterNodes.writeNode(out, 1, self);
        out.int64(2, reply.sequence());
        out.int64(3, reply.sentAtNanos()); // plain here, zigzag in the question: that is how the wire has it
        return payload("HBR", out);
    }

    Payload write(GossipMessage message) {
        return message instanceof GossipMessage.GossipState state
                ? write(state)
                : write((GossipMessage.GossipStatus) message);
    }

    private Payload write(GossipMessage.GossipState gossip) {
        byte[] zipped = states.zipped(gossip.state());
        ProtoWriter head = new ProtoWriter(192);
        ClusterNodes.writeNode(head, 1, self);
        ClusterNodes.writeNode(head, 2, gossip.to());
        head.head(3, zipped.length);
        byte[] bytes = Arrays.copyOf(head.buffer(), head.size() + zipped.length);
        System.arraycopy(zipped, 0, bytes, head.size(), zipped.length);
        return new Payload(ClusterCodec.SERIALIZER_ID, "GE", bytes);
    }

    private Payload write(GossipMessage.GossipStatus status) {
        int size = status.version().size();
        ProtoWriter out = new ProtoWriter(size * 44 + 256);
        ClusterNodes.writeNode(out, 1, self);
        for (int i = 0; i < size; i++) {
            out.text(2, status.version().key(i));
        }
        GossipWriter.writeVersion(out, 3, status.version());
        String digest = status.seenDigest().hex();
        if (!digest.isEmpty()) {
            out.bytes(4, HexFormat.of().parseHex(digest));
        }
        ClusterNodes.writeNode(out, 100, status.to());
        return payload("GS", out);
    }

    // --- Joining
    // ------------------------------------------------------------------------------------------------------

    Payload write(JoinMessage message, NodeAddress to) {
        if (message instanceof JoinMessage.SeedContact contact) {
            ProtoWriter out = new ProtoWriter(512);
            out.text(1, textOf(contact));
            return payload("IJ", out);
        } else if (message instanceof JoinMessage.SeedWelcomes welcomes) {
            return write(welcomes, to);
        } else if (message instanceof JoinMessage.SeedIsNoMember) {
            return address("IJN", self.address());
        } else if (message instanceof JoinMessage.Join join) {
            return write(join);
        } else if (message instanceof JoinMessage.Welcome welcome) {
            return write(welcome);
        }
        ProtoWriter out = new ProtoWriter(96); // what is left is that the exit was confirmed
        ClusterNodes.writeBareNode(out, self);
        return payload("EC", out);
    }

    /** All seeds are asked with the same words, once a second while none answers. */
    private String textOf(JoinMessage.SeedContact contact) {
        if (!contact.equals(lastContact)) {
            lastContactText = texts.write(contact.configuration(), contact.from());
            lastContact = contact;
        }
        return lastContactText;
    }

    private Payload write(JoinMessage.SeedWelcomes welcomes, NodeAddress to) {
        ProtoWriter out = new ProtoWriter(256);
        ClusterNodes.writeAddress(out, 1, self.address());
        int check = out.begin(2);
        out.int32(1, welcomes.isCompatible() ? COMPATIBLE : INCOMPATIBLE);
        if (welcomes.isCompatible() && texts.speaksWithOthers()) {
            out.text(2, texts.writeAnswer(contacts.askedBy(to)));
        }
        out.end(check);
        List<String> reasons = welcomes.reasonsAgainst();
        for (String reason : reasons.subList(0, Math.min(reasons.size(), Limits.REASONS))) {
            out.text(100, Texts.shown(reason, REASON_CHARACTERS));
        }
        if (!welcomes.island().equals(Island.UNKNOWN)) {
            out.int32(101, welcomes.island().members());
            out.text(102, welcomes.island().lowest());
        }
        return payload("IJA", out);
    }

    private Payload write(JoinMessage.Join join) {
        ProtoWriter out = new ProtoWriter(512);
        ClusterNodes.writeNode(out, 1, self);
        join.roles().forEach(role -> out.text(2, role));
        out.text(3, join.appVersion());
        if (!join.configuration().equals(JoinConfiguration.UNKNOWN)) {
            out.text(100, texts.write(join.configuration(), Optional.empty()));
        }
        return payload("J", out);
    }

    private Payload write(JoinMessage.Welcome welcome) {
        ClusterState state = welcome.state();
        byte[] zipped = states.zipped(state);
        ProtoWriter body = ZippedStates.unzipped(state);
        ProtoWriter prefix = new ProtoWriter(192);
        ClusterNodes.writeNode(prefix, 1, self);
        ClusterNodes.writeNode(prefix, 100, welcome.to());
        prefix.head(2, body.size());
        byte[] bytes = BoundedGzip.zipPrefixed(prefix.toBytes(), body.buffer(), body.size(), zipped);
        return new Payload(ClusterCodec.SERIALIZER_ID, "W", bytes);
    }

    static Payload address(String manifest, NodeAddress address) {
        ProtoWriter out = new ProtoWriter(96);
        ClusterNodes.writeBareAddress(out, address);
        return payload(manifest, out);
    }

    private static Payload payload(String manifest, ProtoWriter out) {
        return new Payload(ClusterCodec.SERIALIZER_ID, manifest, out.toBytes());
    }
}
