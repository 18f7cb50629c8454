package dev.muster.remote;

import dev.muster.wire.ControlMessage;
import dev.muster.wire.Payload;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * Messages that must arrive, such as the end of a watched actor: numbered, kept until they are acknowledged, and sent
 * again until then. A peer that cannot be made to acknowledge them is quarantined, for it no longer knows what it must.
 *
 * <p>Only so many are under way at a time; acknowledgements bring the next ones on their way. After a gap it goes back
 * to the first that is missing, once for each gap: a gap is complained about by everything that comes behind it.
 */
final class SystemDelivery {
    private static final int MOST_UNDER_WAY = 1_000;
    private static final long SAME_GAP_NANOS = 200_000_000L;

    private record Waiting(long number, byte[] recipient, Payload payload, long sinceNanos) {}

    private enum State {
        /** Nobody has proved to live there: messages wait. */
        UNPROVEN,
        PROVEN,
        /** Nothing passes any more. */
        QUARANTINED,
        /** This association is of no use any more; there may be another. */
        FORGOTTEN
    }

    private final Association association;
    private final Remoting remoting;

    // Guarded by this.
    private State state = State.UNPROVEN;
    private final Deque<Waiting> underWay = new ArrayDeque<>();
    private final Deque<Waiting> toSend = new ArrayDeque<>();
    private long nextNumber = 1;
    private long lastSentNanos;
    private long lastGap = -1;
    private long lastGapNanos;

    SystemDelivery(Association association, Remoting remoting) {
        this.association = association;
        this.remoting = remoting;
    }

    /** Takes a message on its way. Returns false if this association was forgotten and another one has to do it. */
    boolean send(byte[] recipient, Payload payload) {
        boolean tooMany;
        boolean isUnproven;
        synchronized (this) {
            if (state == State.FORGOTTEN) {
                return false;
            }
            if (state == State.QUARANTINED) {
                remoting.counters().add("remote.system-messages-to-quarantined");
                return true;
            }
            toSend.add(new Waiting(nextNumber++, recipient, payload, remoting.nanoTime()));
            // Under the lock, so that numbers go out in order.
            sendMore();
            tooMany = underWay.size() + toSend.size() > remoting.settings().systemMessageBuffer();
            isUnproven = state == State.UNPROVEN;
        }
        if (isUnproven) {
            association.prove();
        }
        if (tooMany) {
            giveUp("it left more than " + remoting.settings().systemMessageBuffer()
                    + " system messages unacknowledged");
        }
        return true;
    }

    private void sendMore() {
        if (state != State.PROVEN) {
            return;
        }
        while (underWay.size() < MOST_UNDER_WAY && !toSend.isEmpty()) {
            Waiting message = toSend.poll();
            underWay.add(message);
            lastSentNanos = remoting.nanoTime();
            association.sendControl(
                    null,
                    message.recipient(),
                    new ControlMessage.SystemEnvelope(message.payload(), message.number(), remoting.self()));
        }
    }

    synchronized void onAck(long number) {
        if (number < nextNumber) {
            drop(number);
            sendMore();
        }
    }

    synchronized void onNack(long number) {
        if (number >= nextNumber) {
            return;
        }
        drop(number);
        long now = remoting.nanoTime();
        if (number != lastGap || now - lastGapNanos >= SAME_GAP_NANOS) {
            lastGap = number;
            lastGapNanos = now;
            goBack();
        }
        sendMore();
    }

    /** It is not known here what a repeated message overtook, so all up to this number count as arrived. */
    private void drop(long number) {
        while (!underWay.isEmpty() && underWay.peekFirst().number() <= number) {
            underWay.removeFirst();
        }
        while (underWay.isEmpty() && !toSend.isEmpty() && toSend.peekFirst().number() <= number) {
            toSend.removeFirst();
        }
    }

    private void goBack() {
        for (Iterator<Waiting> last = underWay.descendingIterator(); last.hasNext(); ) {
            toSend.addFirst(last.next());
        }
        underWay.clear();
    }

    synchronized boolean isWaiting() {
        return !underWay.isEmpty() || !toSend.isEmpty();
    }

    /** A connection stands again: what was under way on the one before may be lost. */
    synchronized void sendAgain() {
        goBack();
        sendMore();
    }

    /** Another incarnation is about to be known there: it is told none of this, and counts from one. */
    synchronized void beginAnew() {
        if (state != State.FORGOTTEN) {
            state = State.UNPROVEN;
            clear();
            nextNumber = 1;
            lastGap = -1;
        }
    }

    /** Somebody has proved to live there: what waits may go. */
    synchronized void begin() {
        if (state == State.UNPROVEN) {
            state = State.PROVEN;
            sendAgain();
        }
    }

    /** Nothing passes any more. */
    synchronized void quarantine() {
        if (state != State.FORGOTTEN) {
            state = State.QUARANTINED;
            clear();
        }
    }

    /** Ends for good if nothing waits; returns whether it did. */
    synchronized boolean forget() {
        if (isWaiting()) {
            return false;
        }
        state = State.FORGOTTEN;
        return true;
    }

    private void clear() {
        underWay.clear();
        toSend.clear();
    }

    void tick(long nowNanos) {
        boolean isHopeless;
        synchronized (this) {
            Waiting first = underWay.isEmpty() ? toSend.peekFirst() : underWay.peekFirst();
            if (first == null) {
                return;
            }
            isHopeless = nowNanos - first.sinceNanos()
                    > remoting.settings().giveUpSystemMessageAfter().toNanos();
            if (!isHopeless
                    && nowNanos - lastSentNanos
                            >= remoting.settings().systemMessageResend().toNanos()) {
                sendAgain();
            }
        }
        if (isHopeless) {
            giveUp("it acknowledged no system message for "
                    + remoting.settings().giveUpSystemMessageAfter());
        }
    }

    private void giveUp(String reason) {
        if (association.peerId() != null) {
            remoting.quarantine(association.peerId(), reason);
        } else {
            // Nobody ever answered there: whoever was to be watched does not exist.
            dropAll();
            remoting.onNobodyThere(association.peer());
        }
    }

    /** Nobody is there to be told. */
    void dropAll() {
        int lost;
        synchronized (this) {
            lost = underWay.size() + toSend.size();
            clear();
        }
        remoting.counters().add("remote.system-messages-to-nobody", lost);
    }
}
