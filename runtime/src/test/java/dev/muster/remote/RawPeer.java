package dev.muster.remote;

import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.wire.ControlCodec;
import dev.muster.wire.ControlMessage;
import dev.muster.wire.FrameWriter;
import dev.muster.wire.Payload;
import dev.muster.wire.Preamble;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** Somebody with a socket who may say anything. It can also be dialled, and then proves to be who it says. */
final class RawPeer implements AutoCloseable {
    final NodeAddress target;
    final NodeId self;
    private final ServerSocket listener;
    private Socket socket;

    RawPeer(NodeAddress target, long uid) {
        this.target = target;
        this.listener = listener();
        this.self = new NodeId(
                new NodeAddress(target.protocol(), target.system(), "127.0.0.1", listener.getLocalPort()), uid);
    }

    private RawPeer(NodeAddress target, NodeId self) {
        this.target = target;
        this.listener = listener();
        this.self = self;
    }

    /** What a node says that has gone bad: it is known already, so it need not be dialled to be believed. */
    static RawPeer inTheNameOf(NodeId known, NodeAddress target) {
        return new RawPeer(target, known);
    }

    private static ServerSocket listener() {
        try {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RawPeer connect() {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), target.port());
            socket.setTcpNoDelay(true);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns false if the other end has closed the connection. */
    boolean send(byte... bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return true;
        } catch (SocketException closed) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the other end closes the connection within that time. */
    boolean isClosedWithin(int millis) {
        try {
            socket.setSoTimeout(millis);
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (SocketException reset) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Connects and says who it is. */
    RawPeer introduce(int stream) {
        connect();
        send(Preamble.of(stream));
        send(frame(new ControlMessage.HandshakeReq(self, target)));
        return this;
    }

    /** Says who it is, is dialled back, and answers as one who lives there: from now on it is believed. */
    RawPeer handshake() {
        try {
            introduce(Preamble.CONTROL);
            listener.setSoTimeout(10_000);
            try (Socket dialled = listener.accept()) {
                // Its question has come when its first bytes have.
                dialled.setSoTimeout(10_000);
                int first = dialled.getInputStream().readNBytes(60).length;
                if (first < 60) {
                    throw new IllegalStateException("no handshake came back");
                }
                send(frame(new ControlMessage.HandshakeRsp(self)));
                send(frame(new ControlMessage.HandshakeRsp(self)));
                // Frames before the proof are dropped; the answer is on its way first, on the same connection.
            }
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    byte[] frame(ControlMessage message) {
        Payload payload = ControlCodec.encode(message);
        return frame(self.uid(), payload.serializerId(), "", "", payload.manifest(), payload.bytes());
    }

    static byte[] frame(long uid, int serializerId, String recipient, String manifest, byte... payload) {
        return frame(uid, serializerId, "", recipient, manifest, payload);
    }

    static byte[] frame(long uid, int serializerId, String sender, String recipient, String manifest, byte... payload) {
        FrameWriter frames = new FrameWriter(128);
        frames.add(
                uid,
                serializerId,
                0,
                0,
                -1,
                sender.getBytes(StandardCharsets.US_ASCII),
                -1,
                recipient.getBytes(StandardCharsets.US_ASCII),
                -1,
                manifest.getBytes(StandardCharsets.ISO_8859_1),
                payload,
                0,
                payload.length);
        return java.util.Arrays.copyOf(frames.array(), frames.length());
    }

    @Override
    public void close() {
        try {
            listener.close();
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
