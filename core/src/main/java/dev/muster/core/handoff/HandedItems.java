package dev.muster.core.handoff;

import dev.muster.core.handoff.GateMessage.Handed;
import dev.muster.core.handoff.GateMessage.Item;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * What the old host hands to the new one, numbered, a limited number at a time, and repeated until confirmed.
 *
 * @param <M> a message of users
 */
final class HandedItems<M> {
    static final int MOST_UNCONFIRMED = 256;
    /**
     * All moves of a node share the streams to its peers with everything else that is sent there. So each has only a
     * little under way at a time, and what waits for the peer stays far from the limit at which it would be dropped.
     */
    static final long MOST_UNCONFIRMED_BYTES = 128 * 1024;

    static final long FIRST_REPEAT_NANOS = 300_000_000L;
    static final long LONGEST_REPEAT_NANOS = 3_000_000_000L;

    private final Hands<M> hands;
    private final Waiting<M> waiting;
    private final long move;
    private final NodeId to;
    /** All that may still be needed, from {@link #head} on, which has the number {@link #firstNumber}. */
    private final ArrayList<Item<M>> items = new ArrayList<>();

    private int head;
    private long firstNumber = 1;
    private long confirmed;
    private long sent;
    /** Of those that were sent and are not confirmed. */
    private long sentBytes;

    private boolean keepsAll;
    private long gapNoted = -1;
    private long repeatAfterNanos = FIRST_REPEAT_NANOS;
    private long nextRepeatNanos = Long.MAX_VALUE;

    /** @param keepsAll whether confirmed messages are kept too, because they may have to be taken back */
    HandedItems(Hands<M> hands, Waiting<M> waiting, long move, NodeId to, boolean keepsAll) {
        this.hands = hands;
        this.waiting = waiting;
        this.move = move;
        this.to = to;
        this.keepsAll = keepsAll;
    }

    /** Whether there is room for one more message; if not, it is a dead letter. */
    boolean admit(M message) {
        return waiting.admit(message);
    }

    /** For a message that has waited elsewhere. */
    void admitAnyway(M message) {
        waiting.admitAnyway(message);
    }

    /** A message must have been admitted. */
    void add(Item<M> item, long nowNanos) {
        items.add(item);
        sendMore(nowNanos);
    }

    long lastNumber() {
        return firstNumber + (items.size() - head) - 1;
    }

    boolean areAllConfirmed() {
        return confirmed == lastNumber();
    }

    private void sendMore(long nowNanos) {
        long end = Math.min(lastNumber(), confirmed + MOST_UNCONFIRMED);
        long before = sent;
        while (sent < end && hasRoomFor(item(sent + 1))) {
            sent++;
            sentBytes += weigh(item(sent));
            hands.send(to, new Handed<>(move, sent, item(sent)));
        }
        if (sent > before && nextRepeatNanos == Long.MAX_VALUE) {
            nextRepeatNanos = nowNanos + repeatAfterNanos;
        }
    }

    private Item<M> item(long number) {
        return items.get(head + (int) (number - firstNumber));
    }

    /** There is always room for one, whatever its size. */
    private boolean hasRoomFor(Item<M> item) {
        return sent == confirmed || sentBytes + weigh(item) <= MOST_UNCONFIRMED_BYTES;
    }

    private long weigh(Item<M> item) {
        if (item instanceof Item.Message<M> message) {
            return hands.weigh(message.message());
        }
        return item instanceof Item.StatePart<M> part ? part.bytes().length : 0;
    }

    private void sendAgain() {
        sent = confirmed;
        sentBytes = 0;
    }

    /** Returns whether something has come there now that the new host needs in order to begin. */
    boolean onConfirmed(long number, boolean hasGap, long nowNanos) {
        boolean isProgress = false;
        if (number > confirmed && number <= sent) {
            isProgress = hasOtherThanMessages(confirmed + 1, number);
            while (confirmed < number) {
                confirmed++;
                sentBytes -= weigh(item(confirmed));
            }
            repeatAfterNanos = FIRST_REPEAT_NANOS;
            nextRepeatNanos = nowNanos + repeatAfterNanos;
            forgetConfirmed();
        }
        if (hasGap && number == confirmed && gapNoted != number) {
            gapNoted = number; // all that is under way behind the gap says so too
            sendAgain();
        }
        sendMore(nowNanos);
        return isProgress;
    }

    private boolean hasOtherThanMessages(long from, long to) {
        for (long number = from; number <= to; number++) {
            if (!(item(number) instanceof Item.Message<M>)) {
                return true;
            }
        }
        return false;
    }

    /** From now on nothing that was confirmed has to be taken back. */
    void keepUnconfirmedOnly() {
        keepsAll = false;
        forgetConfirmed();
    }

    private void forgetConfirmed() {
        while (!keepsAll && firstNumber <= confirmed) {
            Item<M> item = items.set(head++, null);
            firstNumber++;
            if (item instanceof Item.Message<M> message) {
                waiting.released(message.message());
            }
        }
        if (head > MOST_UNCONFIRMED && head > items.size() / 2) {
            items.subList(0, head).clear();
            head = 0;
        }
    }

    /** For those who look in from outside. */
    void addTo(List<M> all) {
        for (Item<M> item : items.subList(head, items.size())) {
            if (item instanceof Item.Message<M> message) {
                all.add(message.message());
            }
        }
    }

    /** The messages that are still kept, in order; they are not handed over any more. */
    List<M> takeBack() {
        List<M> messages = new ArrayList<>();
        for (Item<M> item : items.subList(head, items.size())) {
            if (item instanceof Item.Message<M> message) {
                messages.add(message.message());
                waiting.released(message.message());
            }
        }
        firstNumber = lastNumber() + 1;
        confirmed = firstNumber - 1;
        sendAgain();
        items.clear();
        head = 0;
        return messages;
    }

    /** @param wantsNews whether something is expected although all is confirmed */
    void tick(boolean wantsNews, long nowNanos) {
        if (areAllConfirmed() && !wantsNews) {
            nextRepeatNanos = Long.MAX_VALUE;
            return;
        }
        if (nextRepeatNanos == Long.MAX_VALUE) {
            nextRepeatNanos = nowNanos + repeatAfterNanos;
        }
        if (nowNanos < nextRepeatNanos) {
            return;
        }
        repeatAfterNanos = Math.min(LONGEST_REPEAT_NANOS, 2 * repeatAfterNanos);
        nextRepeatNanos = nowNanos + repeatAfterNanos;
        gapNoted = -1;
        if (areAllConfirmed()) {
            hands.send(to, new GateMessage.Asked<>(move));
        } else {
            sendAgain();
            sendMore(nowNanos);
        }
    }

    long nextWakeUpNanos() {
        return nextRepeatNanos;
    }
}
