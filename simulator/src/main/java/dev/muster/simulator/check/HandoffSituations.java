package dev.muster.simulator.check;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effect;
import dev.muster.core.handoff.GateMessage.Handed;
import dev.muster.core.handoff.GateMessage.Item;
import dev.muster.core.handoff.Hands;
import dev.muster.core.handoff.PartitionGate;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Notes rare situations around partitions that move, which runs with moves should have been through together. Judges
 * nothing.
 */
public final class HandoffSituations implements Checker {
    static final String KEPT_WHEN_ACK_CAME = "an ack came to a new host that kept letters of this sender";
    static final String ACK_BEFORE_ROW = "an ack came to a new host before the row that names it";
    static final String NEW_LEADER = "a leader took over while moves were pending";
    static final String OVERFLOW = "a letter was dropped because too much waited";
    static final String OLD_MOVE = "a gate refused what was handed over in a move that was over";
    static final String FENCE = "one that had stood still let those rest that must be alone";

    private static final long A_MOMENT_NANOS = 1_000_000_000L;

    private final Map<Integer, Long> resumedNanos = new HashMap<>();

    /** All that could be noted. */
    public static SortedSet<String> all() {
        return Collections.unmodifiableSortedSet(
                new TreeSet<>(List.of(KEPT_WHEN_ACK_CAME, ACK_BEFORE_ROW, NEW_LEADER, OVERFLOW, OLD_MOVE, FENCE)));
    }

    @Override
    public void onProcess(ProcessChange change) {
        if (change.kind() == ProcessChange.Kind.RESUMED) {
            resumedNanos.put(change.node().number(), change.world().nowNanos());
        }
    }

    @Override
    public void onStep(Step step) {
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.HoldInstances hold && hold.held() && hasJustResumed(step)) {
                step.world().reached(FENCE);
            } else if (effect instanceof Effect.PublishEvent publish
                    && publish.event() instanceof ClusterEvent.LeaderChanged changed
                    && changed.leader().filter(step.node().id()::equals).isPresent()
                    && hasPendingMoves(step.node())) {
                step.world().reached(NEW_LEADER);
            }
        }
    }

    private boolean hasJustResumed(Step step) {
        Long resumed = resumedNanos.get(step.node().number());
        return resumed != null && step.world().nowNanos() - resumed <= A_MOMENT_NANOS;
    }

    private static boolean hasPendingMoves(NodeView node) {
        return node.partitions().entries().values().stream()
                .anyMatch(row -> row.pending().isPresent());
    }

    @Override
    public void onWork(WorkStep step) {
        if (step.what() instanceof WorkStep.DeadLetter dead && dead.why() == Hands.Drop.BUFFER_FULL) {
            step.world().reached(OVERFLOW);
        } else if (step.what() instanceof WorkStep.Heard heard && heard.message() instanceof Handed<Letter> handed) {
            onHanded(step, handed);
        }
    }

    /** The gate has not been told yet, so it is as it was before. */
    private static void onHanded(WorkStep step, Handed<Letter> handed) {
        PartitionGate<Letter> gate = step.node().gates().get(step.path());
        Optional<PartitionEntry> row = step.node().partitions().find(step.path());
        boolean isTakingPart =
                gate.view().filter(it -> it.move() == handed.move()).isPresent();
        boolean isOver = row.filter(it -> it.epoch() > handed.move() && !isPending(it, handed.move()))
                .isPresent();
        if (!isTakingPart && isOver) {
            step.world().reached(OLD_MOVE);
        }
        boolean isAck = handed.item() instanceof Item.SenderSwitched || handed.item() instanceof Item.AllSwitched;
        if (isTakingPart
                && isAck
                && row.filter(it -> !it.isOn(step.node().id())).isPresent()) {
            step.world().reached(ACK_BEFORE_ROW);
        }
        // Once the instance is at work, only that waits which came directly, and too early.
        if (isTakingPart && gate.acts() && handed.item() instanceof Item.SenderSwitched<Letter> switched) {
            boolean keeps = gate.waiting().stream().anyMatch(it -> it.sender().equals(switched.sender()));
            if (keeps) {
                step.world().reached(KEPT_WHEN_ACK_CAME);
            }
        }
    }

    private static boolean isPending(PartitionEntry row, long move) {
        return row.pending().map(PartitionMove::id).filter(it -> it == move).isPresent();
    }
}
