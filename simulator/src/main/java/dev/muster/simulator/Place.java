package dev.muster.simulator;

import dev.muster.core.state.NodeAddress;

/** An address where processes can live, one after another, and what the network does there. */
final class Place {
    final int index;
    final NodeAddress address;
    final LinkTable linksOut = new LinkTable();
    /** The process that listens here now, or null. */
    SimulatedNode process;
    /** How many processes were started here so far. */
    int incarnations;

    double lossIn;
    double lossOut;
    SlowLinks slow = SlowLinks.NONE;

    Place(int index, NodeAddress address) {
        this.index = index;
        this.address = address;
    }
}
