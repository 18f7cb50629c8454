package dev.muster.interop.rules;

import com.typesafe.config.ConfigFactory;
import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.VectorClock;
import dev.muster.wire.ClusterCodec;
import dev.muster.wire.ClusterMessage;
import dev.muster.wire.Payload;
import dev.muster.wire.WireDialect;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.cluster.Gossip;
import org.apache.pekko.cluster.GossipEnvelope;
import org.apache.pekko.cluster.GossipStatus;
import org.apache.pekko.cluster.MembershipState;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.cluster.protobuf.ClusterMessageSerializer;
import scala.Option;

/** Pekko's own classes. What they are asked comes to them in the bytes that Muster writes. */
final class TheirRules implements AutoCloseable {
    private static final NodeId PEER = new NodeId(new NodeAddress("pekko", "mixed", "peer", 1), 1);

    private final ActorSystem system = ActorSystem.create(
            "mixed",
            ConfigFactory.parseString("pekko.actor.provider = cluster\npekko.remote.artery.canonical.port = 0\n"
                            + "pekko.remote.artery.canonical.hostname = 127.0.0.1\npekko.cluster.jmx.enabled = off")
                    .withFallback(ConfigFactory.defaultReference()));
    private final ClusterMessageSerializer serializer = new ClusterMessageSerializer((ExtendedActorSystem) system);
    private final ClusterCodec codec = new ClusterCodec(PEER, JoinConfiguration.UNKNOWN, WireDialect.PEKKO);

    Gossip gossip(ClusterState state) {
        Payload bytes = codec.encode(new GossipMessage.GossipState(PEER, state), PEER.address());
        return ((GossipEnvelope) serializer.fromBinary(bytes.bytes(), bytes.manifest())).gossip();
    }

    /** There and back again: our bytes, their object, their bytes, our object. */
    ClusterState roundTrip(ClusterState state) {
        Payload ours = codec.encode(new GossipMessage.GossipState(PEER, state), PEER.address());
        Object envelope = serializer.fromBinary(ours.bytes(), ours.manifest());
        byte[] theirs = serializer.toBinary(envelope);
        ClusterMessage.Core message =
                (ClusterMessage.Core) codec.decode(PEER, serializer.manifest(envelope), theirs, 0, theirs.length);
        return ((GossipMessage.GossipState) message.message()).state();
    }

    String seenDigest(ClusterState state) {
        return HexFormat.of().formatHex(gossip(state).seenDigest());
    }

    /** Same, Before, After or Concurrent. */
    String relation(VectorClock one, VectorClock other) {
        return clock(one).compareTo(clock(other)).toString();
    }

    private org.apache.pekko.cluster.VectorClock clock(VectorClock version) {
        Payload bytes = codec.encode(
                new GossipMessage.GossipStatus(PEER, version, ClusterState.EMPTY.seenDigest()), PEER.address());
        return ((GossipStatus) serializer.fromBinary(bytes.bytes(), bytes.manifest())).version();
    }

    /** The address text of the leader, with its uid. */
    Optional<String> leader(ClusterState state, NodeId self) {
        Option<UniqueAddress> leader = membership(state, self).leader();
        return leader.isEmpty() ? Optional.empty() : Optional.of(text(leader.get()));
    }

    boolean hasConverged(ClusterState state, NodeId self) {
        return membership(state, self).convergence(scala.collection.immutable.Set$.MODULE$.empty());
    }

    private MembershipState membership(ClusterState state, NodeId self) {
        Gossip gossip = gossip(state);
        UniqueAddress me = null;
        scala.collection.Iterator<org.apache.pekko.cluster.Member> members =
                gossip.members().iterator();
        while (members.hasNext()) {
            UniqueAddress member = members.next().uniqueAddress();
            me = text(member).equals(text(self)) ? member : me;
        }
        return new MembershipState(gossip, me, "default", 5);
    }

    private static String text(UniqueAddress address) {
        return address.address() + "#" + address.longUid();
    }

    static String text(NodeId id) {
        return id.address() + "#" + id.uid();
    }

    @Override
    public void close() {
        var unused = system.terminate();
    }
}
