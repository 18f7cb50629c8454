package dev.muster.simulator.check;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Input;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;

/**
 * L2 and U6: every step in a member's life has an author who was entitled to it.
 *
 * <p>Up, exiting and removed: by whoever leads in its own view. Weakly up: likewise, and only for members that are
 * reachable there. Leaving: by command, exactly one. Down: by command, exactly one; by a downing decision that names
 * the member; or because another incarnation at the address was proved, or is the author itself. Joining: because the
 * member asked, or formed the cluster. Several changes can happen in one step, so the author may have become leader in
 * the middle of it, by declaring others down.
 */
final class AuthorRule implements Checker {
    private final StepReader reader;

    AuthorRule(StepReader reader) {
        this.reader = reader;
    }

    @Override
    public void onStep(Step step) {
        if (step.before().members() == step.after().members()) {
            return;
        }
        StepReading reading = reader.read(step);
        int commanded = 0;
        for (MemberChange change : reading.ownChanges()) {
            step.world().countChecks(1);
            commanded += checkChange(step, reading, change);
        }
        if (commanded > 1) {
            step.world()
                    .report(
                            "U6",
                            "one command acted on " + commanded + " members: " + reading.ownChanges(),
                            step.node());
        }
    }

    /** Returns 1 when a command is the only reason for the change, 0 otherwise. */
    private int checkChange(Step step, StepReading reading, MemberChange change) {
        if (change.isNew()) {
            checkJoining(step, change);
        }
        if (change.isLeaderAction() && !ledAtSomeTime(step, reading)) {
            report(step, change, "which only a leader may write");
        }
        return switch (change.to()) {
            case WEAKLY_UP -> checkWeaklyUp(step, reading, change);
            case LEAVING -> checkLeaving(step, change);
            case DOWN -> checkDown(step, change);
            case REMOVED ->
                change.from() == MemberStatus.DOWN || change.from() == MemberStatus.EXITING
                        ? 0
                        : checkDown(step, change);
            default -> 0;
        };
    }

    private static boolean ledAtSomeTime(Step step, StepReading reading) {
        NodeId self = step.node().id();
        return LeaderRule.isLeader(reading.base(), self)
                || LeaderRule.isLeader(step.after(), self)
                || LeaderRule.isLeader(inBetween(step, reading), self);
    }

    /** The state in between, if the node first declared members down, or leaving, and then acted as leader. */
    private static ClusterState inBetween(Step step, StepReading reading) {
        ClusterState base = reading.base();
        Members members = base.members();
        for (MemberChange change : reading.ownChanges()) {
            boolean wentDown = change.to() == MemberStatus.DOWN || change.isRemoval();
            if (wentDown && change.from() != MemberStatus.DOWN) {
                members = members.with(change.before().withStatus(MemberStatus.DOWN));
            } else if (change.to() == MemberStatus.EXITING && !change.isNew()) {
                members = members.with(change.before().withStatus(MemberStatus.LEAVING));
            }
        }
        return base.changed(step.node().id(), members, step.after().reachability());
    }

    private static int checkWeaklyUp(Step step, StepReading reading, MemberChange change) {
        if (!ledAtSomeTime(step, reading)) {
            report(step, change, "which only a leader may write");
        }
        if (LeaderRule.accusedIn(reading.base()).contains(change.id())
                && LeaderRule.accusedIn(step.after()).contains(change.id())) {
            report(step, change, "although it is unreachable");
        }
        return 0;
    }

    private static int checkLeaving(Step step, MemberChange change) {
        boolean told = step.input() instanceof Input.CommandGiven given
                && given.command() instanceof Command.Leave leave
                && leave.address().equals(change.id().address());
        if (!told) {
            report(step, change, "although nobody told it to");
        }
        return told ? 1 : 0;
    }

    private static int checkDown(Step step, MemberChange change) {
        if (isDecided(step, change.id()) || isReplaced(step, change.id())) {
            return 0;
        }
        if (isCommanded(step, change.id())) {
            return 1;
        }
        report(step, change, "without a command, a downing decision or a new incarnation");
        return 0;
    }

    private static boolean isDecided(Step step, NodeId id) {
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.PublishEvent published
                    && published.event() instanceof ClusterEvent.DowningDecided decided
                    && decided.down().contains(id)) {
                return true;
            }
        }
        return false;
    }

    /** Whether another incarnation at its address is proved, or is the author itself. */
    static boolean isReplaced(Step step, NodeId id) {
        boolean atMyAddress = id.address().equals(step.node().address())
                && !id.equals(step.node().id());
        boolean proved = step.input() instanceof Input.IncarnationProved input
                && input.newIncarnation().address().equals(id.address())
                && !input.newIncarnation().equals(id);
        return atMyAddress || proved;
    }

    private static boolean isCommanded(Step step, NodeId id) {
        if (step.input() instanceof Input.CommandGiven given) {
            return given.command() instanceof Command.Down down
                            && down.address().equals(id.address())
                    || given.command() instanceof Command.DownIncarnation exact
                            && exact.id().equals(id);
        }
        return false;
    }

    /** A joiner whose predecessor still stood at its address is let in later, when there is room. */
    private static void checkJoining(Step step, MemberChange change) {
        boolean asked = step.input() instanceof Input.MessageReceived received
                && received.from().equals(change.id())
                && received.message() instanceof JoinMessage.Join;
        boolean formed = change.id().equals(step.node().id()) && History.hasFormed(step);
        boolean waited = !asked && isWelcomed(step, change.id()) && hadPredecessor(step, change.id());
        if (!asked && !formed && !waited) {
            report(step, change, "although it did not ask");
        }
    }

    private static boolean isWelcomed(Step step, NodeId id) {
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.SendMessage send
                    && send.message() instanceof JoinMessage.Welcome welcome
                    && welcome.to().equals(id)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hadPredecessor(Step step, NodeId id) {
        return !step.before().members().at(id.address()).isEmpty();
    }

    private static void report(Step step, MemberChange change, String why) {
        step.world().report("L2", "wrote " + change + ", " + why, step.node());
    }
}
