package dev.muster.bench.remote;

import dev.muster.bench.Side;
import java.util.function.Consumer;

/** Two nodes of one cluster in this process, on real sockets, behind names that belong to neither side. */
interface RemoteSide extends AutoCloseable {

    static RemoteSide of(Side side) throws InterruptedException {
        return switch (side) {
            case MUSTER -> new MusterRemote();
            case PEKKO -> new PekkoRemote();
            case SOCKETS -> new BareSockets();
            case SCALECUBE -> throw new IllegalArgumentException("ScaleCube has no actors");
        };
    }

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
