package dev.muster.simulator.check;

import dev.muster.core.ClusterSnapshot;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.VectorClock;
import dev.muster.core.state.VectorClock.Relation;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * C3 and C4: the leader follows from the version alone, and no two nodes act on the same one.
 *
 * <p>Two nodes that are converged on one version name the same leader. A second author of a leader action on one
 * version is a violation. So are two actions by different authors neither of which knows of the other, unless at least
 * one author had declared the other down, or did not have it as a member that counts: a node that was cut off may
 * complete what it was entitled to before the others gave it up.
 */
final class OneLeaderPerVersion implements Checker {
    private static final int REMEMBERED = 32;

    private record Action(NodeView author, ClusterState acted, ClusterState made) {}

    private final StepReader reader;
    private final History history;
    private final Deque<Action> recent = new ArrayDeque<>();

    OneLeaderPerVersion(StepReader reader, History history) {
        this.reader = reader;
        this.history = history;
    }

    @Override
    public void onStep(Step step) {
        if (!step.changedState() || step.after().members().isEmpty()) {
            return;
        }
        if (step.before().members() != step.after().members()
                && reader.read(step).hasLeaderAction()) {
            checkSameVersion(step);
            checkConcurrent(step);
        }
        if (step.after().seen().count() == step.after().members().size() && !Sampling.skips(step.world())) {
            checkNamedLeader(step);
        }
    }

    private void checkSameVersion(Step step) {
        step.world().countChecks(1);
        StepReading reading = reader.read(step);
        if (reading.ownIncrements() != 1) {
            return; // several changes in a row: the version acted on was never visible
        }
        VersionMemory.Entry entry = history.versions().findOrAdd(reading.base());
        NodeId self = step.node().id();
        if (entry.actor != null && !entry.actor.equals(self)) {
            step.world()
                    .report(
                            "C4",
                            entry.actor + " and " + self + " both acted as leader on version "
                                    + reading.base().version(),
                            step.node());
        }
        entry.actor = self;
    }

    private void checkConcurrent(Step step) {
        ClusterState acted = reader.read(step).base();
        VectorClock result = step.after().version();
        Action action = new Action(step.node(), acted, step.after());
        for (Action other : recent) {
            if (!other.author().id().equals(step.node().id())
                    && countsFor(action, other.author())
                    && countsFor(other, step.node())
                    && other.made().version().relationTo(result) == Relation.CONCURRENT) {
                step.world().countChecks(1);
                step.world()
                        .report(
                                "C4",
                                step.node().id() + " acted as leader (" + result + ") and so did "
                                        + other.author().id() + " ("
                                        + other.made().version() + "), neither knowing of the other nor"
                                        + " holding it down",
                                step.node());
            }
        }
        recent.addFirst(action);
        if (recent.size() > REMEMBERED) {
            recent.removeLast();
        }
    }

    /** An author may declare the other down and act as leader in one and the same step. */
    private static boolean countsFor(Action action, NodeView author) {
        return action.acted().members().statusOf(author.id()).countsForConvergence()
                && action.made().members().statusOf(author.id()).countsForConvergence();
    }

    private void checkNamedLeader(Step step) {
        VersionMemory.Entry entry = history.versions().findOrAdd(step.after());
        NodeId ruled = LeaderRule.leaderOf(step.after(), step.node().id()).orElse(null);
        boolean counts = ruled != null && step.after().members().statusOf(ruled).countsForConvergence();
        ClusterSnapshot snapshot = counts ? step.node().snapshot() : null;
        if (snapshot == null || !snapshot.converged() || snapshot.state() != step.after()) {
            return;
        }
        step.world().countChecks(1);
        NodeId named = snapshot.leader().orElse(null);
        if (entry.namedLeader == null) {
            entry.namedLeader = ruled;
        }
        if (!entry.namedLeader.equals(named)) {
            step.world()
                    .report(
                            "C3",
                            "converged on " + step.after().version() + " it names " + named + " as leader, others "
                                    + entry.namedLeader,
                            step.node());
        }
    }
}
