package dev.muster.simulator.bug;

import dev.muster.core.ClusterRules;
import dev.muster.core.membership.DowningDecision;
import dev.muster.core.membership.DowningSettings;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.StateMerge;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Mistakes that cluster software has really made, each put in the place of one rule. They exist here only, to prove
 * that the checkers would have found them.
 */
@SuppressWarnings("ImmutableEnumChecker") // rules have no state, but a type that may be extended cannot say so
enum KnownBug {
    /** K1: whoever is still up in somebody's view is taken back, although another view has removed it. */
    REMOVED_MEMBER_COMES_BACK(new Rules() {
        @Override
        public StateMerge.Result merge(ClusterState mine, ClusterState theirs, NodeId self) {
            return StateMerge.merge(
                    forgetting(mine, id -> isStaying(theirs, id)), forgetting(theirs, id -> isStaying(mine, id)), self);
        }

        private boolean isStaying(ClusterState state, NodeId id) {
            return state.members().has(id) && !state.members().statusOf(id).isOnItsWayOut();
        }
    }),

    /** K3: clock entries of removed nodes are dropped by the remover, and brought back by every merge. */
    CLOCK_GROWS_WITH_CHURN(new Rules() {
        @Override
        public StateMerge.Result merge(ClusterState mine, ClusterState theirs, NodeId self) {
            StateMerge.Result merged = StateMerge.merge(mine, theirs, self);
            ClusterState state = merged.state();
            VectorClock unpruned = state.version().merge(mine.version()).merge(theirs.version());
            return new StateMerge.Result(
                    ClusterState.of(state.members(), state.tombstones(), state.reachability(), unpruned, state.seen()),
                    merged.outcome());
        }
    }),

    /** K4: tombstones are never let go. */
    TOMBSTONES_PILE_UP(new Rules() {
        @Override
        public boolean mayLetGoOfTombstones(ClusterState state) {
            return false;
        }
    }),

    /** K6: a member that is down in a lagging view wins over its removal, so its successor never gets its place. */
    DOWN_MEMBER_IS_KEPT(new Rules() {
        @Override
        public StateMerge.Result merge(ClusterState mine, ClusterState theirs, NodeId self) {
            return StateMerge.merge(
                    forgetting(mine, id -> isDown(theirs, id)), forgetting(theirs, id -> isDown(mine, id)), self);
        }

        private boolean isDown(ClusterState state, NodeId id) {
            return state.members().statusOf(id) == MemberStatus.DOWN;
        }
    }),

    /** K8: a first seed that restarts forms a cluster although others have not had time to answer. */
    FIRST_SEED_IS_IMPATIENT(new Rules() {
        @Override
        public boolean mayForm(int answered, int others, boolean onceMember, long waitedNanos, long timeoutNanos) {
            return true;
        }
    }),

    /** K9: convergence is believed as soon as this node itself has seen the state. */
    CONVERGENCE_WITHOUT_THE_OTHERS(new Rules() {
        @Override
        public boolean hasConverged(ClusterState state, NodeId self, SortedSet<NodeId> exitConfirmed) {
            return state.isSeenBy(self) && state.unreachable().isEmpty();
        }
    }),

    /** K12: whoever both accuses and is accused goes down, so that one dying node takes healthy ones along. */
    ACCUSERS_GO_WITH_THE_ACCUSED(new Rules() {
        @Override
        public Optional<DowningDecision> decideDowning(ClusterState state, DowningSettings settings, boolean overdue) {
            return DowningDecision.decide(state, settings.withMinimalCut(false), overdue);
        }
    }),

    /** K26: members that cannot be reached are not asked, so each side goes on by itself. */
    UNREACHABLE_MEMBERS_DO_NOT_COUNT(new Rules() {
        @Override
        public boolean hasConverged(ClusterState state, NodeId self, SortedSet<NodeId> exitConfirmed) {
            for (Member member : state.members()) {
                if (member.status().countsForConvergence()
                        && state.isReachable(member.id())
                        && !state.isSeenBy(member.id())) {
                    return false;
                }
            }
            return true;
        }
    }),

    /** K29: a node that was held up blames the others for the silence. */
    OWN_PAUSE_IS_BLAMED_ON_OTHERS(new Rules() {
        @Override
        public long ownPauseNanos(long lateByNanos) {
            return 0;
        }
    }),

    /** K30: removal leaves no tombstone, so the next gossip from somebody who lags adds the node again. */
    REMOVAL_WITHOUT_TOMBSTONE(new Rules() {
        @Override
        public StateMerge.Result merge(ClusterState mine, ClusterState theirs, NodeId self) {
            return StateMerge.merge(forgetting(mine, id -> true), forgetting(theirs, id -> true), self);
        }
    });

    private final Rules rules;

    KnownBug(Rules rules) {
        this.rules = rules;
    }

    ClusterRules rules() {
        return rules;
    }

    private static ClusterState forgetting(ClusterState state, Predicate<NodeId> forgotten) {
        TreeMap<NodeId, Long> kept = new TreeMap<>();
        for (NodeId id : state.tombstones().ids()) {
            if (!forgotten.test(id)) {
                kept.put(id, state.tombstones().stampMillisOf(id));
            }
        }
        return kept.size() == state.tombstones().size()
                ? state
                : ClusterState.of(
                        state.members(), Tombstones.of(kept), state.reachability(), state.version(), state.seen());
    }

    /** The node's own checks are off, so that only the checkers outside can find the bug. */
    private static class Rules extends ClusterRules {
        @Override
        public void verify(NodeId self, ClusterState before, ClusterState after) {
            // blind on purpose
        }
    }
}
