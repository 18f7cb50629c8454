package dev.muster.remote;

import dev.muster.wire.ControlMessage;
import dev.muster.wire.Payload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Messages that must arrive, such as the end of a watched actor: numbered, kept until they are acknowledged, and sent
 * again until then. A peer that cannot be made to acknowledge them is quarantined, for it no longer knows what it must.
 */
final class SystemDelivery {
    /** So many are sent again at once; the acknowledgements of these bring the next ones on their way. */
    private static final int MOST_AT_ONCE = 500;

    private record Waiting(long number, byte[] recipient, Payload payload, long sinceNanos) {}

    private final Association association;
    private final Remoting remoting;

    // Guarded by this.
    private final Deque<Waiting> unacknowledged = new ArrayDeque<>();
    private long nextNumber = 1;
    private long lastSentNanos;

    SystemDelivery(Association association, Remoting remoting) {
        this.association = association;
        this.remoting = remoting;
    }

    void send(byte[] recipient, Payload payload) {
        if (association.isQuarantined()) {
            remoting.counters().add("remote.system-messages-to-quarantined");
            return;
        }
        Waiting message;
        boolean tooMany;
        synchronized (this) {
            long now = remoting.nanoTime();
            message = new Waiting(nextNumber++, recipient, payload, now);
            unacknowledged.add(message);
            tooMany = unacknowledged.size() > remoting.settings().systemMessageBuffer();
            // Under the lock, so that numbers go out in order.
            transmit(message);
            lastSentNanos = now;
        }
        if (tooMany) {
            giveUp("it left more than " + remoting.settings().systemMessageBuffer()
                    + " system messages unacknowledged");
        }
    }

    private void transmit(Waiting message) {
        association.sendControl(
                null,
                message.recipient(),
                new ControlMessage.SystemEnvelope(message.payload(), message.number(), remoting.self()));
    }

    void onAck(long number) {
        synchronized (this) {
            drop(number);
        }
    }

    void onNack(long number) {
        synchronized (this) {
            drop(number);
            resend();
        }
    }

    private void drop(long number) {
        while (!unacknowledged.isEmpty() && unacknowledged.peekFirst().number() <= number) {
            unacknowledged.removeFirst();
        }
    }

    private void resend() {
        lastSentNanos = remoting.nanoTime();
        int sent = 0;
        for (Waiting message : unacknowledged) {
            transmit(message);
            if (++sent == MOST_AT_ONCE) {
                return;
            }
        }
    }

    synchronized boolean isWaiting() {
        return !unacknowledged.isEmpty();
    }

    /** Another incarnation lives there now: it is told none of this, and counts from one. */
    synchronized void newIncarnation(boolean wasAnother) {
        if (wasAnother) {
            unacknowledged.clear();
            nextNumber = 1;
        } else {
            resend();
        }
    }

    synchronized void clear() {
        unacknowledged.clear();
    }

    void tick(long nowNanos) {
        boolean isHopeless;
        synchronized (this) {
            if (unacknowledged.isEmpty()) {
                return;
            }
            isHopeless = nowNanos - unacknowledged.peekFirst().sinceNanos()
                    > remoting.settings().giveUpSystemMessageAfter().toNanos();
            if (!isHopeless
                    && nowNanos - lastSentNanos
                            >= remoting.settings().systemMessageResend().toNanos()) {
                resend();
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
            List<Waiting> lost;
            synchronized (this) {
                lost = new ArrayList<>(unacknowledged);
                unacknowledged.clear();
            }
            remoting.counters().add("remote.system-messages-to-nobody", lost.size());
            remoting.onNobodyThere(association.peer());
        }
    }
}
