package dev.muster.core.handoff;

import dev.muster.core.state.NodeId;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * Those to whom this node has passed messages on. Before it goes for good it asks them, on the stream on which these
 * went, whether they have come: whoever is no member any more is not listened to, and its last messages may still be on
 * their way when its goodbye, which goes another way, has come.
 *
 * @param <M> a message of users
 */
final class PassedOnTo<M> {
    static final long ASK_NANOS = 500_000_000L;
    /** One who does not answer for so long must not keep this node from going. */
    static final long PATIENCE_NANOS = 5_000_000_000L;

    private final Hands<M> hands;
    /** Each with the number of the last message that it was sent. */
    private final TreeMap<NodeId, Long> unheard = new TreeMap<>();

    private long messages;
    private boolean isGoing;
    private long nextAskNanos = Long.MAX_VALUE;
    private long giveUpNanos = Long.MAX_VALUE;

    PassedOnTo(Hands<M> hands) {
        this.hands = hands;
    }

    void add(NodeId to, long nowNanos) {
        if (isGoing) {
            askSoon(nowNanos);
        }
        unheard.put(to, ++messages);
    }

    /** This node is about to go. */
    void goes(long nowNanos) {
        if (!isGoing) {
            isGoing = true;
            nextAskNanos = nowNanos;
            giveUpNanos = nowNanos + PATIENCE_NANOS;
        }
    }

    private void askSoon(long nowNanos) {
        nextAskNanos = nowNanos;
        if (unheard.isEmpty()) {
            giveUpNanos = nowNanos + PATIENCE_NANOS; // who is silent is not waited for longer because others are not
        }
    }

    /** All has come there that was sent before the question with this number. */
    void onArrived(NodeId from, long number) {
        Long last = unheard.get(from);
        if (last != null && last <= number) {
            unheard.remove(from);
        }
    }

    /** Whether this node should wait for answers. */
    boolean isAwaited() {
        return isGoing && !unheard.isEmpty();
    }

    void forgetAll() {
        unheard.clear();
    }

    void tick(SortedSet<NodeId> members, long nowNanos) {
        unheard.keySet().removeIf(node -> !members.contains(node));
        if (nowNanos >= giveUpNanos) {
            unheard.clear();
        }
        if (nowNanos >= nextAskNanos) {
            unheard.keySet().forEach(node -> hands.send(node, new GateMessage.ArrivalAsked<>(messages)));
            nextAskNanos = nowNanos + ASK_NANOS;
        }
    }

    long nextWakeUpNanos() {
        return isAwaited() ? nextAskNanos : Long.MAX_VALUE;
    }
}
