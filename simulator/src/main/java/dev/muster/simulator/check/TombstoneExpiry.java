package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import java.util.HashMap;
import java.util.Map;

/**
 * T2, T4 and T5: when tombstones go.
 *
 * <p>Only a leader lets go of one, on a version that every member has really processed, newcomers included, and only
 * after having held it itself for the retention time on its own monotonic clock; whatever the stamp in it says. And
 * they do go: at the end of an undisturbed stretch of the retention time, a leader whose cluster has converged holds
 * none that it has had for longer than that.
 */
final class TombstoneExpiry implements Checker {
    private final StepReader reader;
    private final History history;
    private final Map<Integer, Map<NodeId, Long>> heldSinceLocalNanos = new HashMap<>();

    TombstoneExpiry(StepReader reader, History history) {
        this.reader = reader;
        this.history = history;
    }

    @Override
    public void onStep(Step step) {
        if (step.before().tombstones() == step.after().tombstones()) {
            return;
        }
        Map<NodeId, Long> heldSince =
                heldSinceLocalNanos.computeIfAbsent(step.node().number(), n -> new HashMap<>());
        ClusterState base = reader.read(step).base();
        for (NodeId id : base.tombstones().ids()) {
            if (!step.after().tombstones().has(id)) {
                checkLetGo(step, base, id, heldSince.getOrDefault(id, step.localNanos()));
            }
        }
        heldSince.keySet().removeIf(id -> !step.after().tombstones().has(id));
        for (NodeId id : step.after().tombstones().ids()) {
            heldSince.putIfAbsent(id, step.localNanos());
        }
    }

    private void checkLetGo(Step step, ClusterState base, NodeId id, long heldSince) {
        step.world().countChecks(3);
        step.world().reached("tombstone expired");
        long held = step.localNanos() - heldSince;
        if (held < step.node().settings().lifecycle().tombstoneRetention().toNanos()) {
            step.world()
                    .report(
                            "T2",
                            "let go of the tombstone of " + id + " after " + held / 1_000_000 + " ms, too early",
                            step.node());
        }
        if (!LeaderRule.isLeader(base, step.node().id())
                && !LeaderRule.isLeader(step.after(), step.node().id())) {
            step.world().report("T2", "let go of the tombstone of " + id + " without being leader", step.node());
        }
        VersionMemory.Entry entry = history.versions().find(base.version());
        for (Member member : step.after().members()) {
            boolean processed = member.id().equals(step.node().id())
                    || entry != null
                            && step.world()
                                    .node(member.id())
                                    .map(entry::wasProcessedBy)
                                    .orElse(false);
            if (!processed) {
                step.world()
                        .report(
                                "T2",
                                "let go of the tombstone of " + id + " in version " + base.version() + ", which "
                                        + member + " never processed",
                                step.node());
            }
        }
    }

    @Override
    public void atEnd(WorldView world) {
        for (NodeView node : world.runningNodes()) {
            Map<NodeId, Long> heldSince = heldSinceLocalNanos.get(node.number());
            ClusterState state = node.state();
            boolean mayAct = state.members().has(node.id())
                    && !state.tombstones().isEmpty()
                    && state.seen().count() == state.members().size()
                    && LeaderRule.isLeader(state, node.id())
                    && LeaderRule.accusedIn(state).isEmpty();
            if (mayAct && heldSince != null) {
                state.tombstones().ids().forEach(id -> checkGone(world, node, id, heldSince.get(id)));
            }
        }
    }

    private void checkGone(WorldView world, NodeView node, NodeId id, Long heldSince) {
        long retention = node.settings().lifecycle().tombstoneRetention().toNanos();
        long slack = 2
                * Bounds.convergenceNanos(
                        node.settings(), node.state().members().size());
        boolean hadItsTime = heldSince != null
                && node.localNanos() - heldSince > retention + slack
                && history.undisturbedNanos(world) > slack;
        world.countChecks(1);
        if (hadItsTime) {
            world.report(
                    "T4",
                    "still holds the tombstone of " + id + " after " + (node.localNanos() - heldSince) / 1_000_000
                            + " ms",
                    node);
        }
    }
}
