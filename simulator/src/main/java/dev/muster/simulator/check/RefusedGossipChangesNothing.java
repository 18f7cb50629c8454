package dev.muster.simulator.check;

import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.GossipMessage.GossipState;
import dev.muster.core.exchange.Input.MessageReceived;
import dev.muster.core.exchange.JoinMessage.Welcome;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.VectorClock;

/**
 * C9, U3 and S6: gossip that a node has no reason to believe changes nothing.
 *
 * <p>That is gossip meant for another incarnation, from somebody who is no member, whom the receiver holds unreachable
 * or down, or who belongs to another cluster, a state without the receiver, and a welcome that comes to a member. Time
 * goes on in every step, so the node may change things of its own accord meanwhile; but nothing that others wrote may
 * be new.
 */
final class RefusedGossipChangesNothing implements Checker {
    private final History history;

    RefusedGossipChangesNothing(History history) {
        this.history = history;
    }

    @Override
    public void onStep(Step step) {
        if (!step.changedVersion() || !(step.input() instanceof MessageReceived received)) {
            return;
        }
        String reason = reasonToRefuse(step, received.from(), received.message());
        if (reason.isEmpty()) {
            return;
        }
        step.world().countChecks(1);
        if (learned(step)) {
            step.world()
                    .report(
                            idOf(reason),
                            "took over something from gossip of " + received.from() + " " + reason + ": from "
                                    + step.before().version() + " to "
                                    + step.after().version(),
                            step.node());
        }
    }

    private static String idOf(String reason) {
        return reason.startsWith("for another incarnation") ? "U3" : reason.startsWith("of another") ? "S6" : "C9";
    }

    private String reasonToRefuse(Step step, NodeId from, CoreMessage message) {
        if (message instanceof GossipState gossip) {
            return reasonToRefuse(step, from, gossip);
        }
        if (message instanceof Welcome welcome) {
            return !welcome.to().equals(step.node().id())
                    ? "for another incarnation, " + welcome.to()
                    : step.before().members().isEmpty() ? "" : "that welcomes a member";
        }
        return "";
    }

    private String reasonToRefuse(Step step, NodeId from, GossipState gossip) {
        NodeId self = step.node().id();
        ClusterState before = step.before();
        if (!gossip.to().equals(self)) {
            return "for another incarnation, " + gossip.to();
        }
        if (!before.members().has(from)) {
            return "who is no member";
        }
        if (before.members().statusOf(from) == MemberStatus.DOWN) {
            return "who is down";
        }
        if (before.reachability().statusOf(self, from) != ReachabilityStatus.REACHABLE) {
            return "whom it holds unreachable";
        }
        if (!gossip.state().members().has(self)) {
            return "that does not contain it";
        }
        boolean foreign = step.world()
                .node(from)
                .filter(sender -> history.clusterOf(sender) != history.clusterOf(step.node()))
                .isPresent();
        return foreign ? "of another cluster" : "";
    }

    private static boolean learned(Step step) {
        VectorClock before = step.before().version();
        VectorClock after = step.after().version();
        String own = step.node().id().clockKey();
        for (int i = 0; i < after.size(); i++) {
            if (after.counter(i) > before.counterOf(after.key(i))
                    && !after.key(i).equals(own)) {
                return true;
            }
        }
        return false;
    }
}
