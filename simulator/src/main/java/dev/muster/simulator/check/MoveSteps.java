package dev.muster.simulator.check;

import dev.muster.core.exchange.Effect;
import dev.muster.core.handoff.GateMessage;
import dev.muster.core.handoff.GateMessage.Handed;
import dev.muster.core.handoff.GateMessage.Item;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import dev.muster.core.state.PartitionPath;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Follows the latest move of each partition through the six steps of the specification, by what can be seen from
 * outside. A move is at a step from the moment at which that has been taken until the next one is.
 *
 * <ol>
 *   <li>the leader has written a row with the pending change
 *   <li>the old host has sent the initialization
 *   <li>the new host has created the instance and said that it is ready
 *   <li>the old host has handed over
 *   <li>the leader has written the row that names the new host
 *   <li>the first node has said to the old host that it knows
 * </ol>
 *
 * <p>It is over when the old host says that all know, or when a row says otherwise. Reports nothing.
 */
public final class MoveSteps implements Checker {
    public static final int LAST = 6;
    private static final int OVER = LAST + 1;

    private final Map<PartitionPath, Progress> moves = new TreeMap<>();

    /** @param step the last of the six that was taken */
    public record Progress(PartitionMove move, int step) {
        private Progress at(int next) {
            return next > step ? new Progress(move, next) : this;
        }

        private boolean isOver() {
            return step >= OVER;
        }
    }

    /** The move of a partition that is under way; empty if there is none. */
    public Optional<Progress> of(PartitionPath path) {
        return Optional.ofNullable(moves.get(path)).filter(it -> !it.isOver());
    }

    @Override
    public void onStep(Step step) {
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.FollowRow follow) {
                onRow(follow.row());
            }
        }
    }

    private void onRow(PartitionEntry row) {
        Progress known = moves.get(row.path());
        PartitionMove pending = row.pending().orElse(null);
        if (pending != null && (known == null || pending.id() > known.move().id())) {
            moves.put(row.path(), new Progress(pending, 1));
        } else if (known != null && row.epoch() > known.move().id() && pending == null) {
            boolean isDone =
                    row.move().filter(it -> it.id() == known.move().id()).isPresent();
            moves.put(row.path(), known.at(isDone ? 5 : OVER));
        }
    }

    @Override
    public void onWork(WorkStep step) {
        Progress known = moves.get(step.path());
        if (known == null || known.isOver()) {
            return;
        }
        int taken = 0;
        if (step.what() instanceof WorkStep.Said said
                && said.message().move() == known.move().id()) {
            taken = takenBy(said.message());
        } else if (step.what() instanceof WorkStep.Heard heard
                && heard.message() instanceof GateMessage.RouteSwitched<Letter> ack
                && step.node().id().equals(known.move().from())
                && ack.move() >= known.move().id()
                && known.step() == 5) {
            taken = 6;
        }
        moves.put(step.path(), known.at(taken));
    }

    private static int takenBy(GateMessage<Letter> message) {
        if (message instanceof GateMessage.Confirmed<Letter> confirmed) {
            return confirmed.isReady() ? 3 : 0;
        }
        if (message instanceof Handed<Letter> handed) {
            Item<Letter> item = handed.item();
            return item instanceof Item.Prepare
                    ? 2
                    : item instanceof Item.YourTurn ? 4 : item instanceof Item.AllSwitched ? OVER : 0;
        }
        return 0;
    }
}
