package dev.muster.remote;

import dev.muster.environment.Timers;
import dev.muster.environment.Transport;
import dev.muster.environment.TransportException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Connections in virtual time. Bytes arrive late and in pieces; a reset loses what is under way in the middle of a
 * frame, and the two ends hear of it at different times, as they do on a real network.
 */
public final class SimulatedNetwork implements Transport {
    private static final long LONGEST_DELAY_NANOS = 3_000_000L;
    private static final int SLOW_AT_BYTES = 256 * 1024;

    private final Timers timers;
    private final RandomGenerator random;
    private final Map<String, Acceptor> listeners = new HashMap<>();
    private final List<Line> lines = new ArrayList<>();
    private int nextPort = 1_000;
    private double refused;
    private int cutOff;
    private int dials;
    private int resets;

    public SimulatedNetwork(Timers timers, RandomGenerator random) {
        this.timers = timers;
        this.random = random;
    }

    /** How likely an attempt to connect fails although somebody listens. */
    void setRefused(double probability) {
        refused = probability;
    }

    int dials() {
        return dials;
    }

    public int resets() {
        return resets;
    }

    int open() {
        return lines.size();
    }

    /** Breaks one of the connections that stand, if there is any. */
    public void resetOne() {
        if (!lines.isEmpty()) {
            lines.get(random.nextInt(lines.size())).reset();
            resets++;
        }
    }

    /** Breaks all connections that these two have with each other. */
    public void resetBetween(int one, int other) {
        for (Line line : List.copyOf(lines)) {
            if (line.from == one && line.to == other || line.from == other && line.to == one) {
                line.reset();
                resets++;
            }
        }
    }

    /** Nothing passes to or from this node until {@link #join}. */
    public void cutOff(int port) {
        cutOff = port;
        for (Line line : List.copyOf(lines)) {
            if (line.from == port || line.to == port) {
                line.reset();
            }
        }
    }

    public void join() {
        cutOff = 0;
    }

    /** The network as the node with this port uses it, so that it is known whose connections are whose. */
    public Transport of(int ownPort) {
        return new Transport() {
            @Override
            public Listener listen(String host, int port, Acceptor acceptor) {
                return SimulatedNetwork.this.listen(host, port, acceptor);
            }

            @Override
            public Connection connect(String host, int port, ConnectionUser user) {
                return SimulatedNetwork.this.connect(ownPort, host, port, user);
            }
        };
    }

    /** Who listens there, to be spoken to without a connection in between. */
    Acceptor acceptorAt(String host, int port) {
        return listeners.get(host + ":" + port);
    }

    @Override
    public Listener listen(String host, int port, Acceptor acceptor) {
        int chosen = port == 0 ? nextPort++ : port;
        if (listeners.putIfAbsent(host + ":" + chosen, acceptor) != null) {
            throw new TransportException("somebody listens at " + chosen, null);
        }
        return new Listener() {
            @Override
            public int port() {
                return chosen;
            }

            @Override
            public void close() {
                listeners.remove(host + ":" + chosen, acceptor);
            }
        };
    }

    @Override
    public Connection connect(String host, int port, ConnectionUser user) {
        return connect(0, host, port, user);
    }

    private Connection connect(int from, String host, int port, ConnectionUser user) {
        dials++;
        Line line = new Line(from, port, user);
        later(delay(), () -> line.arrive(listeners.get(host + ":" + port)));
        return line;
    }

    private long delay() {
        return random.nextLong(LONGEST_DELAY_NANOS);
    }

    private void later(long nanos, Runnable task) {
        var unused = timers.schedule(nanos, task);
    }

    /** One connection with both of its ends. */
    private final class Line implements Connection {
        private final int from;
        private final int to;
        private final ConnectionUser user;
        private final int port = 50_000 + random.nextInt(10_000);
        private Receiver receiver;
        private final ArrayDeque<byte[]> underWay = new ArrayDeque<>();
        private final ArrayDeque<byte[]> unread = new ArrayDeque<>();
        private int bytesUnderWay;
        private boolean isPaused;
        private boolean isOpen;
        private boolean senderHasEnded;
        private boolean receiverHasEnded;
        private boolean closesAfterLast;
        private boolean isSlow;

        Line(int from, int to, ConnectionUser user) {
            this.from = from;
            this.to = to;
            this.user = user;
        }

        void arrive(Acceptor acceptor) {
            if (senderHasEnded) {
                return;
            }
            boolean isCutOff = cutOff != 0 && (from == cutOff || to == cutOff);
            if (acceptor == null || isCutOff || random.nextDouble() < refused) {
                endSender("refused");
                return;
            }
            receiver = acceptor.accepted(new OtherEnd());
            if (receiver == null) {
                endSender("refused at once");
                return;
            }
            isOpen = true;
            lines.add(this);
            user.opened(this);
            if (!senderHasEnded) {
                user.writable();
            }
        }

        void reset() {
            lines.remove(this);
            isOpen = false;
            // Of what is under way, some still arrives.
            int arrives = underWay.isEmpty() ? 0 : random.nextInt(underWay.size() + 1);
            while (underWay.size() > arrives) {
                bytesUnderWay -= underWay.removeLast().length;
            }
            later(delay(), () -> endSender("reset"));
            later(delay() * 20, this::endReceiver);
        }

        private void endSender(String reason) {
            if (!senderHasEnded) {
                senderHasEnded = true;
                user.closed(reason);
            }
        }

        private void endReceiver() {
            lines.remove(this);
            if (!receiverHasEnded && receiver != null) {
                receiverHasEnded = true;
                receiver.closed();
            }
        }

        // --- The end that opened it

        @Override
        public void wakeUp() {
            later(0, () -> {
                if (isOpen && !senderHasEnded && !isSlow) {
                    user.writable();
                }
            });
        }

        @Override
        public boolean write(byte[] bytes, int offset, int length) {
            if (!isOpen || senderHasEnded) {
                return true; // lost, as on a socket whose other end has gone
            }
            int at = offset;
            while (at < offset + length) {
                int piece = Math.min(offset + length - at, 1 + random.nextInt(Math.max(1, length)));
                byte[] copy = Arrays.copyOfRange(bytes, at, at + piece);
                underWay.add(copy);
                bytesUnderWay += piece;
                at += piece;
                later(delay(), this::deliverFirst);
            }
            isSlow = bytesUnderWay > SLOW_AT_BYTES;
            return !isSlow;
        }

        @Override
        public void close() {
            if (senderHasEnded || receiverHasEnded) {
                return;
            }
            closesAfterLast = true;
            later(0, () -> endSender("closed"));
            if (underWay.isEmpty()) {
                later(delay(), this::endAfterLast);
            }
        }

        /** What is asked to be closed by either end is closed for both. */
        private void closeIncoming() {
            isOpen = false;
            lines.remove(this);
            later(delay(), () -> endSender("closed by the peer"));
            later(0, this::endReceiver);
        }

        private void endAfterLast() {
            if (underWay.isEmpty() && unread.isEmpty()) {
                isOpen = false;
                endReceiver();
            }
        }

        // --- The end that was opened to

        private void deliverFirst() {
            byte[] piece = underWay.poll();
            if (piece == null) {
                return;
            }
            bytesUnderWay -= piece.length;
            unread.add(piece);
            readAll();
            if (isSlow && bytesUnderWay < SLOW_AT_BYTES / 2) {
                isSlow = false;
                wakeUp();
            }
        }

        private void readAll() {
            while (!isPaused && !unread.isEmpty() && !receiverHasEnded) {
                byte[] piece = unread.poll();
                receiver.received(piece, piece.length);
            }
            if (closesAfterLast) {
                endAfterLast();
            }
        }

        /** The connection as its receiver sees it. */
        private final class OtherEnd implements Transport.Incoming {
            @Override
            public String peer() {
                return "/127.0.0.1:" + port;
            }

            @Override
            public boolean isLocal() {
                return true;
            }

            @Override
            public boolean provesToBe(String host) {
                return true;
            }

            @Override
            public void pause() {
                isPaused = true;
            }

            @Override
            public void resume() {
                isPaused = false;
                later(0, Line.this::readAll);
            }

            @Override
            public void close() {
                closeIncoming();
            }
        }
    }
}
