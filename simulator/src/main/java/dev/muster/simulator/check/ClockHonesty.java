package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.VectorClock.Relation;
import java.util.List;

/**
 * M7: when a clock says that one state is older than another, the newer one does know everything that the older one
 * does.
 *
 * <p>Tried on pairs of states that running nodes hold at the same moment, one pair in every hundred changes.
 */
final class ClockHonesty implements Checker {
    private static final int EVERY = 100;

    private final StateOrder order;
    private int changes;

    ClockHonesty(History history) {
        this.order = new StateOrder(history);
    }

    @Override
    public void onStep(Step step) {
        if (!step.changedVersion() || ++changes % EVERY != 0) {
            return;
        }
        List<? extends NodeView> running = step.world().runningNodes();
        if (!running.isEmpty()) {
            NodeView other = running.get(step.world().checkerRandom().nextInt(running.size()));
            check(step, step.after(), other);
        }
    }

    private void check(Step step, ClusterState mine, NodeView other) {
        step.world().countChecks(1);
        Relation relation = mine.version().relationTo(other.state().version());
        if (relation == Relation.SAME || relation == Relation.CONCURRENT) {
            return;
        }
        ClusterState older = relation == Relation.BEFORE ? mine : other.state();
        ClusterState newer = relation == Relation.BEFORE ? other.state() : mine;
        String lacks = order.lacks(older, newer);
        if (!older.members().isEmpty() && !lacks.isEmpty()) {
            step.world()
                    .report(
                            "M7",
                            "version " + newer.version() + " claims to be newer than " + older.version() + " ("
                                    + step.node().id() + " and " + other.id() + ") but lacks " + lacks,
                            step.node());
        }
    }
}
