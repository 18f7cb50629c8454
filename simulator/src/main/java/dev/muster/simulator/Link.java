package dev.muster.simulator;

import java.util.ArrayDeque;
import java.util.Queue;

/** One direction between two places: a TCP connection at a time, first in, first out. */
final class Link {
    private static final int REMEMBERED = 3;

    final Place from;
    final Place to;
    /** How many cuts lie on it now. */
    int cuts;

    long cutSinceNanos;
    /** No message may arrive before this: nothing overtakes. */
    long lastArrivalNanos;
    /** What is sent earlier waits for the connection. */
    long connectedAtNanos;
    /** What is sent earlier dies with a connection that is stalled beyond hope. */
    long losesUntilNanos;
    /** What was sent earlier and has not arrived yet was lost with a connection. */
    long lostBeforeNanos;
    /** After a cut, when the sender's retransmission gets through. */
    long resumesAtNanos;
    /** What arrived at the cut, in order. */
    private Queue<Transit> held;

    private Transit[] recent;
    private int recentCount;

    Link(Place from, Place to) {
        this.from = from;
        this.to = to;
    }

    boolean isCut() {
        return cuts > 0;
    }

    void hold(Transit transit) {
        if (held == null) {
            held = new ArrayDeque<>();
        }
        held.add(transit);
    }

    int heldCount() {
        return held == null ? 0 : held.size();
    }

    Transit nextHeld() {
        return held.poll();
    }

    void remember(Transit transit) {
        if (recent == null) {
            recent = new Transit[REMEMBERED];
        }
        recent[recentCount++ % REMEMBERED] = transit;
    }

    /** The last few that were delivered, oldest first; fewer when there were not as many. */
    Transit[] recent() {
        int count = Math.min(recentCount, REMEMBERED);
        Transit[] ordered = new Transit[count];
        for (int i = 0; i < count; i++) {
            ordered[i] = recent[(recentCount - count + i) % REMEMBERED];
        }
        return ordered;
    }
}
