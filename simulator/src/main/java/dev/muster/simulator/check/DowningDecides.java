package dev.muster.simulator.check;

import dev.muster.core.ClusterSettings;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;

/**
 * B4, and the second half of B6: every lasting outage comes to a decision, also where nobody on a side is up.
 *
 * <p>Once the world has been undisturbed for as long as it takes until everybody knows who is gone, and three times the
 * longest patience of the strategy (the first in line may have died, and the next one stands in), no running member
 * still has a dead one in its state that nobody declared down, or one that another has quarantined. With manual downing
 * nothing is promised.
 */
final class DowningDecides extends PeriodicChecker {
    private final History history;

    DowningDecides(History history) {
        super(5);
        this.history = history;
    }

    @Override
    void look(WorldView world) {
        ClusterSettings settings = world.facts().settings();
        long undisturbed = history.undisturbedNanos(world);
        if (settings.downing().strategy() instanceof DowningStrategy.Manual
                || undisturbed < 3 * Bounds.downingNanos(settings, 2)) {
            return;
        }
        ClusterState last = null;
        for (NodeView node : world.runningNodes()) {
            ClusterState state = node.state();
            int members = state.members().size();
            long bound = Bounds.everybodyKnowsNanos(settings, members)
                    + 3 * Bounds.downingNanos(settings, members)
                    + Bounds.convergenceNanos(settings, members);
            if (undisturbed >= bound && state != last && Health.isMember(node)) {
                last = state;
                judge(world, node, undisturbed);
            }
        }
    }

    private static void judge(WorldView world, NodeView node, long undisturbed) {
        world.countChecks(1);
        for (Member member : node.state().members()) {
            boolean dead = world.node(member.id()).filter(NodeView::isRunning).isEmpty();
            boolean goes = dead || isQuarantined(node.state(), member);
            if (goes && !Health.isGoing(member)) {
                world.report(
                        "B4",
                        "nobody has declared " + member + " down, which is " + (dead ? "gone" : "quarantined") + ", in "
                                + undisturbed / 1_000_000 + " ms without disturbance",
                        node);
                return;
            }
        }
    }

    /** Terminated by the word of somebody who stays: one of the two has to go. */
    private static boolean isQuarantined(ClusterState state, Member member) {
        for (ReachabilityRow row : state.reachability().rows()) {
            boolean stays = state.members().statusOf(row.observer()).compareTo(MemberStatus.EXITING) < 0;
            if (stays && row.statusOf(member.id()) == ReachabilityStatus.TERMINATED) {
                return true;
            }
        }
        return false;
    }
}
