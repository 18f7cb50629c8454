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
final class TheirRules {
    private static final NodeId PEER = new NodeId(new NodeAddress("pekko", "mixed", "peer", 1), 1);
    private static final String SETTINGS = """
            pekko.actor.provider = cluster
            pekko.daemonic = on
            pekko.remote.artery.canonical { hostname = 127.0.0.1, port = 0 }
            pekko.cluster.jmx.enabled = off
            """;

    private final ActorSystem system = ActorSystem.create(
            "mixed", ConfigFactory.parseString(SETTINGS).withFallback(ConfigFactory.defaultReference()));
    private final ClusterMessageSerializer serializer = new ClusterMessageSerializer((ExtendedActorSystem) system);
    private final ClusterCodec codec = new ClusterCodec(PEER, JoinConfiguration.UNKNOWN, WireDialect.PEKKO);

    static TheirRules shared() {
        return Shared.INSTANCE;
    }

    /** One for all tests, since it starts a whole node; its threads end with the process. */
    private static final class Shared {
        static final TheirRules INSTANCE = new TheirRules();
    }

    Gossip gossip(ClusterState state) {
        Payload bytes = encoded(new GossipMessage.GossipState(PEER, state));
        return ((GossipEnvelope) serializer.fromBinary(bytes.bytes(), bytes.manifest())).gossip();
    }

    ClusterState state(Gossip gossip) {
        GossipEnvelope envelope = GossipEnvelope.apply(Theirs.node(PEER), Theirs.node(PEER), gossip);
        byte[] theirs = serializer.toBinary(envelope);
        ClusterMessage.Core message =
                (ClusterMessage.Core) codec.decode(PEER, serializer.manifest(envelope), theirs, 0, theirs.length);
        return ((GossipMessage.GossipState) message.message()).state();
    }

    /** One thread at a time may write, and tests run side by side. */
    private synchronized Payload encoded(GossipMessage message) {
        return codec.encode(message, PEER.address());
    }

    /** There and back again: our bytes, their object, their bytes, our object. */
    ClusterState roundTrip(ClusterState state) {
        return state(gossip(state));
    }

    String seenDigest(ClusterState state) {
        return HexFormat.of().formatHex(gossip(state).seenDigest());
    }

    /** Same, Before, After or Concurrent. */
    String relation(VectorClock one, VectorClock other) {
        return clock(one).compareTo(clock(other)).toString();
    }

    private org.apache.pekko.cluster.VectorClock clock(VectorClock version) {
        Payload bytes = encoded(new GossipMessage.GossipStatus(PEER, version, ClusterState.EMPTY.seenDigest()));
        return ((GossipStatus) serializer.fromBinary(bytes.bytes(), bytes.manifest())).version();
    }

    Optional<NodeId> leader(ClusterState state, NodeId self) {
        Option<UniqueAddress> leader = membership(state, self).leader();
        return leader.isEmpty() ? Optional.empty() : Optional.of(Theirs.ours(leader.get()));
    }

    boolean hasConverged(ClusterState state, NodeId self) {
        return membership(state, self).convergence(scala.collection.immutable.Set$.MODULE$.empty());
    }

    private MembershipState membership(ClusterState state, NodeId self) {
        return new MembershipState(gossip(state), Theirs.node(self), "default", 5);
    }
}
