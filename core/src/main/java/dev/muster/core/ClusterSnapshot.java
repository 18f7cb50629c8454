package dev.muster.core;

import dev.muster.core.exchange.Refusal;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionTable;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;

/**
 * What a core knows at one moment, for everybody who only wants to look: API, dashboard and checkers alike.
 *
 * @param state what it would gossip now; empty while it is no member
 * @param phase how far its own membership has come
 * @param selfStatus its own row's status, removed when it has none
 * @param leader whom it holds to be the leader
 * @param converged whether everybody who counts has seen this very state
 * @param exitConfirmed exiting members that said that they are finished
 * @param refusals how many messages were refused, by reason
 * @param detectors how many nodes its failure detector keeps a history for
 * @param accusesNobodyUntilNanos until when it distrusts itself after a local pause; in the past when it does not
 * @param partitions where each partition runs
 * @param partitionsConverged whether all members that have a table have this one, as far as this node has heard from
 *     them or from the leader
 */
public record ClusterSnapshot(
        NodeId self,
        ClusterState state,
        Phase phase,
        MemberStatus selfStatus,
        Optional<NodeId> leader,
        boolean converged,
        SortedSet<NodeId> exitConfirmed,
        Map<Refusal, Long> refusals,
        int detectors,
        long accusesNobodyUntilNanos,
        PartitionTable partitions,
        boolean partitionsConverged) {

    /** How far a node's own membership has come. */
    public enum Phase {
        /** Knows no cluster and looks for none. */
        IDLE,
        /** Asks seeds, or waits to be let in. */
        JOINING,
        /** Has a state with itself in it. */
        MEMBER,
        /** Its membership is over; it says nothing more. */
        STOPPED
    }
}
