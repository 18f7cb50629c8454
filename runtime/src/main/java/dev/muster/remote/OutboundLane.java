package dev.muster.remote;

import dev.muster.environment.Transport.Connection;
import dev.muster.environment.Transport.ConnectionUser;
import dev.muster.wire.FrameWriter;
import dev.muster.wire.Preamble;

/**
 * One stream to one peer: frames wait here until its connection takes them, in the order in which they came.
 *
 * <p>Senders append to an array under a lock; the connection's own thread takes the whole array at once. The busier the
 * stream, the larger the batches. A connection is opened when there is something to send, and opened again, after
 * growing waits, when it broke.
 */
final class OutboundLane {
    /** What a handshake has to say: who we are, or that we have understood who the peer is. */
    static final int REQUEST = 1;

    static final int RESPONSE = 2;

    /** Nobody is dialled more often than this, whatever the reason. */
    private static final long SHORTEST_WAIT_NANOS = 500_000_000L;

    private static final int FIRST_BYTES = 512;

    /** How large an array is kept for what comes next. There are many control streams, and most are nearly silent. */
    private static final int KEPT_BYTES = 64 * 1024;

    private static final int KEPT_CONTROL_BYTES = 1024;

    private enum State {
        /** No connection, and none needed. */
        IDLE,
        CONNECTING,
        OPEN,
        /** Waiting before the next attempt. */
        WAITING,
        /** Over for good. */
        STOPPED
    }

    private final Association association;
    private final Remoting remoting;
    private final int stream;
    private final int maxWaitingBytes;

    // Guarded by this.
    private State state = State.IDLE;
    private FrameWriter filling;
    private FrameWriter spare;
    private Link link;
    private boolean wakeUpAsked;
    private int handshakeDue;
    private boolean closesWhenSent;
    private int failures;
    private long lastUsedNanos;
    private long lastOfferNanos;
    private long lastDialNanos;
    private int dials;

    OutboundLane(Association association, Remoting remoting, int stream, int maxWaitingBytes) {
        this.association = association;
        this.remoting = remoting;
        this.stream = stream;
        this.maxWaitingBytes = maxWaitingBytes;
        this.lastUsedNanos = remoting.nanoTime();
        this.lastOfferNanos = lastUsedNanos;
    }

    // --- Senders
    // ---------------------------------------------------------------------------------------------------------

    /** Adds one frame; returns false if too much is waiting, or if this stream is over. */
    boolean offer(Labels labels, int serializerId, byte[] payload, int payloadOffset, int payloadLength) {
        Link toWake = null;
        Link toConnect = null;
        synchronized (this) {
            if (state == State.STOPPED) {
                return false;
            }
            if (filling == null) {
                filling = new FrameWriter(FIRST_BYTES);
            } else if (filling.length() + payloadLength > maxWaitingBytes && !filling.isEmpty()) {
                return false;
            }
            filling.add(
                    remoting.self().uid(),
                    serializerId,
                    labels.refTableVersion,
                    labels.manifestTableVersion,
                    labels.senderIndex,
                    labels.sender,
                    labels.recipientIndex,
                    labels.recipient,
                    labels.manifestIndex,
                    labels.manifest,
                    payload,
                    payloadOffset,
                    payloadLength);
            lastUsedNanos = remoting.nanoTime();
            lastOfferNanos = lastUsedNanos;
            if (state == State.OPEN) {
                toWake = linkToWake();
            } else if (state == State.IDLE && association.mayDial(stream)) {
                toConnect = newLink();
            }
        }
        if (toWake != null) {
            toWake.connection.wakeUp();
        } else if (toConnect != null) {
            toConnect.connect();
        }
        return true;
    }

    private Link linkToWake() {
        if (wakeUpAsked) {
            return null;
        }
        wakeUpAsked = true;
        return link;
    }

    private Link newLink() {
        state = State.CONNECTING;
        lastDialNanos = remoting.nanoTime();
        dials++;
        link = new Link();
        return link;
    }

    /**
     * Says {@link #REQUEST} or {@link #RESPONSE}, before all that waits; for that a connection is opened if there is
     * none, also before its time if the last one failed, for the peer has just shown that it lives.
     */
    void shakeHands(int what) {
        Link toWake = null;
        Link toConnect = null;
        synchronized (this) {
            handshakeDue |= what;
            lastUsedNanos = remoting.nanoTime();
            if (state == State.OPEN) {
                toWake = linkToWake();
            } else if (state == State.IDLE || state == State.WAITING && mayDialAgain()) {
                toConnect = newLink();
            }
        }
        if (toWake != null) {
            toWake.connection.wakeUp();
        } else if (toConnect != null) {
            toConnect.connect();
        }
    }

    private boolean mayDialAgain() {
        return dials == 0 || remoting.nanoTime() - lastDialNanos >= SHORTEST_WAIT_NANOS;
    }

    /** How often the peer was dialled for this stream. */
    synchronized int dials() {
        return dials;
    }

    /** Whether it is being found out if the peer can be reached; others better wait for that. */
    synchronized boolean isTrying() {
        return state == State.CONNECTING || state == State.WAITING;
    }

    synchronized boolean hasWaiting() {
        return filling != null && !filling.isEmpty();
    }

    /** The peer can be reached: connects if something waits. */
    void goOn() {
        Link toConnect = null;
        synchronized (this) {
            if ((state == State.IDLE || state == State.WAITING) && hasWaiting() && mayDialAgain()) {
                toConnect = newLink();
            } else if (state == State.IDLE && hasWaiting()) {
                state = State.WAITING;
                remoting.later(SHORTEST_WAIT_NANOS, this::tryAgain);
            }
        }
        if (toConnect != null) {
            toConnect.connect();
        }
    }

    /** The peer has proved who it is: what waits may go. */
    void mayGo() {
        Link toWake = null;
        synchronized (this) {
            if (state == State.OPEN) {
                toWake = linkToWake();
            }
        }
        if (toWake != null) {
            toWake.connection.wakeUp();
        }
    }

    // --- The connection
    // --------------------------------------------------------------------------------------------------

    private void send(Link by) {
        while (true) {
            FrameWriter full;
            synchronized (this) {
                wakeUpAsked = false;
                if (state != State.OPEN || link != by) {
                    return;
                }
                if (handshakeDue != 0) {
                    full = association.handshake(handshakeDue);
                    handshakeDue = 0;
                } else if (filling == null || filling.isEmpty() || !association.mayCarry(stream)) {
                    if (closesWhenSent) {
                        stopNow();
                    }
                    return;
                } else {
                    full = filling;
                    filling = spare != null ? spare : new FrameWriter(FIRST_BYTES);
                    spare = null;
                    failures = 0;
                }
            }
            boolean room = by.connection.write(full.array(), 0, full.length());
            remoting.countSent(full.length());
            full.clear(keptBytes());
            synchronized (this) {
                spare = full;
            }
            if (!room) {
                return;
            }
        }
    }

    private int keptBytes() {
        return stream == Preamble.CONTROL ? KEPT_CONTROL_BYTES : KEPT_BYTES;
    }

    private void broke(Link which) {
        if (!isPresent(which)) {
            return;
        }
        long wait;
        // Asked before the lock is taken: those who answer have locks of their own, and take this one while they do.
        boolean isNeeded = association.needs(stream);
        synchronized (this) {
            if (link != which || state == State.STOPPED) {
                return;
            }
            if (closesWhenSent) {
                stopNow();
                return;
            }
            link = null;
            if (gaveWay(isNeeded)) {
                becomeIdle();
                return;
            }
            failures++;
            // Who asked for an answer may be gone, and somebody else be there when a connection stands again.
            handshakeDue = 0;
            if (stream == Preamble.CONTROL && filling != null) {
                // Whoever put these here says them again: system messages until they are acknowledged, cores anyway.
                filling.clear(keptBytes());
            }
            state = State.WAITING;
            wait = waitNanos();
        }
        remoting.counters().add("remote.connections-broken");
        association.lost(stream);
        remoting.later(wait, this::tryAgain);
    }

    /** Whether it ended as silent connections may where there are too many: nobody needs it, so nothing is amiss. */
    private boolean gaveWay(boolean isNeededByOthers) {
        boolean isNeeded = hasWaiting() || handshakeDue != 0 || isNeededByOthers;
        return state == State.OPEN && !isNeeded && remoting.nanoTime() - lastDialNanos >= SHORTEST_WAIT_NANOS;
    }

    private synchronized boolean isPresent(Link which) {
        return link == which && state != State.STOPPED;
    }

    /** Doubles with every failure, and no two peers that lost one node come back to it in the same moment. */
    private long waitNanos() {
        long min = remoting.settings().reconnectMin().toNanos();
        long max = remoting.settings().reconnectMax().toNanos();
        long base = Math.min(max, min << Math.min(10, failures - 1));
        return Math.max(
                SHORTEST_WAIT_NANOS,
                base + (long) (0.5 * base * remoting.random().nextDouble()));
    }

    private void tryAgain() {
        Link toConnect;
        // Asked before the lock is taken: those who answer have locks of their own.
        boolean isNeeded = association.needs(stream);
        synchronized (this) {
            if (state != State.WAITING || !mayDialAgain()) {
                return;
            }
            if (!hasWaiting() && !isNeeded && handshakeDue == 0) {
                becomeIdle();
                toConnect = null;
            } else if (!association.mayDial(stream)) {
                state = State.IDLE;
                return; // goes on when the control stream stands
            } else {
                toConnect = newLink();
            }
        }
        if (toConnect != null) {
            toConnect.connect();
        } else {
            association.gaveUp(stream);
        }
    }

    private void becomeIdle() {
        state = State.IDLE;
        link = null;
        filling = null;
        spare = null;
    }

    synchronized boolean isOpen() {
        return state == State.OPEN;
    }

    /** Whether nobody has wanted anything of it for so long; attempts to reach the peer do not count. */
    synchronized boolean isUnused(long nowNanos, long forNanos) {
        return state != State.OPEN && nowNanos - lastOfferNanos >= forNanos;
    }

    /** Closes a connection that has carried nothing for so long. Returns true if it did. */
    boolean closeIfIdle(long nowNanos, long idleNanos) {
        Link toClose;
        synchronized (this) {
            boolean isBusy = filling != null && !filling.isEmpty();
            if (state != State.OPEN || isBusy || nowNanos - lastUsedNanos < idleNanos) {
                return false;
            }
            toClose = link;
            becomeIdle();
        }
        toClose.connection.close();
        remoting.counters().add("remote.connections-closed-idle");
        return true;
    }

    /** Drops what waits. */
    synchronized void clear() {
        if (filling != null) {
            filling.clear(keptBytes());
        }
    }

    /** Breaks the connection; the next one starts with a handshake. */
    void reset() {
        Link toClose;
        synchronized (this) {
            toClose = link;
        }
        if (toClose != null && toClose.connection != null) {
            toClose.connection.close();
        }
    }

    /** The end, after what was said before if that can still be sent. */
    void stop() {
        Link toWake = null;
        synchronized (this) {
            boolean hasMore = hasWaiting() && association.mayCarry(stream);
            if (state == State.OPEN && hasMore) {
                closesWhenSent = true;
                toWake = linkToWake();
            } else if (state == State.CONNECTING && hasMore) {
                closesWhenSent = true;
            } else {
                stopNow();
            }
        }
        if (toWake != null) {
            toWake.connection.wakeUp();
        }
    }

    /** The end, in the middle of a word if need be. */
    void kill() {
        stopNow();
    }

    private synchronized void stopNow() {
        state = State.STOPPED;
        filling = null;
        spare = null;
        Link last = link;
        link = null;
        if (last != null && last.connection != null) {
            last.connection.close();
        }
    }

    /** One connection of this stream; what a former one still has to say is of no interest. */
    private final class Link implements ConnectionUser {
        private volatile Connection connection;

        void connect() {
            remoting.counters().add("remote.connections-opened");
            connection = remoting.connect(association.peer(), this);
        }

        @Override
        public void opened(Connection opened) {
            connection = opened;
            boolean isTooLate;
            synchronized (OutboundLane.this) {
                isTooLate = link != this || state != State.CONNECTING;
                if (!isTooLate) {
                    state = State.OPEN;
                    lastUsedNanos = remoting.nanoTime();
                    handshakeDue |= REQUEST;
                }
            }
            if (isTooLate) {
                opened.close();
                return;
            }
            byte[] preamble = Preamble.of(stream);
            boolean ignored = opened.write(preamble, 0, preamble.length);
            association.opened(stream);
        }

        @Override
        public void writable() {
            send(this);
        }

        @Override
        public void closed(String reason) {
            association.noteConnectionEnd(reason);
            broke(this);
        }
    }
}
