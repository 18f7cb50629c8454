package dev.muster.node;

import dev.muster.cluster.Cluster;
import java.util.Collections;
import java.util.SortedMap;
import java.util.concurrent.CompletionStage;

/** Starts nodes in this process. The only door between the command line and the runtime. */
public interface NodeLauncher {

    /**
     * Starts a node, which begins to join at once.
     *
     * @throws RuntimeException if it could not be started; a taken port shows as {@link java.net.BindException} among
     *     the causes, a bad setting as {@link IllegalArgumentException} or a {@code ConfigException}
     */
    RunningNode start(NodeOptions options);

    /** A node that was started. */
    interface RunningNode {

        Cluster cluster();

        /** What the application in this node counts, by name. */
        default SortedMap<String, Long> figures() {
            return Collections.emptySortedMap();
        }

        /**
         * Leaves the cluster in good order, then stops everything. Returns when that is done, or has taken too long.
         * May be called again, also after the node has stopped by itself.
         */
        void leaveAndStop();

        /**
         * Completed when the node has stopped: normally if it left, exceptionally if its membership was ended by
         * somebody else, with the reason as the message.
         */
        CompletionStage<Void> whenStopped();
    }
}
