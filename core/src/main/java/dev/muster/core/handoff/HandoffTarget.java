package dev.muster.core.handoff;

import dev.muster.core.handoff.GateMessage.Confirmed;
import dev.muster.core.handoff.GateMessage.Handed;
import dev.muster.core.handoff.GateMessage.Item;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.HandoffPolicy.Arrival;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The new host's part in a move, N2 in the specification.
 *
 * <p>What the old host hands over comes in order and is delivered in order, from the moment at which the instance is
 * there and may act. What nodes send here directly waits, if order matters, until the old host has handed over
 * everything that they had sent there.
 *
 * @param <M> a message of users
 */
final class HandoffTarget<M> {
    private final Hands<M> hands;
    private final Waiting<M> waiting;
    private final long move;
    private final NodeId from;
    /** What was handed over to an instance that is not there yet, or may not act yet. */
    private final Waiting<M>.Line handed;
    /** What came directly to such an instance, and need not wait for anything else. */
    private final Waiting<M>.Line direct;
    /** What came directly from nodes that are not known to have switched. */
    private final TreeMap<NodeId, Waiting<M>.Line> early = new TreeMap<>();

    private final TreeSet<NodeId> switched = new TreeSet<>();
    private final List<byte[]> state = new ArrayList<>();
    /** What the instance was created with, until it acts. */
    private Optional<List<byte[]>> given = Optional.empty();

    private HandoffPolicy policy = HandoffPolicy.singleton();
    private boolean hasState;
    private boolean isStateWhole;
    private boolean isPrepared;
    private boolean isCreated;
    private boolean isStarted;
    private boolean mayAct;
    private boolean allSwitched;
    private String failure = "";
    private long received;
    /** When the old host is asked what has become of the move; never, unless that is in doubt. */
    private long nextAskNanos = Long.MAX_VALUE;

    HandoffTarget(Hands<M> hands, Waiting<M> waiting, long move, NodeId from) {
        this.hands = hands;
        this.waiting = waiting;
        this.move = move;
        this.from = from;
        this.handed = waiting.new Line();
        this.direct = waiting.new Line();
    }

    long id() {
        return move;
    }

    NodeId from() {
        return from;
    }

    boolean isCreated() {
        return isCreated;
    }

    /** What an instance that did not start was to start with. */
    Optional<List<byte[]>> given() {
        return given;
    }

    boolean acts() {
        return mayAct && isStarted;
    }

    /** Whether the old host has let it act, or has gone. */
    boolean mayAct() {
        return mayAct;
    }

    boolean isInDoubt() {
        return nextAskNanos != Long.MAX_VALUE;
    }

    /** Whether this is a host like any other now. */
    boolean isOver() {
        return acts() && allSwitched;
    }

    /** Whether all has come that ever will, and only the instance is missing. */
    boolean lacksOnlyItsInstance() {
        return mayAct && allSwitched && !isStarted;
    }

    /** The instance has ended by itself after its turn had come: what comes waits until there is another one. */
    void onEnded() {
        isStarted = false;
    }

    long received() {
        return received;
    }

    // ---- What the old host hands over.

    void onHanded(Handed<M> next, long epoch) {
        if (next.number() == received + 1) {
            received++;
            take(next.item(), epoch);
        }
        confirm(next.number() > received);
    }

    void confirm(boolean hasGap) {
        hands.send(from, new Confirmed<>(move, received, isStarted, hasGap, failure));
    }

    private void take(Item<M> item, long epoch) {
        if (item instanceof Item.Prepare<M> prepare) {
            policy = prepare.policy();
            hasState = prepare.hasState();
            isPrepared = true;
            createIfWhole(epoch);
        } else if (item instanceof Item.StatePart<M> part) {
            state.add(part.bytes());
            isStateWhole |= part.isLast();
            createIfWhole(epoch);
        } else if (item instanceof Item.Message<M> message) {
            deliverOrKeep(message.message());
        } else if (item instanceof Item.YourTurn) {
            act();
        } else if (item instanceof Item.SenderSwitched<M> sender) {
            open(sender.sender());
        } else if (item instanceof Item.AllSwitched) {
            openAll();
        }
    }

    private void createIfWhole(long epoch) {
        if (isPrepared && !isCreated && (!hasState || isStateWhole)) {
            given = hasState ? Optional.of(List.copyOf(state)) : Optional.empty();
            state.clear();
            create(epoch);
        }
    }

    private void create(long epoch) {
        isCreated = true;
        hands.create(epoch, given);
        if (mayAct) {
            hands.letAct();
        }
    }

    void onStarted() {
        isStarted = true;
        failure = "";
        confirm(false);
        flush();
    }

    /** It could not be started, or has ended before its turn came. */
    void onStartFailed(String why) {
        isStarted = false;
        failure = why.isEmpty() ? "it could not be started" : why;
        confirm(false);
    }

    /** The old instance has ended, and this one may act. */
    void act() {
        nextAskNanos = Long.MAX_VALUE;
        if (!mayAct) {
            mayAct = true;
            if (isCreated) {
                hands.letAct();
            }
        }
        flush();
    }

    /**
     * The row names this node as a host but does not speak of this move. It may be over and another one have begun; it
     * may have been called off, and this node have been made a host in another way. Only the old host knows.
     */
    void doubt(long nowNanos) {
        if (!mayAct && !isInDoubt()) {
            nextAskNanos = nowNanos;
        }
    }

    /** The old host has gone: the row says that this node hosts the partition, with whatever has come. */
    void actAlone(long epoch) {
        if (!isCreated) {
            create(epoch);
        }
        act();
        openAll();
    }

    private void flush() {
        if (acts()) {
            given = Optional.empty();
        }
        while (acts() && !handed.isEmpty()) {
            hands.deliver(handed.poll());
        }
        while (acts() && !direct.isEmpty()) {
            hands.deliver(direct.poll());
        }
    }

    private void deliverOrWait(M message, Waiting<M>.Line line) {
        if (acts()) {
            hands.deliver(message);
        } else {
            line.add(message);
        }
    }

    /** The old host still counts it among its own, and may take it back; so it is not for this one to drop it. */
    private void deliverOrKeep(M message) {
        if (acts()) {
            hands.deliver(message);
        } else {
            handed.addAnyway(message);
        }
    }

    // ---- What nodes send here directly.

    void onMessage(NodeId sender, M message) {
        if (policy.arrival() == Arrival.PROCESS || allSwitched || switched.contains(sender)) {
            deliverOrWait(message, direct);
        } else {
            early.computeIfAbsent(sender, it -> waiting.new Line()).add(message);
        }
    }

    private void open(NodeId sender) {
        switched.add(sender);
        Waiting<M>.Line messages = early.remove(sender);
        if (messages != null) {
            for (M message = messages.poll(); message != null; message = messages.poll()) {
                deliverOrWait(message, direct);
            }
        }
    }

    private void openAll() {
        allSwitched = true;
        new ArrayList<>(early.keySet()).forEach(this::open);
    }

    /**
     * Nothing comes any more by an old host that is no member. By one that is there may still come what a sender had
     * sent to it before that went; so the old host says when all have switched.
     */
    void onMembers(SortedSet<NodeId> members) {
        if (!members.contains(from) && acts()) {
            openAll();
        }
    }

    /**
     * All that waits here, if this node does not become the host.
     *
     * @param sourceTakesBack whether the old host still has what it handed over
     */
    List<M> takeBack(boolean sourceTakesBack) {
        List<M> messages = new ArrayList<>();
        for (M message = handed.poll(); message != null; message = handed.poll()) {
            if (!sourceTakesBack || mayAct) {
                messages.add(message);
            }
        }
        early.values().forEach(line -> takeAll(line, messages));
        early.clear();
        takeAll(direct, messages);
        return messages;
    }

    private static <M> void takeAll(Waiting<M>.Line line, List<M> messages) {
        for (M message = line.poll(); message != null; message = line.poll()) {
            messages.add(message);
        }
    }

    void tick(long nowNanos) {
        if (nowNanos >= nextAskNanos) {
            nextAskNanos = nowNanos + HandoffSource.ASK_NANOS;
            confirm(false);
        }
    }

    long nextWakeUpNanos() {
        return nextAskNanos;
    }

    // ---- Looking in from outside.

    void addTo(List<M> all) {
        handed.addTo(all);
        direct.addTo(all);
        early.values().forEach(line -> line.addTo(all));
    }

    MoveView view(NodeId self) {
        String phase = acts() ? "at work, waiting for senders to switch" : "preparing";
        return new MoveView(move, from, self, phase, waiting.count(), waiting.bytes(), List.of());
    }
}
