package dev.muster.environment;

/**
 * Streams of bytes between nodes. A connection carries bytes one way, from the side that opened it.
 *
 * <p>All callbacks of one connection come one at a time, on a thread of the transport that must not be kept waiting.
 */
public interface Transport {

    /**
     * Starts to listen.
     *
     * @param port 0 lets the system choose one
     * @throws TransportException if that is not possible, naming the address and the remedy
     */
    Listener listen(String host, int port, Acceptor acceptor);

    /** Opens a connection. Whatever comes of it is told to {@code user}. */
    Connection connect(String host, int port, ConnectionUser user);

    /** How many connections may be open at once; beyond that those give way that have been silent the longest. */
    default int affordableConnections() {
        return Integer.MAX_VALUE;
    }

    /** Who is told of new connections. */
    interface Acceptor {

        /** Somebody connected. Returns who takes what comes, or null to refuse. */
        Receiver accepted(Incoming connection);
    }

    /** Takes what comes on one accepted connection. */
    interface Receiver {

        /** The array is the receiver's from now on; only its first {@code length} bytes count. */
        void received(byte[] bytes, int length);

        void closed();
    }

    /** A listening port. */
    interface Listener {
        int port();

        void close();
    }

    /** An accepted connection, as its receiver sees it. May be used from any thread. */
    interface Incoming {

        /** Where it comes from, for people to read. */
        String peer();

        /** Whether both ends are on this machine. */
        boolean isLocal();

        /** Whether the peer proved by a certificate to be the node at {@code host}; true where there is no TLS. */
        boolean provesToBe(String host);

        /** Reads no more until {@link #resume()}, so that the peer has to wait. */
        void pause();

        void resume();

        void close();
    }

    /** An opened connection. */
    interface Connection {

        /** Asks for a call of {@link ConnectionUser#writable()}, from any thread. */
        void wakeUp();

        /**
         * Sends bytes; only to be called inside a callback. The array is free again afterwards. Returns false when the
         * peer is slow: more can be written, but better waits for the next {@link ConnectionUser#writable()}.
         */
        boolean write(byte[] bytes, int offset, int length);

        /** Closes it after what was written, from any thread. {@link ConnectionUser#closed} follows. */
        void close();
    }

    /** Who opened a connection. */
    interface ConnectionUser {

        /** It stands. {@link #writable()} follows. */
        void opened(Connection connection);

        /** It was asked for by {@link Connection#wakeUp()}, or there is room again. */
        void writable();

        /** It is over, or never came to be. Called once, always. */
        void closed(String reason);
    }
}
