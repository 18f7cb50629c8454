package dev.muster.bench.partitions;

import dev.muster.bench.Side;
import java.util.Arrays;
import java.util.List;

/**
 * What a node is to be.
 *
 * @param partitions how many there are in the whole cluster
 * @param isHost whether partitions may be on this node; if not, it only sends to them
 * @param seeds where to join, as host:port; empty for the first node
 */
record NodePlan(Side side, Kind kind, int partitions, boolean isHost, List<String> seeds) {

    /** The role of those that host partitions. */
    static final String HOST = "host";

    /** What is promised of the partitions, in Muster's words. Pekko has one kind of sharding, which stands for all. */
    enum Kind {
        /** Without state, and in any order. */
        STATELESS,
        /** Without state, in order. */
        ORDERED,
        /** One at a time, in order, with a small state. */
        SINGLETON
    }

    NodePlan {
        seeds = List.copyOf(seeds);
    }

    NodePlan with(List<String> otherSeeds) {
        return new NodePlan(side, kind, partitions, isHost, otherSeeds);
    }

    NodePlan asClient() {
        return new NodePlan(side, kind, partitions, false, seeds);
    }

    List<String> arguments() {
        return List.of(
                side.name(), kind.name(), String.valueOf(partitions), String.valueOf(isHost), String.join(",", seeds));
    }

    static NodePlan of(String... arguments) {
        return new NodePlan(
                Side.valueOf(arguments[0]),
                Kind.valueOf(arguments[1]),
                Integer.parseInt(arguments[2]),
                Boolean.parseBoolean(arguments[3]),
                Arrays.stream(arguments[4].split(","))
                        .filter(it -> !it.isEmpty())
                        .toList());
    }
}
