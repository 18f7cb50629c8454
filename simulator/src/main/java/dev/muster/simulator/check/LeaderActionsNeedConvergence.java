package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.VectorClock;

/**
 * C1, C2 and C5: a leader acts only when everybody who counts has really processed the version it acts on, nobody
 * reachable is in doubt, and it changes nothing else.
 *
 * <p>Whether a member has processed a version is looked up in what really happened, not in the seen set that the leader
 * believes. A step can hold several changes in a row. Nobody else can have seen a version that was made within the
 * step, so whoever counts throughout the step must have processed the version that it began with. Members that the
 * author declares down in the same step do not count, and neither do those that truly said that their exit is finished.
 */
final class LeaderActionsNeedConvergence implements Checker {
    private final StepReader reader;
    private final History history;

    LeaderActionsNeedConvergence(StepReader reader, History history) {
        this.reader = reader;
        this.history = history;
    }

    @Override
    public void onStep(Step step) {
        if (step.before().members() == step.after().members()
                || !reader.read(step).hasLeaderAction()) {
            return;
        }
        StepReading reading = reader.read(step);
        step.world().countChecks(4);
        checkAllSeen(step, reading);
        checkNobodyInDoubt(step, reading);
        checkNothingElse(step, reading);
        checkCount(step, reading);
        noteRemovalBehindAJoiner(step, reading);
    }

    private void checkAllSeen(Step step, StepReading reading) {
        ClusterState base = reading.base();
        boolean anybodyCounts = base.members().stream().anyMatch(m -> counts(step, m, false))
                || reading.ownChanges().stream().anyMatch(LeaderActionsNeedConvergence::wasToldToLeave);
        VersionMemory.Entry entry = history.versions().find(base.version());
        boolean known = entry != null && entry.state.sameContentAs(base);
        if (known && !entry.isComplete) {
            return;
        }
        for (Member member : base.members()) {
            if (!counts(step, member, !anybodyCounts)
                    || member.id().equals(step.node().id())) {
                continue;
            }
            boolean processed = known
                    && step.world().node(member.id()).map(entry::wasProcessedBy).orElse(false);
            if (!processed) {
                step.world()
                        .report(
                                "C1",
                                "acted as leader on version " + base.version() + " (" + reading.ownChanges()
                                        + "), which " + member + " never processed",
                                step.node());
            }
        }
    }

    /** A newcomer that is told to leave counts from then on, in the middle of the step. */
    private static boolean wasToldToLeave(MemberChange change) {
        return change.to() == MemberStatus.EXITING
                && !change.isNew()
                && change.from().isNotYetUp();
    }

    private boolean counts(Step step, Member member, boolean newcomersToo) {
        return counts(step, member, newcomersToo, history);
    }

    /** Whether a leader that acts in this step has to wait for this member. */
    static boolean counts(Step step, Member member, boolean newcomersToo, History history) {
        MemberStatus now = step.after().members().statusOf(member.id());
        boolean wasDeclaredDown = now == MemberStatus.DOWN || now == MemberStatus.REMOVED;
        MemberStatus status = member.status();
        return (status == MemberStatus.UP || status == MemberStatus.LEAVING || newcomersToo && status.isNotYetUp())
                && !wasDeclaredDown
                && !history.confirmedItsExit(member.id());
    }

    /** An accusation that stood before and after the step stood at every moment of it. */
    private void checkNobodyInDoubt(Step step, StepReading reading) {
        ClusterState base = reading.base();
        for (ReachabilityRow row : base.reachability().rows()) {
            boolean heeded = isAtMost(base, row.observer(), MemberStatus.EXITING)
                    && isAtMost(step.after(), row.observer(), MemberStatus.EXITING);
            for (ReachabilityRow.Observation record : row.records()) {
                if (heeded && blocks(step, base, row.observer(), record.subject())) {
                    step.world()
                            .report(
                                    "C2",
                                    "acted as leader on version " + base.version() + " ("
                                            + reading.ownChanges() + ") although " + row.observer() + " holds "
                                            + record.subject() + " "
                                            + record.status().displayName(),
                                    step.node());
                }
            }
        }
    }

    private boolean blocks(Step step, ClusterState base, NodeId observer, NodeId subject) {
        return !subject.equals(step.node().id())
                && step.after().reachability().statusOf(observer, subject) != ReachabilityStatus.REACHABLE
                && isAtMost(base, subject, MemberStatus.LEAVING)
                && isAtMost(step.after(), subject, MemberStatus.LEAVING)
                && !history.confirmedItsExit(subject);
    }

    private static boolean isAtMost(ClusterState state, NodeId id, MemberStatus status) {
        return state.members().statusOf(id).compareTo(status) <= 0;
    }

    private static void checkNothingElse(Step step, StepReading reading) {
        VectorClock base = reading.base().version();
        VectorClock after = step.after().version();
        String own = step.node().id().clockKey();
        for (int i = 0; i < after.size(); i++) {
            if (after.counter(i) > base.counterOf(after.key(i)) && !after.key(i).equals(own)) {
                step.world()
                        .report(
                                "C5",
                                "acted as leader on " + base + " and counted up another's entry: " + after,
                                step.node());
            }
        }
        for (MemberChange change : reading.ownChanges()) {
            boolean isRewritten = !change.isNew()
                    && !change.isRemoval()
                    && (!change.before().roles().equals(change.after().roles())
                            || !change.before()
                                    .appVersion()
                                    .equals(change.after().appVersion()));
            if (isRewritten) {
                step.world().report("C5", "rewrote " + change.before() + " as " + change.after(), step.node());
            }
        }
    }

    /** Each count of the author's clock entry must have something to show: a station in a life, a word, a tombstone. */
    private static void checkCount(Step step, StepReading reading) {
        long stations = reading.received() == null ? 0 : 1; // a merge that made a version of its own
        for (MemberChange change : reading.ownChanges()) {
            int from = change.isNew() ? -1 : change.from().ordinal();
            stations += Math.max(1, change.to().ordinal() - from);
        }
        NodeId self = step.node().id();
        stations += step.after().reachability().versionOf(self)
                - reading.base().reachability().versionOf(self);
        boolean letGo = reading.base().tombstones().ids().stream()
                .anyMatch(id -> !step.after().tombstones().has(id));
        stations += letGo ? 1 : 0;
        if (reading.ownIncrements() < 1 || reading.ownIncrements() > stations) {
            step.world()
                    .report(
                            "C5",
                            "acted as leader and counted its clock entry up by " + reading.ownIncrements()
                                    + ", with no more to show than " + reading.ownChanges(),
                            step.node());
        }
    }

    /** In one and the same action the leader may also make the joiner up; it was joining in the version acted on. */
    private static void noteRemovalBehindAJoiner(Step step, StepReading reading) {
        for (MemberChange change : reading.ownChanges()) {
            if (!change.isRemoval()) {
                continue;
            }
            for (NodeView other : step.world().runningNodes()) {
                if (reading.base().members().statusOf(other.id()) == MemberStatus.JOINING
                        && other.state().members().statusOf(change.id()) == MemberStatus.UP) {
                    step.world().reached("removal while a joining node still holds it up");
                }
            }
        }
    }
}
