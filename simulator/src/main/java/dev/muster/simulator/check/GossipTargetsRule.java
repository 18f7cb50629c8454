package dev.muster.simulator.check;

import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityStatus;

/**
 * C10: nobody gossips with itself, nor with a member whom it holds unreachable, unless to tell it, in the very step,
 * that it was declared down. The bias towards members that have not seen a version is a matter of chance and is
 * measured by a unit test.
 */
final class GossipTargetsRule implements Checker {

    @Override
    public void onStep(Step step) {
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.SendMessage send && send.message() instanceof GossipMessage gossip) {
                check(step, gossip.to());
            }
        }
    }

    private static void check(Step step, NodeId target) {
        NodeId self = step.node().id();
        step.world().countChecks(1);
        if (target.equals(self)) {
            step.world().report("C10", "sends gossip to itself", step.node());
        }
        if (step.after().reachability().rows().isEmpty()) {
            return;
        }
        boolean shunned = step.before().reachability().statusOf(self, target) != ReachabilityStatus.REACHABLE
                && step.after().reachability().statusOf(self, target) != ReachabilityStatus.REACHABLE;
        boolean justDeclaredDown = step.after().members().statusOf(target) == MemberStatus.DOWN
                && step.before().members().statusOf(target) != MemberStatus.DOWN;
        if (shunned && !justDeclaredDown) {
            step.world().report("C10", "sends gossip to " + target + ", whom it holds unreachable", step.node());
        }
    }
}
