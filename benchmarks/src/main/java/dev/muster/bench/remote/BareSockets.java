package dev.muster.bench.remote;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Consumer;

/**
 * No nodes at all: two threads and one connection between them. What a round trip takes here it takes at least, and a
 * tail that is seen here is made by the machine.
 */
final class BareSockets implements RemoteSide {

    private final Socket near;
    private final Socket far;

    BareSockets() {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            near = new Socket(server.getInetAddress(), server.getLocalPort());
            far = server.accept();
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public Consumer<byte[]> counter(int reportEvery, Runnable onReport) {
        throw new UnsupportedOperationException("bare sockets only echo");
    }

    @Override
    public Consumer<byte[]> echo(Consumer<byte[]> onEcho) {
        forEachMessage("echo-far", far, message -> write(far, message));
        forEachMessage("echo-near", near, onEcho);
        return message -> write(near, message);
    }

    private static void forEachMessage(String name, Socket socket, Consumer<byte[]> receiver) {
        Thread reader = new Thread(
                () -> {
                    try {
                        DataInputStream in = new DataInputStream(socket.getInputStream());
                        while (true) {
                            byte[] message = new byte[RoundTrips.MESSAGE_BYTES];
                            in.readFully(message);
                            receiver.accept(message);
                        }
                    } catch (IOException | UncheckedIOException closed) {
                        // The measurement is over.
                    }
                },
                name);
        reader.setDaemon(true);
        reader.start();
    }

    private static void write(Socket socket, byte[] message) {
        try {
            OutputStream out = socket.getOutputStream();
            out.write(message);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        try (near;
                far) {
            // Both are closed here; their readers end with that.
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
