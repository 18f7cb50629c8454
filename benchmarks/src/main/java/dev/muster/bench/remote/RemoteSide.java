package dev.muster.bench.remote;

import java.util.function.Consumer;

/** Two nodes of one cluster in this process, on real sockets, behind names that belong to neither side. */
interface RemoteSide extends AutoCloseable {

    /**
     * Starts an actor on the second node that counts what it gets, and says so to the first node after every so many.
     *
     * @param onReport runs on the first node at every report
     * @return sends to that actor, from the first node
     */
    Consumer<byte[]> counter(int reportEvery, Runnable onReport);

    /**
     * Starts an actor on the second node that sends everything back.
     *
     * @param onEcho gets what came back to the first node
     * @return sends to that actor, from the first node
     */
    Consumer<byte[]> echo(Consumer<byte[]> onEcho);

    @Override
    void close();
}
