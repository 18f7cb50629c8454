package dev.muster.simulator.check;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.HeartbeatMessage.HeartbeatReply;
import dev.muster.core.exchange.Input.MessageReceived;
import dev.muster.core.exchange.Refusal;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;

/**
 * U1, U2, U5 and U7: every process is somebody of its own.
 *
 * <p>Nobody lets in a node whose uid another address uses, or which it holds as down or removed. Once everybody has
 * seen a version, it has at most one incarnation at each address that is not down. And an answer of the new incarnation
 * does not make its predecessor reachable again. (U3 is checked along with refused gossip, U6 along with authors.)
 */
final class Incarnations implements Checker {
    private final StepReader reader;

    Incarnations(StepReader reader) {
        this.reader = reader;
    }

    @Override
    public void onStep(Step step) {
        noteRefusal(step);
        if (!step.changedState()) {
            return;
        }
        if (step.before().members() != step.after().members()) {
            checkLetIn(step);
        }
        if (step.before().reachability() != step.after().reachability()) {
            checkWithdrawals(step);
        }
        if (step.after().seen().count() == step.after().members().size() && !Sampling.skips(step.world())) {
            checkOneEach(step);
        }
    }

    private static void noteRefusal(Step step) {
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.PublishEvent published
                    && published.event() instanceof ClusterEvent.MessageRefused refused
                    && refused.refusal() == Refusal.UID_NOT_ACCEPTED
                    && isUsedElsewhere(step.before(), refused.from())) {
                step.world().reached("uid collision refused");
            }
        }
    }

    private static boolean isUsedElsewhere(ClusterState state, NodeId id) {
        for (Member member : state.members()) {
            if (member.id().uid() == id.uid() && !member.id().address().equals(id.address())) {
                return true;
            }
        }
        return false;
    }

    private void checkLetIn(Step step) {
        for (MemberChange change : reader.read(step).ownChanges()) {
            if (!change.isNew()) {
                continue;
            }
            step.world().countChecks(2);
            if (isUsedElsewhere(step.before(), change.id())) {
                step.world().report("U1", "let in " + change.id() + " although its uid is in use", step.node());
            }
            if (step.before().tombstones().has(change.id())
                    || step.before().members().statusOf(change.id()) == MemberStatus.DOWN) {
                step.world().report("U7", "let in " + change.id() + ", which was removed or down", step.node());
            }
        }
    }

    private void checkWithdrawals(Step step) {
        for (NodeId subject : reader.read(step).withdrawals()) {
            step.world().countChecks(1);
            step.world().reached("phi above threshold and back");
            boolean byAnother = step.input() instanceof MessageReceived received
                    && received.message() instanceof HeartbeatReply
                    && received.from().address().equals(subject.address())
                    && !received.from().equals(subject);
            if (byAnother) {
                step.world()
                        .report(
                                "U5",
                                "took " + subject + " for reachable on an answer of another incarnation",
                                step.node());
            }
        }
    }

    private static void checkOneEach(Step step) {
        step.world().countChecks(1);
        Members members = step.after().members();
        Member last = null;
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            if (member.status() == MemberStatus.DOWN) {
                continue;
            }
            if (last != null && last.id().address().equals(member.id().address())) {
                step.world()
                        .report("U2", "everybody has seen " + last + " and " + member + " at one address", step.node());
            }
            last = member;
        }
    }
}
