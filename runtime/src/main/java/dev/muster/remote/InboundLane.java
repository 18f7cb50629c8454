package dev.muster.remote;

import dev.muster.core.state.NodeId;
import dev.muster.environment.Activation;
import dev.muster.wire.EnvelopeReader;
import dev.muster.wire.FrameReader;
import dev.muster.wire.WireException;
import java.util.ArrayDeque;

/** What came on one connection and waits to be read on a dispatcher, in order. */
final class InboundLane extends Activation {
    private static final int PAUSE_AT_BYTES = 2 * 1024 * 1024;
    private static final int RESUME_AT_BYTES = 512 * 1024;

    private final Remoting remoting;
    private final InboundConnection connection;
    private final FrameHandler handler;
    private final int stream;
    private final FrameReader frames;
    private final EnvelopeReader envelope = new EnvelopeReader();
    private boolean hasFrame;

    // Guarded by this.
    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
    private int waitingBytes;
    private boolean isPaused;
    private boolean isScheduled;

    private record Chunk(byte[] bytes, int offset, int length) {}

    InboundLane(Remoting remoting, InboundConnection connection, FrameHandler handler, int stream, int maxFrameBytes) {
        this.remoting = remoting;
        this.connection = connection;
        this.handler = handler;
        this.stream = stream;
        this.frames = new FrameReader(maxFrameBytes);
    }

    void add(byte[] bytes, int offset, int length) {
        if (length == 0) {
            return;
        }
        boolean schedule;
        synchronized (this) {
            chunks.add(new Chunk(bytes, offset, length));
            waitingBytes += length;
            if (waitingBytes > PAUSE_AT_BYTES && !isPaused) {
                isPaused = true;
                connection.connection().pause();
            }
            schedule = !isScheduled;
            isScheduled = true;
        }
        if (schedule) {
            remoting.readers().execute(this);
        }
    }

    @Override
    public void run() {
        try {
            while (!connection.isClosed()) {
                if (!readFrames()) {
                    return; // somebody has to prove itself first; then this goes on
                }
                Chunk chunk = next();
                if (chunk == null) {
                    return;
                }
                frames.feed(chunk.bytes(), chunk.offset(), chunk.length());
            }
        } catch (WireException bad) {
            connection.refuse(bad);
        }
    }

    /** Returns false when the next frame has to wait for its sender's proof. */
    private boolean readFrames() {
        while (!connection.isClosed() && (hasFrame || frames.next())) {
            if (!hasFrame) {
                envelope.read(frames.array(), frames.start(), frames.length());
                hasFrame = true;
            }
            NodeId peer = connection.peer();
            Association association = connection.association();
            if (peer != null && !FrameHandler.isHandshake(envelope) && !association.isProven(peer)) {
                connection.connection().pause();
                association.whenProven(peer, this::goOn);
                return false;
            }
            hasFrame = false;
            handler.onFrame(envelope, stream);
        }
        connection.noteWaiting(frames.isWaiting());
        return true;
    }

    private void goOn() {
        connection.connection().resume();
        remoting.readers().execute(this);
    }

    private Chunk next() {
        synchronized (this) {
            Chunk chunk = chunks.poll();
            if (chunk == null) {
                isScheduled = false;
                return null;
            }
            waitingBytes -= chunk.length();
            if (isPaused && waitingBytes < RESUME_AT_BYTES) {
                isPaused = false;
                connection.connection().resume();
            }
            return chunk;
        }
    }
}
