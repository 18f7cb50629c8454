package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.SeenSet;

/**
 * M8: who counts as having seen a version, and that it is true.
 *
 * <p>After a change of its own, or a merge that made a new version, only the node itself has seen the result. A version
 * taken over keeps its seen set and gains the taker; the same version met again unites the two sets. And nobody is in a
 * seen set who did not really process that very version.
 */
final class SeenSetRules implements Checker {
    private final StepReader reader;
    private final History history;

    SeenSetRules(StepReader reader, History history) {
        this.reader = reader;
        this.history = history;
    }

    @Override
    public void onStep(Step step) {
        ClusterState after = step.after();
        int self = after.members().ordinalOf(step.node().id());
        if (!step.changedState() || self < 0 || Sampling.skips(step.world())) {
            return;
        }
        step.world().countChecks(2);
        SeenSet expected = expected(step, self);
        if (!after.seen().equals(expected)) {
            step.world()
                    .report(
                            "M8",
                            "version " + after.version() + " is held as seen by " + names(after, after.seen())
                                    + " but should be by " + names(after, expected) + "; before was "
                                    + step.before().version()
                                    + " seen by "
                                    + names(step.before(), step.before().seen()),
                            step.node());
        }
        checkTruth(step);
    }

    private SeenSet expected(Step step, int self) {
        ClusterState after = step.after();
        ClusterState received = reader.read(step).received();
        boolean isMine = isVersion(after, step.before());
        boolean isTheirs = received != null && isVersion(after, received) && step.before() != after;
        SeenSet expected = SeenSet.NOBODY;
        if (isMine) {
            expected = expected.union(step.before().seen());
        }
        if (isTheirs) {
            expected = expected.union(received.seen());
        }
        return expected.with(self);
    }

    private static boolean isVersion(ClusterState one, ClusterState other) {
        return one.version() == other.version() || one.version().equals(other.version());
    }

    private void checkTruth(Step step) {
        ClusterState after = step.after();
        VersionMemory.Entry entry = history.versions().find(after.version());
        if (entry == null
                || !entry.isComplete
                || entry.processors() >= after.members().size()) {
            return;
        }
        Members members = after.members();
        for (int i = 0; i < members.size(); i++) {
            if (after.seen().contains(i)
                    && !didProcess(step.world(), entry, members.get(i).id())) {
                step.world()
                        .report(
                                "M8",
                                members.get(i).id() + " is said to have seen version " + after.version()
                                        + " but never processed it",
                                step.node());
            }
        }
    }

    private static boolean didProcess(WorldView world, VersionMemory.Entry entry, NodeId id) {
        return world.node(id).map(entry::wasProcessedBy).orElse(false);
    }

    private static String names(ClusterState state, SeenSet seen) {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < state.members().size(); i++) {
            if (seen.contains(i)) {
                text.append(text.length() == 1 ? "" : " ")
                        .append(state.members().get(i).id());
            }
        }
        return text.append(']').toString();
    }
}
