package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.StateMerge;
import dev.muster.core.state.VectorClock;
import dev.muster.core.state.VectorClock.Relation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * M1 to M4: merging does not depend on order, grouping or repetition, and never loses anything.
 *
 * <p>Tried on the very states that meet in a run, whenever a node receives a state of another version than its own,
 * with the state of some third node for the law of grouping. That one must be a member here and have this node as a
 * member: two clusters that have removed each other are never merged. Tombstones that somebody let go, and clock
 * entries of those nodes, are left out of that comparison: a state that never knew of a tombstone cannot know that it
 * was let go, so the outcome may depend on whom it meets first. Keeping a tombstone a little longer is harmless, and T3
 * watches that none is lost.
 */
final class MergeLaws implements Checker {
    private final StepReader reader;
    private final History history;
    private final StateOrder order;

    MergeLaws(StepReader reader, History history) {
        this.reader = reader;
        this.history = history;
        this.order = new StateOrder(history);
    }

    @Override
    public void onStep(Step step) {
        if (!step.changedState()) {
            return;
        }
        if (step.changedVersion()) {
            checkOwnStateGrows(step);
        }
        ClusterState received = reader.read(step).received();
        if (received != null
                && received.version() != step.before().version()
                && received.version() != step.after().version()
                && !step.before().members().isEmpty()
                && !Sampling.skips(step.world())) {
            checkLaws(step, step.before(), received);
        }
    }

    private void checkOwnStateGrows(Step step) {
        step.world().countChecks(1);
        String lacks = order.lacks(step.before(), step.after());
        if (lacks.isEmpty()) {
            lacks = StateOrder.clockWentBack(step.before(), step.after());
        }
        if (!lacks.isEmpty()) {
            step.world()
                    .report(
                            "M4",
                            "went from version " + step.before().version() + " to "
                                    + step.after().version() + " and lost " + lacks,
                            step.node());
        }
    }

    private void checkLaws(Step step, ClusterState a, ClusterState b) {
        WorldView world = step.world();
        world.countChecks(4);
        ClusterState joined = StateMerge.join(a, b);
        if (!same(joined, StateMerge.join(b, a))) {
            world.report(
                    "M1", "merging " + a.version() + " with " + b.version() + " depends on the order", step.node());
        }
        if (!same(StateMerge.join(joined, joined), joined)) {
            world.report("M3", "merging " + joined.version() + " with itself changes it", step.node());
        }
        checkNothingLost(step, a, joined);
        checkNothingLost(step, b, joined);
        checkGrouping(step, a, b, joined);
        if (a.version().relationTo(b.version()) == Relation.CONCURRENT
                && !a.tombstones().equals(b.tombstones())) {
            world.reached("merge of concurrent clocks with a tombstone on one side");
        }
    }

    private void checkNothingLost(Step step, ClusterState side, ClusterState joined) {
        String lacks = order.lacks(side, joined);
        if (!lacks.isEmpty()) {
            step.world()
                    .report(
                            "M4",
                            "merge of " + step.before().version() + " and "
                                    + reader.read(step).received().version() + " lost " + lacks,
                            step.node());
        }
    }

    private void checkGrouping(Step step, ClusterState a, ClusterState b, ClusterState joined) {
        WorldView world = step.world();
        List<? extends NodeView> running = world.runningNodes();
        if (running.isEmpty()) {
            return;
        }
        NodeView third = running.get(world.checkerRandom().nextInt(running.size()));
        ClusterState c = third.state();
        boolean belong = a.members().has(third.id())
                && b.members().has(third.id())
                && c.members().has(step.node().id());
        if (!belong) {
            return;
        }
        if (!sameButForTheLetGo(StateMerge.join(joined, c), StateMerge.join(a, StateMerge.join(b, c)))) {
            world.report(
                    "M2",
                    "merging " + a.version() + ", " + b.version() + " and " + c.version() + " depends on the grouping",
                    step.node());
        }
    }

    private boolean sameButForTheLetGo(ClusterState one, ClusterState other) {
        if (same(one, other)) {
            return true;
        }
        return history.wereTombstonesLetGo()
                && one.members().equals(other.members())
                && one.reachability().equals(other.reachability())
                && isCoveredBy(one, other)
                && isCoveredBy(other, one);
    }

    /** Whether the other state has all tombstones and clock entries of this one, except of those let go. */
    private boolean isCoveredBy(ClusterState one, ClusterState other) {
        Set<String> letGoKeys = new HashSet<>();
        for (NodeId id : one.tombstones().ids()) {
            if (history.wasLetGo(id)) {
                letGoKeys.add(id.clockKey());
            } else if (!other.tombstones().has(id)) {
                return false;
            }
        }
        other.tombstones().ids().stream().filter(history::wasLetGo).forEach(id -> letGoKeys.add(id.clockKey()));
        VectorClock clock = one.version();
        for (int i = 0; i < clock.size(); i++) {
            if (clock.counter(i) > other.version().counterOf(clock.key(i)) && !letGoKeys.contains(clock.key(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean same(ClusterState one, ClusterState other) {
        return one.version().equals(other.version()) && one.sameContentAs(other);
    }
}
