package dev.muster.core;

import dev.muster.core.membership.Convergence;
import dev.muster.core.membership.Leader;
import dev.muster.core.membership.LeaderDuties;
import dev.muster.core.membership.LifecycleSettings;
import dev.muster.core.membership.TombstoneKeeper;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Whether it is on this node to lead, and what there is to do then.
 *
 * <p>Most inputs change nothing, so what was found out about a state is remembered until there is another one.
 */
final class Leading {
    private final NodeId self;
    private final LifecycleSettings settings;
    private final ClusterRules rules;
    private final LeaderDuties duties;
    private final TombstoneKeeper tombstones;
    private final TreeSet<NodeId> exitConfirmed = new TreeSet<>();

    private long blockedSinceNanos = Long.MAX_VALUE;
    private ClusterState judgedState; // the state that the remembered judgement below is about
    private boolean judgedConverged;
    private boolean judgedBlocked;
    private Optional<NodeId> judgedLeader = Optional.empty();
    private ClusterState ledState; // the converged state on which this node has done all that a leader does

    Leading(NodeId self, LifecycleSettings settings, ClusterRules rules) {
        this.self = self;
        this.settings = settings;
        this.rules = rules;
        this.duties = new LeaderDuties(self, settings);
        this.tombstones = new TombstoneKeeper(settings);
    }

    /** Every single change of state, in order. */
    void follow(ClusterState before, ClusterState next, long nowNanos) {
        tombstones.follow(before, next, nowNanos);
    }

    /** Something that the state does not show may allow more than before. */
    void lookAgain() {
        ledState = null;
    }

    /** A member that is exiting has said that it is done. */
    void onExitConfirmed(NodeId id) {
        exitConfirmed.add(id);
        judgedState = null;
        ledState = null;
    }

    void forgetTheGone(ClusterState state) {
        exitConfirmed.removeIf(id -> !state.members().has(id));
    }

    /** The state after the next thing that a leader has to do; the same when there is none, or another one leads. */
    ClusterState leadOnce(ClusterState current, Predicate<Member> mayMoveOn, long nowNanos, long wallClockMillis) {
        judge(current);
        noteWhetherBlocked(nowNanos);
        if (!judgedLeader.equals(Optional.of(self))) {
            return current;
        }
        if (judgedConverged) {
            if (current == ledState && nowNanos < tombstones.nextExpiryNanos()) {
                return current; // nothing was left to do last time
            }
            ledState = current;
            ClusterState next = duties.onConvergence(current, exitConfirmed, mayMoveOn, wallClockMillis);
            return next == current ? withoutOldTombstones(current, nowNanos) : next;
        }
        return isBlockedForLong(nowNanos) ? duties.whileBlocked(current) : current;
    }

    private boolean isBlockedForLong(long nowNanos) {
        Optional<Long> weaklyUpAfter = settings.weaklyUpAfter().map(Duration::toNanos);
        return blockedSinceNanos != Long.MAX_VALUE
                && weaklyUpAfter.isPresent()
                && nowNanos - blockedSinceNanos >= weaklyUpAfter.get();
    }

    private void noteWhetherBlocked(long nowNanos) {
        if (!judgedBlocked) {
            blockedSinceNanos = Long.MAX_VALUE;
        } else if (blockedSinceNanos == Long.MAX_VALUE) {
            blockedSinceNanos = nowNanos;
        }
    }

    private ClusterState withoutOldTombstones(ClusterState current, long nowNanos) {
        if (current.tombstones().isEmpty() || !rules.mayLetGoOfTombstones(current)) {
            return current;
        }
        List<NodeId> expired = tombstones.expired(nowNanos);
        return expired.isEmpty() ? current : current.withoutTombstones(self, expired);
    }

    boolean isConverged(ClusterState current) {
        judge(current);
        return judgedConverged;
    }

    /** Whether somebody else's state says by itself that all have seen it. */
    boolean wouldConverge(ClusterState theirs) {
        return rules.hasConverged(theirs, self, exitConfirmed);
    }

    /** Who should hear that this state has converged, if it has: the leader, who alone can do something with it. */
    Optional<NodeId> leaderToTell(ClusterState current) {
        judge(current);
        return judgedConverged ? judgedLeader.filter(leader -> !leader.equals(self)) : Optional.empty();
    }

    private void judge(ClusterState current) {
        if (judgedState != current) {
            boolean sameContent = judgedState != null
                    && judgedState.members() == current.members()
                    && judgedState.reachability() == current.reachability();
            if (!sameContent) {
                judgedLeader = Leader.of(current, self);
                judgedBlocked = Convergence.isBlocked(current, self, exitConfirmed);
            }
            judgedState = current;
            judgedConverged = rules.hasConverged(current, self, exitConfirmed);
        }
    }

    LeaderDuties duties() {
        return duties;
    }

    TreeSet<NodeId> exitConfirmed() {
        return exitConfirmed;
    }
}
