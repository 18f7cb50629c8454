package dev.muster.testkit.relay;

import dev.muster.wire.ControlCodec;
import dev.muster.wire.ControlMessage;
import dev.muster.wire.EnvelopeReader;
import dev.muster.wire.Preamble;
import dev.muster.wire.WireException;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Stands at the address that a node tells others, and passes on to where it really listens. Who connects says so in the
 * first frame; with that the relay knows which way the bytes go, since a connection carries them in one direction only.
 */
final class Relay {
    private static final int LONGEST_FIRST_FRAME = 64 * 1024;
    private static final int PACKET_BYTES = 16 * 1024;

    private final Relays relays;
    private final int port;
    private final int target;
    private final ServerSocket server;
    private final List<Socket> open = new ArrayList<>();
    private boolean isClosed;

    Relay(Relays relays, int port, int target) throws IOException {
        this.relays = relays;
        this.port = port;
        this.target = target;
        this.server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 128);
        relays.run("relay-" + port, this::accept);
    }

    private void accept() {
        while (true) {
            try {
                Socket client = server.accept();
                keep(client);
                relays.run("relay-" + port + "-in", () -> serve(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private synchronized void keep(Socket socket) throws IOException {
        if (isClosed) {
            socket.close();
            throw new IOException("the relay is closed");
        }
        open.add(socket);
    }

    private void serve(Socket client) {
        try (client) {
            byte[] first = firstBytes(new DataInputStream(client.getInputStream()));
            int from = sender(first);
            relays.count(from, port);
            Link link = relays.link(from, port);
            if (!passes(client, link)) {
                return;
            }
            try (Socket node = new Socket(InetAddress.getLoopbackAddress(), target)) {
                keep(node);
                node.setTcpNoDelay(true);
                relays.run("relay-" + port + "-out", () -> watchEnd(node, client, relays.link(port, from)));
                node.getOutputStream().write(first);
                link.count(first.length);
                pump(client, node, link);
            }
        } catch (IOException | WireException | InterruptedException ended) {
            relays.note(port + ": " + ended.getMessage());
        }
    }

    private void pump(Socket client, Socket node, Link link) throws IOException, InterruptedException {
        InputStream in = client.getInputStream();
        OutputStream out = node.getOutputStream();
        byte[] packet = new byte[PACKET_BYTES];
        boolean isBroken = false;
        for (int length = in.read(packet); length >= 0; length = in.read(packet)) {
            Link.Way way = link.travel();
            if (way == Link.Way.RESET || isBroken && way == Link.Way.OPEN) {
                reset(client);
                reset(node);
                return;
            }
            isBroken |= way == Link.Way.VOID;
            if (!isBroken) {
                out.write(packet, 0, length);
                link.count(length);
            }
        }
        link.awaitNoVoid();
    }

    private static boolean passes(Socket client, Link link) throws IOException, InterruptedException {
        Link.Way way = link.travel();
        if (way == Link.Way.RESET) {
            reset(client);
        } else if (way == Link.Way.VOID) {
            // Nobody there will ever answer; the client waits until it is tired of it.
            client.getInputStream().transferTo(OutputStream.nullOutputStream());
        }
        return way == Link.Way.OPEN;
    }

    /** The node has closed its end; the other one learns of it if the way back is open. */
    private void watchEnd(Socket node, Socket client, Link back) {
        try {
            node.getInputStream().transferTo(OutputStream.nullOutputStream());
            back.travel();
            back.awaitNoVoid();
            client.close();
        } catch (IOException | InterruptedException ended) {
            try {
                client.close();
            } catch (IOException alsoEnded) {
                relays.note(port + ": " + alsoEnded.getMessage());
            }
        }
    }

    private static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    private static byte[] firstBytes(DataInputStream in) throws IOException {
        byte[] head = in.readNBytes(Preamble.BYTES + 4);
        int length = head.length < Preamble.BYTES + 4
                ? -1
                : ByteBuffer.wrap(head, Preamble.BYTES, 4)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .getInt();
        if (length < 0 || length > LONGEST_FIRST_FRAME) {
            throw new IOException("a first frame of " + length + " bytes");
        }
        byte[] all = java.util.Arrays.copyOf(head, head.length + length);
        in.readFully(all, head.length, length);
        return all;
    }

    /** The port of the node that says hello, or that did so earlier and has only dialled again. */
    private int sender(byte[] first) throws IOException {
        EnvelopeReader envelope = new EnvelopeReader();
        int start = Preamble.BYTES + 4;
        envelope.read(first, start, first.length - start);
        if (envelope.serializerId() != ControlCodec.SERIALIZER_ID) {
            return relays.portOf(envelope.uid());
        }
        ControlMessage message = ControlCodec.decode(
                envelope.manifest().text(), first, envelope.payloadStart(), envelope.payloadLength());
        if (message instanceof ControlMessage.HandshakeReq hello) {
            relays.remember(hello.from());
            return hello.from().address().port();
        }
        if (message instanceof ControlMessage.HandshakeRsp answer) {
            return answer.from().address().port();
        }
        return relays.portOf(envelope.uid());
    }

    synchronized void close() {
        isClosed = true;
        try {
            server.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException failure) {
            relays.note(port + ": " + failure.getMessage());
        }
    }
}
