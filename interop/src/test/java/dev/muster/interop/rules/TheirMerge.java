package dev.muster.interop.rules;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import org.apache.pekko.cluster.Gossip;

/** What Pekko makes of a state that a node holds and one that it receives. */
record TheirMerge(TheirRules rules) {

    /** The two made one, whatever their versions are, and seen by nobody. */
    ClusterState merged(ClusterState mine, ClusterState received) {
        return rules.state(mergedGossip(mine, received));
    }

    /** As its membership daemon does it: a newer state is taken over, an older one ignored, others are merged. */
    ClusterState onReceived(ClusterState mine, ClusterState received, NodeId self) {
        Gossip local = rules.gossip(mine);
        Gossip remote = rules.gossip(received);
        Gossip winner = switch (local.version().compareTo(remote.version()).toString()) {
            case "Same" -> remote.mergeSeen(local);
            case "Before" -> remote;
            case "After" -> local;
            default -> mergedGossip(mine, received);
        };
        return rules.state(winner.seen(Theirs.node(self)));
    }

    private Gossip mergedGossip(ClusterState mine, ClusterState received) {
        return pruned(received, mine).merge(pruned(mine, received));
    }

    /** Before it merges, each side's clock loses those who are on their way out and gone from the other side. */
    private Gossip pruned(ClusterState state, ClusterState other) {
        Gossip gossip = rules.gossip(state);
        for (Member member : state.members()) {
            if (member.status().isOnItsWayOut() && !other.members().has(member.id())) {
                gossip = gossip.prune(member.id().clockKey());
            }
        }
        return gossip;
    }
}
