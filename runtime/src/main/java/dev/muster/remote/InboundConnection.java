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
 * <p>What comes on the control stream is handled at once. Users' messages are read on a dispatcher, because reading
 * them runs users' code; a connection with too much waiting there is read no further.
 */
final class InboundConnection implements Receiver {
    private static final String COUNT_REFUSED = "remote.refused.";

    private final Remoting remoting;
    private final Incoming connection;
    private final FrameHandler handler;
    private final byte[] head = new byte[Preamble.BYTES];
    private final long acceptedNanos;
    private int headLength;
    private FrameReader frames;
    private EnvelopeReader envelope;
    private InboundLane lane;
    private volatile NodeId peer;
    private volatile Association association;
    private volatile long waitingSinceNanos;
    private volatile boolean isClosed;

    InboundConnection(Remoting remoting, Incoming connection) {
        this.remoting = remoting;
        this.connection = connection;
        this.handler = new FrameHandler(remoting, this);
        this.acceptedNanos = remoting.nanoTime();
    }

    Incoming connection() {
        return connection;
    }

    /** Who dialled us, as it says; null before it has. */
    NodeId peer() {
        return peer;
    }

    Association association() {
        return association;
    }

    void handshaken(NodeId from, Association with) {
        peer = from;
        association = with;
        remoting.handshaken(this);
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
                while (!isClosed && frames.next()) {
                    envelope.read(frames.array(), frames.start(), frames.length());
                    handler.onFrame(envelope, Preamble.CONTROL);
                }
                noteWaiting(frames.isWaiting());
            }
        } catch (WireException bad) {
            refuse(bad);
        }
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
            lane = new InboundLane(remoting, this, handler, stream, longest);
        }
        return at;
    }

    /** Part of a frame has come, or all of it: the rest must follow in time. */
    void noteWaiting(boolean isWaiting) {
        if (!isWaiting) {
            waitingSinceNanos = 0;
        } else if (waitingSinceNanos == 0) {
            waitingSinceNanos = remoting.nanoTime();
        }
    }

    /** Whether it has used up its time to say who it is, or to finish what it began. */
    boolean isOverdue(long nowNanos) {
        long since = waitingSinceNanos;
        return peer == null
                        && nowNanos - acceptedNanos
                                > remoting.settings().handshakeTimeout().toNanos()
                || since != 0 && nowNanos - since > Remoting.LONGEST_FRAME_NANOS;
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

    boolean isClosed() {
        return isClosed;
    }

    @Override
    public void closed() {
        isClosed = true;
        remoting.ended(this);
    }
}
