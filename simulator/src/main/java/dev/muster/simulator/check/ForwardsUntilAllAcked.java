package dev.muster.simulator.check;

import dev.muster.core.handoff.GateMessage;
import dev.muster.core.handoff.GateMessage.Handed;
import dev.muster.core.handoff.GateMessage.Item;
import dev.muster.core.handoff.GateMessage.PassedOn;
import dev.muster.core.handoff.MoveView;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * H6: an old host that has handed over goes on forwarding until all members have said to it that they know the new one,
 * or the new one is no member any more, or says that it takes nothing more because the table does not name it.
 *
 * <p>It has stopped when it says that all know, when its part in the move ends, or, under option 4a, when it treats a
 * letter as one that has strayed.
 */
final class ForwardsUntilAllAcked implements Checker {
    private final SortedMap<PartitionPath, PartitionSpec> wanted;
    private final Acks acks;
    private final HostLosses losses;
    private final Map<Acks.Place, Outgoing> outgoing = new HashMap<>();
    private final Map<Long, NodeId> cameFrom = new HashMap<>();

    /** A move that was handed over. */
    private static final class Outgoing {
        private final long move;
        private final NodeId newHost;
        private boolean saidAll;
        private boolean endedThere;

        private Outgoing(long move, NodeId newHost) {
            this.move = move;
            this.newHost = newHost;
        }
    }

    ForwardsUntilAllAcked(SortedMap<PartitionPath, PartitionSpec> wanted, Acks acks, HostLosses losses) {
        this.wanted = wanted;
        this.acks = acks;
        this.losses = losses;
    }

    @Override
    public void onWork(WorkStep step) {
        WorkStep.What what = step.what();
        if (what instanceof WorkStep.Said said) {
            onSaid(step, said);
        } else if (what instanceof WorkStep.Came came) {
            cameFrom.put(came.letter().number(), came.from());
        } else if (what instanceof WorkStep.Heard heard && heard.message() instanceof GateMessage.Ended<Letter> ended) {
            onEnded(step, heard.from(), ended.move());
        } else if (what instanceof WorkStep.Created) {
            outgoing.remove(Acks.Place.of(step));
        } else if (what instanceof WorkStep.MoveWentOn went) {
            onMoveWentOn(step, went);
        }
    }

    private void onEnded(WorkStep step, NodeId newHost, long number) {
        Outgoing move = outgoing.get(Acks.Place.of(step));
        if (move != null && move.move == number && move.newHost.equals(newHost)) {
            move.endedThere = true;
        }
    }

    private void onSaid(WorkStep step, WorkStep.Said said) {
        Acks.Place place = Acks.Place.of(step);
        Outgoing move = outgoing.get(place);
        if (said.message() instanceof Handed<Letter> handed) {
            if (handed.item() instanceof Item.YourTurn && (move == null || move.move < handed.move())) {
                outgoing.put(place, new Outgoing(handed.move(), said.to()));
            } else if (handed.item() instanceof Item.AllSwitched && move != null && !move.saidAll) {
                move.saidAll = true;
                judge(step, move, "says that all know the new host of ");
            }
        } else if (said.message() instanceof PassedOn<Letter> passed && move != null) {
            onPassedOn(step, move, passed.message());
        }
    }

    private void onPassedOn(WorkStep step, Outgoing move, Letter letter) {
        NodeId sender = cameFrom.remove(letter.number());
        boolean isForwarding = wanted.get(step.path()).policy().update() == HandoffPolicy.Update.FORWARD;
        boolean isMember = sender != null && step.node().state().members().has(sender);
        if (isForwarding && isMember && !move.saidAll && !hasAcked(step, move, sender)) {
            report(step, move, "treats as a stray " + letter + " to ", sender);
        }
    }

    private void onMoveWentOn(WorkStep step, WorkStep.MoveWentOn went) {
        Outgoing move = outgoing.get(Acks.Place.of(step));
        Optional<Long> before = went.before().map(MoveView::move);
        Optional<Long> after = went.after().map(MoveView::move);
        boolean isOver = move != null && before.filter(it -> it == move.move).isPresent() && !before.equals(after);
        if (isOver && !move.saidAll) {
            judge(step, move, "has ended its part in the move of ");
        }
    }

    private void judge(WorkStep step, Outgoing move, String doing) {
        step.world().countChecks(1);
        step.world().judged("H6");
        if (losses.hadToStop(step.node())) {
            step.world().letOff("H6");
            return;
        }
        for (Member member : step.node().state().members()) {
            if (member.isMuster() && !hasAcked(step, move, member.id())) {
                report(step, move, doing, member.id());
                return;
            }
        }
    }

    private boolean hasAcked(WorkStep step, Outgoing move, NodeId sender) {
        return move.endedThere
                || acks.has(Acks.Place.of(step), sender, move.move)
                || isNoHostAnyMore(step, move.newHost);
    }

    private boolean isNoHostAnyMore(WorkStep step, NodeId newHost) {
        boolean isOneTooMany = wanted.get(step.path()).most() > 1
                && step.node()
                        .partitions()
                        .find(step.path())
                        .filter(row -> !row.isOn(newHost))
                        .isPresent();
        return isOneTooMany || !step.node().state().members().has(newHost);
    }

    private static void report(WorkStep step, Outgoing move, String doing, NodeId sender) {
        step.world().report("H6", doing + step.path() + ", but no ack of " + sender + " for " + move.move, step.node());
    }
}
