package dev.muster.core.membership;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityStatus;
import java.util.Iterator;
import java.util.LinkedHashSet;

/**
 * Whom this node's remoting layer has given up for good, members or not.
 *
 * <p>No message of an actor will ever pass between the two again, so they cannot be members of one cluster: this node
 * lets none of them in, and whoever was let in by somebody else is terminated from the moment it shows up. What is
 * remembered is bounded; the longest known are forgotten first.
 *
 * <p>Specification: "Failure Detector", quarantine.
 */
public final class Quarantines {
    private static final int MOST_REMEMBERED = 1_000;

    private final NodeId self;
    private final LinkedHashSet<NodeId> peers = new LinkedHashSet<>();

    public Quarantines(NodeId self) {
        this.self = self;
    }

    public void add(NodeId peer) {
        if (peer.equals(self) || !peers.add(peer) || peers.size() <= MOST_REMEMBERED) {
            return;
        }
        Iterator<NodeId> oldest = peers.iterator();
        oldest.next();
        oldest.remove();
    }

    public boolean has(NodeId peer) {
        return peers.contains(peer);
    }

    /** The state, in which this node calls each of them terminated that is a member; the same when there is none. */
    public ClusterState markedIn(ClusterState state) {
        Reachability words = state.reachability();
        for (NodeId peer : peers) {
            if (state.members().has(peer)) {
                words = words.marked(self, peer, ReachabilityStatus.TERMINATED);
            }
        }
        return words == state.reachability() ? state : state.withReachability(self, words);
    }
}
