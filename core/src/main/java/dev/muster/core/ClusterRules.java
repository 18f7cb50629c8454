package dev.muster.core;

import dev.muster.core.membership.Convergence;
import dev.muster.core.membership.DowningDecision;
import dev.muster.core.membership.DowningSettings;
import dev.muster.core.membership.SeedJoining;
import dev.muster.core.membership.TombstoneKeeper;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.StateMerge;
import java.util.Optional;
import java.util.SortedSet;

/**
 * The rules that everything else relies on, in one place where they can be exchanged.
 *
 * <p>Production uses {@link #STANDARD} and nothing else. The simulator's own tests put a known bug in the place of one
 * rule, to prove that its checkers would notice.
 */
public class ClusterRules {
    public static final ClusterRules STANDARD = new ClusterRules();

    protected ClusterRules() {}

    /** How a received state and one's own come together. */
    public StateMerge.Result merge(ClusterState mine, ClusterState theirs, NodeId self) {
        return StateMerge.merge(mine, theirs, self);
    }

    /** When the leader may act. */
    public boolean hasConverged(ClusterState state, NodeId self, SortedSet<NodeId> exitConfirmed) {
        return Convergence.hasConverged(state, self, exitConfirmed);
    }

    /** When a first seed may form a cluster. */
    public boolean mayForm(int answered, int others, boolean onceMember, long waitedNanos, long timeoutNanos) {
        return SeedJoining.standardFormingRule(answered, others, onceMember, waitedNanos, timeoutNanos);
    }

    /** Who is declared down when members cannot reach each other. */
    public Optional<DowningDecision> decideDowning(ClusterState state, DowningSettings settings, boolean overdue) {
        return DowningDecision.decide(state, settings, overdue);
    }

    /** When the leader may let go of tombstones that are old enough. */
    public boolean mayLetGoOfTombstones(ClusterState state) {
        return TombstoneKeeper.everybodyHasSeen(state);
    }

    /** How much of its own lateness a node takes as a pause of its own, rather than as silence of the others. */
    public long ownPauseNanos(long lateByNanos) {
        return lateByNanos;
    }

    /** What must hold between two successive states of one node; throws when it does not. */
    public void verify(NodeId self, ClusterState before, ClusterState after) {
        ClusterInvariants.verify(self, before, after);
    }
}
