package dev.muster.core.handoff;

import java.util.ArrayDeque;
import java.util.List;

/**
 * Messages that wait at a gate, and room for as many as are allowed. All queues of one gate share one limit, and all
 * gates of a node another one.
 *
 * @param <M> a message of users
 */
final class Waiting<M> {
    private final Hands<M> hands;
    private final HandoffSettings settings;
    private final Room room;
    private int count;
    private long bytes;

    Waiting(Hands<M> hands, HandoffSettings settings, Room room) {
        this.hands = hands;
        this.settings = settings;
        this.room = room;
    }

    /** Whether it may wait; if not, it is a dead letter, the newest first. */
    boolean admit(M message) {
        long weight = hands.weigh(message);
        boolean isFull = count >= settings.mostWaiting() || bytes + weight > settings.mostBytes();
        if (isFull || !room.enter(weight)) {
            hands.drop(message, Hands.Drop.BUFFER_FULL);
            return false;
        }
        count++;
        bytes += weight;
        return true;
    }

    /** What waited before elsewhere takes room, but is not refused. */
    void admitAnyway(M message) {
        long weight = hands.weigh(message);
        count++;
        bytes += weight;
        room.enterAnyway(weight);
    }

    void released(M message) {
        long weight = hands.weigh(message);
        count--;
        bytes -= weight;
        room.leave(weight);
    }

    int count() {
        return count;
    }

    long bytes() {
        return bytes;
    }

    /** A queue under this limit. */
    final class Line {
        private final ArrayDeque<M> messages = new ArrayDeque<>();

        void add(M message) {
            if (admit(message)) {
                messages.addLast(message);
            }
        }

        void addAnyway(M message) {
            admitAnyway(message);
            messages.addLast(message);
        }

        /** The one that waited longest; null if none does. */
        M poll() {
            M message = messages.pollFirst();
            if (message != null) {
                released(message);
            }
            return message;
        }

        boolean isEmpty() {
            return messages.isEmpty();
        }

        int size() {
            return messages.size();
        }

        /** For those who look in from outside. */
        void addTo(List<M> all) {
            all.addAll(messages);
        }
    }
}
