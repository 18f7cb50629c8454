package dev.muster.discovery;

import dev.muster.core.state.NodeAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Finds the nodes to ask for the cluster.
 *
 * <p>All nodes that get the same answer from the world must get the same list in the same order here, because the first
 * of the list is the only one that may form a cluster.
 */
@FunctionalInterface
public interface Discovery {

    /** What is known now; fails with a {@link DiscoveryException} that says what was asked of whom. */
    CompletionStage<List<NodeAddress>> lookup();

    /** A list that never changes, in the order given. */
    static Discovery of(List<NodeAddress> nodes) {
        List<NodeAddress> fixed = nodes.stream().distinct().toList();
        return () -> CompletableFuture.completedFuture(fixed);
    }
}
