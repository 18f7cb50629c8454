package dev.muster.bench.partitions;

import java.io.IOException;

/**
 * The process of one node. It says where it can be joined, and ends in good order when it is told to terminate. When
 * whoever has started it is gone, it ends at once.
 */
final class NodeMain {

    static final String STARTED = "started ";

    private NodeMain() {}

    public static void main(String[] args) throws IOException {
        PartitionNode node = PartitionNode.start(NodePlan.of(args), PartitionNode.Watcher.NOBODY);
        System.out.println(STARTED + node.address());
        System.out.flush();
        while (System.in.read() >= 0) {
            // Nothing is ever said here; the end of it is what matters.
        }
        Runtime.getRuntime().halt(1);
    }
}
