package dev.muster.remote;

import dev.muster.core.state.NodeAddress;

/** Knows the paths that belong to the cluster rather than to a node. */
@FunctionalInterface
public interface Places {

    /**
     * What lives at such a path; null if it is an actor's, or nobody's.
     *
     * @param isOneOfMany whether the one on that node is meant, as long as it is there
     * @param name the whole address as it was written
     */
    Place<?> find(NodeAddress node, String localPath, boolean isOneOfMany, String name);
}
