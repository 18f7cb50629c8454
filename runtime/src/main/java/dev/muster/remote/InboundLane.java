package dev.muster.remote;

import dev.muster.core.state.NodeId;
import dev.muster.environment.Activation;
import dev.muster.wire.EnvelopeReader;
import dev.muster.wire.FrameReader;
import dev.muster.wire.WireException;
import java.util.ArrayDeque;

/**
 * What came on one connection and waits to be read on a dispatcher, in order. The little that comes where nothing waits
 * goes to its recipients at once, which read it themselves: that saves a change of threads for each message. All is
 * read to its end also after the peer has closed the connection, and what comes on the next connection of the same
 * stream waits for that.
 */
final class InboundLane extends Activation {
    private static final int PAUSE_AT_BYTES = 2 * 1024 * 1024;
    private static final int RESUME_AT_BYTES = 512 * 1024;
    private static final long LONGEST_SILENCE_NANOS = 1_000_000_000L;

    /** More than this at once is a flood; threads that share the work carry more of it. */
    static final int MOST_AT_ONCE_BYTES = 4 * 1024;

    /** Reasons not to read any more from the connection. */
    private static final int BACKLOG = 1;

    private static final int PROOF = 2;

    private final Remoting remoting;
    private final InboundConnection connection;
    private final int stream;
    private final FrameReader frames;
    private final EnvelopeReader envelope = new EnvelopeReader();

    /** Used in a turn only. */
    private boolean hasFrame;

    // Guarded by this.
    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
    private int waitingBytes;
    private int pausedFor;
    private boolean isScheduled;
    private boolean hasEnded;
    private boolean isFinished;
    private InboundLane predecessor;
    private boolean waitsForItsEnd;
    private InboundLane successor;
    /** Goes on as soon as this one has read what has come so far. */
    private InboundLane next;

    private int turnsBeforeNext;

    private record Chunk(byte[] bytes, int offset, int length) {}

    InboundLane(Remoting remoting, InboundConnection connection, int stream, int maxFrameBytes) {
        this.remoting = remoting;
        this.connection = connection;
        this.stream = stream;
        this.frames = new FrameReader(maxFrameBytes);
    }

    void add(byte[] bytes, int offset, int length) {
        if (length == 0) {
            return;
        }
        boolean isIdle;
        boolean atOnce;
        synchronized (this) {
            if (isFinished) {
                return;
            }
            isIdle = !isScheduled;
            isScheduled = true;
            atOnce = isIdle && length <= MOST_AT_ONCE_BYTES;
            if (!atOnce) {
                chunks.add(new Chunk(bytes, offset, length));
                waitingBytes += length;
            }
            if (waitingBytes > PAUSE_AT_BYTES) {
                pause(BACKLOG);
            }
        }
        if (atOnce) {
            read(new Chunk(bytes, offset, length), false);
        } else if (isIdle) {
            remoting.readers().execute(this);
        }
    }

    private synchronized void pause(int reason) {
        if (pausedFor == 0) {
            connection.connection().pause();
        }
        pausedFor |= reason;
    }

    private synchronized void resume(int reason) {
        boolean wasPaused = pausedFor != 0;
        pausedFor &= ~reason;
        if (wasPaused && pausedFor == 0) {
            connection.connection().resume();
        }
    }

    @Override
    public void run() {
        read(null, true);
    }

    /** Reads what waits, after the chunk if there is one. */
    private void read(Chunk first, boolean mayReadUsers) {
        try {
            if (first != null) {
                feed(first);
            }
            while (!connection.isClosed()) {
                Progress progress = readFrames(mayReadUsers);
                if (progress != Progress.ALL_READ) {
                    if (progress == Progress.TO_HAND_OVER) {
                        remoting.readers().execute(this);
                    }
                    return;
                }
                Chunk chunk = next();
                if (chunk == null) {
                    return;
                }
                feed(chunk);
            }
            finish();
        } catch (WireException bad) {
            connection.refuse(bad);
            finish();
        } catch (RuntimeException mistake) {
            connection.failed(mistake);
            finish();
        } catch (Error fatal) {
            // Whoever comes after this lane must not wait for it for ever.
            connection.close();
            finish();
            throw fatal;
        }
    }

    private void feed(Chunk chunk) {
        frames.feed(chunk.bytes(), chunk.offset(), chunk.length());
    }

    private enum Progress {
        ALL_READ,
        /** The next frame waits for somebody else, who will let this go on. */
        WAITS,
        /** The next frame may not be handled on this thread. */
        TO_HAND_OVER
    }

    private Progress readFrames(boolean mayReadUsers) {
        boolean hasRead = false;
        while (!connection.isClosed() && (hasFrame || frames.next())) {
            hasRead = true;
            if (!hasFrame) {
                if (!connection.read(envelope, frames)) {
                    continue;
                }
                hasFrame = true;
            }
            if (!FrameHandler.isHandshake(envelope) && hasToWait()) {
                return Progress.WAITS;
            }
            if (!connection.handle(envelope, stream, mayReadUsers)) {
                return Progress.TO_HAND_OVER;
            }
            hasFrame = false;
        }
        envelope.release();
        connection.noteWaiting(frames.isWaiting(), hasRead);
        return Progress.ALL_READ;
    }

    /** For the sender's proof, and for what it sent before by another connection. */
    private boolean hasToWait() {
        connection.recognise(envelope.uid(), stream);
        NodeId peer = connection.peer();
        if (peer == null) {
            return false; // it will be dropped
        }
        Association association = connection.association();
        if (!association.isProven(peer)) {
            if (hasEndedUnproven()) {
                return false; // it will be counted and dropped
            }
            pause(PROOF);
            if (association.waitForProof(peer, this)) {
                return true;
            }
            resume(PROOF);
        }
        return waitsForPredecessor();
    }

    /**
     * It waited for proof until its connection ended, and then for its predecessor; nobody would let it go on again.
     */
    private synchronized boolean hasEndedUnproven() {
        return hasEnded;
    }

    private boolean waitsForPredecessor() {
        InboundLane before;
        boolean toItsEnd;
        synchronized (this) {
            before = predecessor;
            toItsEnd = waitsForItsEnd;
            predecessor = null;
            if (before == null) {
                return false;
            }
            isScheduled = true; // by the one before, when it is done
        }
        return toItsEnd ? before.waitForEnd(this) : before.waitForRest(this);
    }

    /**
     * Comes after this one.
     *
     * @param toItsEnd whether that has to be read to its end first; otherwise only what has come so far
     */
    synchronized void setPredecessor(InboundLane before, boolean toItsEnd) {
        predecessor = before;
        waitsForItsEnd = toItsEnd;
    }

    private synchronized boolean waitForRest(InboundLane newer) {
        if (isFinished || !isScheduled || next != null) {
            return false;
        }
        next = newer;
        turnsBeforeNext = chunks.size() + 1;
        return true;
    }

    private boolean waitForEnd(InboundLane newer) {
        synchronized (this) {
            if (isFinished) {
                return false;
            }
            successor = newer;
        }
        remoting.later(LONGEST_SILENCE_NANOS, this::closeIfSilent);
        return true;
    }

    /** The peer uses another connection by now; if the end of this one is not heard of, it is lost. */
    private void closeIfSilent() {
        boolean isSilent;
        synchronized (this) {
            if (isFinished) {
                return;
            }
            isSilent = !isScheduled;
        }
        if (isSilent) {
            connection.close();
        } else {
            remoting.later(LONGEST_SILENCE_NANOS, this::closeIfSilent);
        }
    }

    /** What it waited for has come to pass. */
    void goOn() {
        resume(PROOF);
        remoting.readers().execute(this);
    }

    private Chunk next() {
        boolean isOver;
        if (isNextsTurn()) {
            letNextGoOn();
        }
        synchronized (this) {
            Chunk chunk = chunks.poll();
            if (chunk != null) {
                waitingBytes -= chunk.length();
                if (waitingBytes < RESUME_AT_BYTES) {
                    resume(BACKLOG);
                }
                return chunk;
            }
            isScheduled = false;
            isOver = hasEnded;
        }
        letNextGoOn();
        if (isOver) {
            finish();
        }
        return null;
    }

    /** Nothing more will come on the connection. What has come is read, unless nobody proved to have sent it. */
    void ended() {
        Association association = connection.association();
        boolean isOver;
        synchronized (this) {
            hasEnded = true;
            isOver = !isScheduled;
        }
        if (isOver || association != null && association.forgetWaiting(this)) {
            finish();
        }
    }

    /** At the end of this one the one before has ended too, whether or not there was anything to wait for. */
    private void finish() {
        if (waitsForPredecessor()) {
            return;
        }
        InboundLane waiting;
        synchronized (this) {
            if (isFinished) {
                return;
            }
            isFinished = true;
            chunks.clear();
            waiting = successor;
            successor = null;
        }
        connection.finished();
        if (waiting != null) {
            waiting.goOn();
        }
        letNextGoOn();
    }

    /** What had come when the next one began to wait has been read. */
    private synchronized boolean isNextsTurn() {
        return next != null && --turnsBeforeNext <= 0;
    }

    private void letNextGoOn() {
        InboundLane waiting;
        synchronized (this) {
            waiting = next;
            next = null;
        }
        if (waiting != null) {
            waiting.goOn();
        }
    }
}
