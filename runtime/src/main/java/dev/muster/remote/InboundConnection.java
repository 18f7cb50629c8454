package dev.muster.remote;

import dev.muster.core.state.NodeId;
import dev.muster.environment.Transport.Incoming;
import dev.muster.environment.Transport.Receiver;
import dev.muster.wire.EnvelopeReader;
import dev.muster.wire.FrameReader;
import dev.muster.wire.Preamble;
import dev.muster.wire.WireException;

/**
 * One connection that a peer opened: preamble, handshake, then frames.
 *
 * <p>What comes on the control stream is handled at once. Users' messages are read by their recipients or on a
 * dispatcher, because reading them runs users' code; a connection with too much waiting there is read no further.
 */
final class InboundConnection implements Receiver {
    private static final String COUNT_REFUSED = "remote.refused.";
    private static final String COUNT_DROPPED = "remote.dropped.";
    private static final long LONGEST_FAREWELL_NANOS = 1_000_000_000L;

    private final Remoting remoting;
    private final Incoming connection;
    private final FrameHandler handler;
    private final byte[] head = new byte[Preamble.BYTES];
    private final long acceptedNanos;
    private final long number;
    private int headLength;
    private FrameReader frames;
    private EnvelopeReader envelope;
    private InboundLane lane;
    private volatile NodeId peer;
    private volatile Association association;
    /** Counted from when it was accepted; 0 if nothing is missing. */
    private volatile long waitingSinceNanos;

    private volatile boolean isClosed;

    InboundConnection(Remoting remoting, Incoming connection, long number) {
        this.remoting = remoting;
        this.number = number;
        this.connection = connection;
        this.handler = new FrameHandler(remoting, this);
        this.acceptedNanos = remoting.nanoTime();
    }

    Incoming connection() {
        return connection;
    }

    /** Connections that were accepted later have higher numbers. */
    long number() {
        return number;
    }

    /** Who dialled us, as it says; null before it has. */
    NodeId peer() {
        return peer;
    }

    Association association() {
        return association;
    }

    /**
     * Other systems dial again below their handshake, which then follows within a second or so. By the number in each
     * frame they are known all the same.
     */
    void recognise(long uid, int stream) {
        if (peer != null) {
            return;
        }
        Association known = remoting.associationOf(uid);
        NodeId id = known == null ? null : known.peerId();
        if (id != null && id.uid() == uid && connection.provesToBe(id.address().host())) {
            handshaken(id, known, stream, false);
        }
    }

    /** @param replaces whether the peer has said that it uses no other connection for this stream from now on */
    void handshaken(NodeId from, Association with, int stream, boolean replaces) {
        peer = from;
        association = with;
        remoting.handshaken(this);
        if (!replaces) {
            InboundConnection beside = with.joins(stream, this);
            if (beside != null && lane != null && beside.lane != null) {
                lane.setPredecessor(beside.lane, false);
            }
            InboundConnection surplus = with.surplus();
            if (surplus != null) {
                remoting.counters().add("remote.connections-too-many");
                surplus.close();
            }
            return;
        }
        InboundConnection before = with.takesOver(stream, this);
        if (before == this) {
            // What comes on it is older than what was heard from the peer since.
            remoting.counters().add("remote.connections-too-late");
            close();
        } else if (before != null && lane != null && before.lane != null) {
            lane.setPredecessor(before.lane, true);
        } else if (before != null) {
            remoting.later(LONGEST_FAREWELL_NANOS, before::close);
        }
    }

    /** Whether its peer is who it says; until then it is a stranger. */
    boolean isProven() {
        NodeId from = peer;
        return from != null && association.isProven(from);
    }

    @Override
    public void received(byte[] bytes, int length) {
        remoting.countReceived(length);
        try {
            int at = frames == null && lane == null ? readHead(bytes, length) : 0;
            if (lane != null) {
                lane.add(bytes, at, length - at);
            } else if (frames != null && at < length) {
                frames.feed(bytes, at, length - at);
                boolean hasRead = false;
                while (!isClosed && frames.next()) {
                    hasRead = true;
                    if (read(envelope, frames)) {
                        handleHere(envelope);
                    }
                }
                envelope.release();
                noteWaiting(frames.isWaiting(), hasRead);
            }
        } catch (WireException bad) {
            refuse(bad);
        } catch (RuntimeException mistake) {
            failed(mistake);
        }
    }

    /** Reads the head of a frame; returns false if it was dropped. */
    boolean read(EnvelopeReader target, FrameReader from) {
        try {
            target.read(from.array(), from.start(), from.length());
            return true;
        } catch (WireException bad) {
            drop(bad);
            return false;
        }
    }

    /** Control frames, and a user's message only if its recipient cannot read it itself. */
    private void handleHere(EnvelopeReader frame) {
        boolean ignored = handle(frame, Preamble.CONTROL, false) || handle(frame, Preamble.CONTROL, true);
    }

    /** Returns false if a user's message would have to be read for it, and may not be; then nothing has happened. */
    boolean handle(EnvelopeReader frame, int stream, boolean mayReadUsers) {
        try {
            return handler.onFrame(frame, stream, mayReadUsers);
        } catch (WireException bad) {
            drop(bad);
            return true;
        }
    }

    /** Passes over a message that is only not understood; with one that means nothing the connection ends. */
    private void drop(WireException bad) {
        boolean isOnlyStrange = switch (bad.reason()) {
            case UNKNOWN_SERIALIZER, UNKNOWN_MANIFEST, BAD_TEXT -> peer != null;
            default -> false;
        };
        if (!isOnlyStrange) {
            throw bad;
        }
        remoting.counters().add(COUNT_DROPPED + kind(bad));
        remoting.peerLog()
                .warn(peerHost(), "a message from {} is not understood and was dropped: {}", peer, bad.getMessage());
    }

    private int readHead(byte[] bytes, int length) {
        int at = 0;
        while (at < length && headLength < head.length) {
            head[headLength++] = bytes[at++];
        }
        int stream = Preamble.read(head, headLength);
        if (stream == Preamble.CONTROL) {
            frames = new FrameReader(remoting.settings().maxFrameBytes());
            envelope = new EnvelopeReader();
        } else if (stream != 0) {
            int longest = stream == Preamble.LARGE
                    ? remoting.settings().maxLargeFrameBytes()
                    : remoting.settings().maxFrameBytes();
            lane = new InboundLane(remoting, this, stream, longest);
        }
        return at;
    }

    /**
     * Part of a frame has come, or all of it: the rest must follow in time.
     *
     * @param isNew whether another frame was read to its end since the last call
     */
    void noteWaiting(boolean isWaiting, boolean isNew) {
        if (!isWaiting) {
            waitingSinceNanos = 0;
        } else if (waitingSinceNanos == 0 || isNew) {
            waitingSinceNanos = Math.max(1, remoting.nanoTime() - acceptedNanos);
        }
    }

    /** Whether it has used up its time to prove who it is, or to finish what it began. */
    boolean isOverdue(long nowNanos) {
        long age = nowNanos - acceptedNanos;
        long since = waitingSinceNanos;
        return !isProven() && age > remoting.settings().handshakeTimeout().toNanos()
                || since != 0 && age - since > Remoting.LONGEST_FRAME_NANOS;
    }

    /** It sent what nobody may send: counted, said once in a while, closed. */
    void refuse(WireException bad) {
        remoting.counters().add(COUNT_REFUSED + kind(bad));
        remoting.peerLog()
                .warn(
                        peerHost(),
                        "closing the connection from {} ({}): {}",
                        connection.peer(),
                        peer == null ? "no handshake yet" : peer,
                        bad.getMessage());
        close();
    }

    /** A mistake of this node, shown by what came; others must not suffer from it. */
    void failed(RuntimeException mistake) {
        remoting.counters().add(COUNT_REFUSED + "mistake");
        remoting.peerLog()
                .error(peerHost(), "a mistake in Muster ends the connection from " + connection.peer(), mistake);
        close();
    }

    private static String kind(WireException bad) {
        return bad.getMessage() != null && bad.getMessage().equals("bad-magic")
                ? "bad-magic"
                : bad.reason().name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }

    /** Without the port, which is another one each time. */
    String peerHost() {
        String from = connection.peer();
        int colon = from.lastIndexOf(':');
        return colon < 0 ? from : from.substring(0, colon);
    }

    void close() {
        isClosed = true;
        connection.close();
    }

    /** Whether this side has closed it, so that nothing more of it is of interest. */
    boolean isClosed() {
        return isClosed;
    }

    @Override
    public void closed() {
        remoting.ended(this);
        if (lane == null) {
            isClosed = true;
            finished();
        } else {
            lane.ended();
        }
    }

    /** All that came on it was read. */
    void finished() {
        Association with = association;
        if (with != null) {
            with.finished(this);
        }
    }
}
