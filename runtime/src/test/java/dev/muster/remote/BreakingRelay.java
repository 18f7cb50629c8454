package dev.muster.remote;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Stands between a node and those who dial it, and resets their connections when it is told to. */
final class BreakingRelay implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicLong carried = new AtomicLong();

    BreakingRelay(int target) {
        this.target = target;
        try {
            listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::acceptAll);
    }

    static int freePort() {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    /** How many bytes have come by, in both directions. */
    long carried() {
        return carried.get();
    }

    /** How many sockets it has, two for each connection. */
    int open() {
        return sockets.size();
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket from = listener.accept();
                Socket to = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(from);
                sockets.add(to);
                start(() -> pump(from, to));
                start(() -> pump(to, from));
            }
        } catch (IOException over) {
            resetAll();
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[8_192];
        try {
            for (int length = from.getInputStream().read(buffer); length >= 0; ) {
                to.getOutputStream().write(buffer, 0, length);
                carried.addAndGet(length);
                length = from.getInputStream().read(buffer);
            }
            close(to, false);
        } catch (IOException broken) {
            close(from, true);
            close(to, true);
        }
    }

    /** Every connection ends in the middle of a word. */
    int resetAll() {
        int count = 0;
        for (Socket socket : sockets) {
            close(socket, true);
            count++;
        }
        return count;
    }

    private void close(Socket socket, boolean hard) {
        sockets.remove(socket);
        try {
            if (hard) {
                socket.setSoLinger(true, 0);
            }
            socket.close();
        } catch (IOException closed) {
            sockets.remove(socket);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        resetAll();
    }
}
