package dev.muster.simulator.check;

import dev.muster.core.failure.MonitorRing;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import java.util.List;

/**
 * Notes rare situations that a night of runs should have been through, so that nobody has to believe that the faults
 * are rough enough. Judges nothing.
 */
final class Situations extends PeriodicChecker {

    Situations() {
        super(2);
    }

    @Override
    public void onProcess(ProcessChange change) {
        if (change.kind() != ProcessChange.Kind.STARTED) {
            return;
        }
        for (NodeView other : change.world().runningNodes()) {
            boolean oldOneStands = other.state().members().at(change.node().address()).stream()
                    .anyMatch(member -> !member.id().equals(change.node().id()));
            if (oldOneStands) {
                change.world().reached("member restarted before old incarnation removed");
                return;
            }
        }
    }

    @Override
    void look(WorldView world) {
        if (world.isQuiet() && world.quietForNanos() > 60_000_000_000L) {
            return;
        }
        int leaders = 0;
        NodeView weakHolder = null;
        ClusterState last = null;
        for (NodeView node : world.runningNodes()) {
            ClusterState state = node.state();
            if (!Health.isMember(node)) {
                continue;
            }
            leaders += LeaderRule.isLeader(state, node.id()) ? 1 : 0;
            if (state != last && hasWeaklyUp(state)) {
                if (weakHolder != null && areApart(world, weakHolder, node)) {
                    world.reached("weakly up on both sides of a cut");
                }
                weakHolder = node;
            }
            noteRingChange(world, node, state);
            last = state;
        }
        if (leaders > 1) {
            world.reached("two leaders at once in views");
        }
    }

    private static boolean hasWeaklyUp(ClusterState state) {
        for (Member member : state.members()) {
            if (member.status() == MemberStatus.WEAKLY_UP) {
                return true;
            }
        }
        return false;
    }

    private static boolean areApart(WorldView world, NodeView one, NodeView other) {
        return !world.canSend(one.address(), other.address()) && !world.canSend(other.address(), one.address());
    }

    private static void noteRingChange(WorldView world, NodeView node, ClusterState state) {
        ReachabilityRow row = state.reachability().rows().isEmpty()
                ? null
                : state.reachability().rowOf(node.id()).orElse(null);
        if (row == null || row.records().isEmpty()) {
            return;
        }
        List<?> targets = MonitorRing.targetsOf(
                node.id(),
                state.members(),
                node.settings().failure().monitoredByNrOfMembers(),
                id -> !state.isReachable(id));
        for (ReachabilityRow.Observation record : row.records()) {
            if (record.status() == ReachabilityStatus.UNREACHABLE && !targets.contains(record.subject())) {
                world.reached("observer changed by ring change while its record is unreachable");
            }
        }
    }
}
