package dev.muster.bench.formation;

import dev.muster.bench.Side;
import java.time.Duration;

/** A cluster of many nodes in this process, on real sockets, behind names that belong to no side. */
public interface NodesSide extends AutoCloseable {

    /** A cluster without nodes. */
    static NodesSide of(Side side) {
        return switch (side) {
            case MUSTER -> new MusterCluster();
            case PEKKO -> new PekkoCluster("");
            case SCALECUBE -> new ScaleCubeCluster();
            case SOCKETS -> throw new IllegalArgumentException("sockets alone are no cluster");
        };
    }

    /** Starts one more node, which joins the others by itself; does not wait until it has. */
    void add() throws InterruptedException;

    /** Waits until every node sees every node up. */
    void awaitUp(Duration timeout) throws InterruptedException;

    /** All that the nodes have sent so far. */
    long sentBytes() throws Exception;

    @Override
    void close();
}
