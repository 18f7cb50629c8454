package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;

/**
 * L9: whoever leaves is gone in the end, also when it leads.
 *
 * <p>Once the world has been undisturbed for as long as two agreements, the finishing of a leaver and the detection of
 * one whose last word was lost may take, no state that nothing blocks has a leaving, exiting or down member. The only
 * member of a cluster is let off: it goes by stopping, and nobody remains to remove it.
 */
final class LeavingEnds extends PeriodicChecker {
    private static final long FINISHING_NANOS = 10_000_000_000L;

    private final History history;

    LeavingEnds(History history) {
        super(5);
        this.history = history;
    }

    @Override
    void look(WorldView world) {
        long undisturbed = history.undisturbedNanos(world);
        if (undisturbed < FINISHING_NANOS) {
            return;
        }
        for (NodeView node : world.runningNodes()) {
            ClusterState state = node.state();
            long bound =
                    3 * Bounds.convergenceNanos(node.settings(), state.members().size())
                            + FINISHING_NANOS
                            + 2 * Bounds.detectionNanos(node.settings());
            if (undisturbed >= bound && Health.isMember(node) && Health.isUnblocked(world, state)) {
                judge(world, node, state, undisturbed);
            }
        }
    }

    private static void judge(WorldView world, NodeView node, ClusterState state, long undisturbed) {
        world.countChecks(1);
        for (Member member : state.members()) {
            if (Health.isGoing(member) || member.status() == MemberStatus.LEAVING) {
                world.report(
                        "L9",
                        member + " is still there after " + undisturbed / 1_000_000 + " ms in which nothing kept it",
                        node);
                return;
            }
        }
    }
}
