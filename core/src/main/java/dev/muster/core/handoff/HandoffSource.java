package dev.muster.core.handoff;

import dev.muster.core.handoff.GateMessage.Item;
import dev.muster.core.handoff.Hands.Drop;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.HandoffPolicy.Migration;
import dev.muster.core.state.HandoffPolicy.Update;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionMove;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The old host's part in a move, N1 in the specification.
 *
 * <p>Think of somebody who moves out and hands the keys over at the door: until then the flat is his, from then on it
 * is not, and no accident makes it his again but a new contract, which is a new row of the table. Letters that come to
 * the old address are carried over until everybody has said that he knows the new one.
 *
 * @param <M> a message of users
 */
final class HandoffSource<M> {

    enum Stage {
        /** The instance goes on while the new one is made: option 2a. */
        KEEPING,
        /** The instance finishes the message that it is at; what comes meanwhile is held. */
        RETIRING,
        /** Nothing acts: the old instance has ended, and the new one is being made. */
        WAITING,
        /** The new instance may act, and this node will not for this move. */
        HANDED_OVER
    }

    static final long ASK_NANOS = 500_000_000L;
    /** Nodes that are silent for so many times of the time that a step has are spoken of. */
    static final int PATIENT_STEPS = 4;

    private final Hands<M> hands;
    private final HandoffSettings settings;
    private final Waiting<M> waiting;
    private final HandoffPolicy policy;
    private final PartitionMove move;
    private final HandedItems<M> items;
    private final Waiting<M>.Line held;
    private final TreeSet<NodeId> switched = new TreeSet<>();
    /** When the present step began, or was last known to go on. */
    private long stepNanos;

    private long nextAskNanos = Long.MAX_VALUE;
    private long overdueNanos = Long.MAX_VALUE;
    private Optional<List<byte[]>> state = Optional.empty();
    private Stage stage;
    private boolean hasInstance;
    private boolean gaveUp;
    private boolean saidAll;
    /** The number under which the new host is told that it may act. */
    private long turn = Long.MAX_VALUE;

    /**
     * @param hasInstance whether there is one; if it could not be started, there is nothing to retire
     * @param state what an instance that could not be started was to start with
     */
    HandoffSource(
            Hands<M> hands,
            HandoffSettings settings,
            Waiting<M> waiting,
            HandoffPolicy policy,
            PartitionMove move,
            boolean hasInstance,
            Optional<List<byte[]>> state,
            long nowNanos) {
        this.hands = hands;
        this.settings = settings;
        this.waiting = waiting;
        this.policy = policy;
        this.move = move;
        this.hasInstance = hasInstance;
        this.state = state;
        this.stepNanos = nowNanos;
        // Until it is handed over, all of it may have to be taken back.
        this.items = new HandedItems<>(hands, waiting, move.id(), move.to(), true);
        this.held = waiting.new Line();
        if (policy.migration() == Migration.KEEP) {
            stage = Stage.KEEPING;
            items.add(new Item.Prepare<>(policy, false), nowNanos);
        } else {
            retire(policy.migration() == Migration.FORWARD, nowNanos);
        }
    }

    private void retire(boolean wantsState, long nowNanos) {
        stage = Stage.RETIRING;
        stepNanos = nowNanos;
        if (hasInstance) {
            hands.retire(wantsState);
        } else {
            onRetired(List.of(), state, nowNanos);
        }
    }

    long id() {
        return move.id();
    }

    PartitionMove move() {
        return move;
    }

    boolean isHandedOver() {
        return stage == Stage.HANDED_OVER;
    }

    /** Whether the new host expects nothing more from here. */
    boolean hasSaidAll() {
        return saidAll;
    }

    /** Whether there is nobody here to go on while the new host prepares. */
    boolean lacksInstance() {
        return stage == Stage.KEEPING && !hasInstance;
    }

    boolean isRetiring() {
        return stage == Stage.RETIRING;
    }

    // ---- What happens.

    /** A message has come to this node. Where nobody can go on with it, it is for the new host. */
    void onMessage(M message, long nowNanos) {
        switch (stage) {
            case KEEPING -> {
                if (hasInstance) {
                    hands.deliver(message);
                } else {
                    held.add(message);
                }
            }
            case RETIRING -> {
                if (policy.migration() == Migration.DROP) {
                    hands.drop(message, Drop.HANDOFF);
                } else {
                    held.add(message);
                }
            }
            case WAITING -> forward(message, policy.migration() != Migration.DROP, nowNanos);
            case HANDED_OVER -> forward(message, policy.update() == Update.FORWARD, nowNanos);
        }
    }

    private void forward(M message, boolean mayPass, long nowNanos) {
        if (!mayPass) {
            hands.drop(message, Drop.HANDOFF);
        } else if (items.admit(message)) {
            items.add(new Item.Message<>(message), nowNanos);
        }
    }

    /** The instance has ended, and this is what it had not come to. */
    void onRetired(List<M> rest, Optional<List<byte[]>> itsState, long nowNanos) {
        stepNanos = nowNanos;
        switch (policy.migration()) {
            case KEEP -> {
                if (gaveUp) {
                    stage = Stage.WAITING; // for the leader to call the move off
                } else {
                    handOver(nowNanos);
                }
                handRest(rest, nowNanos);
            }
            case FORWARD -> {
                state = itsState;
                stage = Stage.WAITING;
                items.add(new Item.Prepare<>(policy, itsState.isPresent()), nowNanos);
                handState(nowNanos);
                handRest(rest, nowNanos);
            }
            case DROP -> {
                stage = Stage.WAITING;
                rest.forEach(message -> hands.drop(message, Drop.HANDOFF));
                items.add(new Item.Prepare<>(policy, false), nowNanos);
            }
        }
    }

    /** The instance has ended by itself. */
    void onEnded() {
        hasInstance = false;
    }

    /** The instance is still there: what it would have to leave cannot be handed over. */
    void onNotRetired(String why, long nowNanos) {
        stage = Stage.KEEPING;
        stepNanos = nowNanos;
        giveUp(why);
        for (M message = held.poll(); message != null; message = held.poll()) {
            hands.deliver(message);
        }
    }

    private void handState(long nowNanos) {
        List<byte[]> parts = state.orElse(List.of());
        if (state.isPresent() && parts.isEmpty()) {
            items.add(new Item.StatePart<>(new byte[0], true), nowNanos); // an empty state is one too
        }
        for (int i = 0; i < parts.size(); i++) {
            items.add(new Item.StatePart<>(parts.get(i), i == parts.size() - 1), nowNanos);
        }
    }

    /** What had come first goes first: the rest of the mailbox, then what came while the instance was ending. */
    private void handRest(List<M> rest, long nowNanos) {
        for (M message : rest) {
            items.admitAnyway(message);
            items.add(new Item.Message<>(message), nowNanos);
        }
        for (M message = held.poll(); message != null; message = held.poll()) {
            items.admitAnyway(message);
            items.add(new Item.Message<>(message), nowNanos);
        }
    }

    void onConfirmed(GateMessage.Confirmed<M> confirmed, long nowNanos) {
        if (items.onConfirmed(confirmed.number(), confirmed.hasGap(), nowNanos)) {
            stepNanos = nowNanos; // a large state takes its time, and what users send meanwhile proves nothing
        }
        if (confirmed.number() >= turn) {
            items.keepUnconfirmedOnly();
        }
        if (!confirmed.failure().isEmpty()) {
            giveUp(confirmed.failure());
        } else if (confirmed.isReady() && !gaveUp) {
            onReady(nowNanos);
        }
    }

    /** So many items of what was handed over were taken, or none, if its turn never came; there will be no more. */
    void onTaken(long number, long nowNanos) {
        items.onConfirmed(number, false, nowNanos);
        if (number > 0) {
            items.keepUnconfirmedOnly();
        }
    }

    private void onReady(long nowNanos) {
        if (stage == Stage.KEEPING) {
            retire(false, nowNanos);
        } else if (stage == Stage.WAITING) {
            handOver(nowNanos);
        }
    }

    private void handOver(long nowNanos) {
        stage = Stage.HANDED_OVER;
        items.add(new Item.YourTurn<>(), nowNanos);
        turn = items.lastNumber();
        state = Optional.empty();
        nextAskNanos = nowNanos + ASK_NANOS;
        overdueNanos = nowNanos + patienceNanos();
        hands.report(move.id(), Optional.empty());
    }

    private void giveUp(String why) {
        // What is handed over stays so. Otherwise only the leader can end the move: it may be told too late.
        if (!gaveUp && stage != Stage.HANDED_OVER) {
            gaveUp = true;
            hands.report(move.id(), Optional.of(why));
        }
    }

    private long patienceNanos() {
        return PATIENT_STEPS * settings.migrationTimeout().toNanos();
    }

    /** These are members now. */
    void onMembers(SortedSet<NodeId> members) {
        if (!members.contains(move.to())) {
            giveUp("the new host has gone");
        }
    }

    /** A node will send nothing more to this one. */
    void onRouteSwitched(NodeId sender, long nowNanos) {
        if (stage == Stage.HANDED_OVER && switched.add(sender)) {
            items.add(new Item.SenderSwitched<>(sender), nowNanos);
        }
    }

    /** Whether all that there was to do has been done. */
    boolean isOver(SortedSet<NodeId> members, long nowNanos) {
        if (stage == Stage.HANDED_OVER && !saidAll && switched.containsAll(members)) {
            saidAll = true;
            items.add(new Item.AllSwitched<>(), nowNanos);
        }
        return saidAll && items.areAllConfirmed();
    }

    /** Those who have not said yet that they know the new host. */
    List<NodeId> notSwitched(SortedSet<NodeId> members) {
        return members.stream().filter(node -> !switched.contains(node)).toList();
    }

    /** The state that the instance left here, as long as it was not handed over. */
    Optional<List<byte[]>> stateLeft() {
        return state;
    }

    /** What has to be seen to if this move does not count any more. */
    List<M> takeBack() {
        List<M> messages = new ArrayList<>(items.takeBack());
        for (M message = held.poll(); message != null; message = held.poll()) {
            messages.add(message);
        }
        return messages;
    }

    // ---- Looking in from outside.

    void addTo(List<M> all) {
        items.addTo(all);
        held.addTo(all);
    }

    MoveView view(SortedSet<NodeId> members) {
        String phase = switch (stage) {
            case KEEPING -> "the new host prepares, this one goes on";
            case RETIRING -> "the instance finishes its message";
            case WAITING -> "the new host prepares";
            case HANDED_OVER -> "forwarding until all nodes know the new host";
        };
        List<NodeId> waitingFor = isHandedOver() ? notSwitched(members) : List.of();
        return new MoveView(move.id(), move.from(), move.to(), phase, waiting.count(), waiting.bytes(), waitingFor);
    }

    // ---- As time goes by.

    void tick(SortedSet<NodeId> members, long nowNanos) {
        if (nowNanos >= deadlineNanos()) {
            giveUp((stage == Stage.RETIRING ? "the old instance was busy for " : "the new host was not ready after ")
                    + settings.migrationTimeout().toMillis() + " ms");
        }
        items.tick(!gaveUp && (stage == Stage.KEEPING || stage == Stage.WAITING), nowNanos);
        if (nowNanos >= overdueNanos && !saidAll) {
            // What they sent to this host may still be on its way, so the others' order is not given up for them.
            overdueNanos = nowNanos + patienceNanos();
            hands.overdue(move.id(), notSwitched(members));
        }
        if (nowNanos >= nextAskNanos) {
            // What they said by themselves may have been lost with a connection.
            nextAskNanos = saidAll ? Long.MAX_VALUE : nowNanos + ASK_NANOS;
            notSwitched(members).forEach(node -> hands.send(node, new GateMessage.RouteAsked<>(move.id())));
        }
    }

    private long deadlineNanos() {
        return gaveUp || stage == Stage.HANDED_OVER
                ? Long.MAX_VALUE
                : stepNanos + settings.migrationTimeout().toNanos();
    }

    long nextWakeUpNanos() {
        long speaks = saidAll ? Long.MAX_VALUE : overdueNanos;
        return Math.min(Math.min(nextAskNanos, speaks), Math.min(deadlineNanos(), items.nextWakeUpNanos()));
    }
}
