package dev.muster.cluster.engine;

import dev.muster.actor.engine.Failures;
import dev.muster.cluster.Routing;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Asks what users have written about where the messages of one partition go, before the choice is made and without the
 * lock of its post. That may fail, and a message has to go somewhere all the same: then one instance after the other
 * gets them, and the log says so once.
 */
final class RoutingFunctions {
    private final PartitionPath path;
    private final ClusterLog log;
    private final AtomicBoolean hasComplained = new AtomicBoolean();

    RoutingFunctions(PartitionPath path, ClusterLog log) {
        this.path = path;
        this.log = log;
    }

    /** A routing that knows what each host carries, where that decides, and asks nobody any more. */
    Routing<?> withLoads(Routing<?> routing, Supplier<List<NodeId>> hosts) {
        if (!(routing instanceof Routing.LeastLoaded<?> least) || least.load() == null) {
            return routing;
        }
        Map<NodeId, Long> carried = new HashMap<>();
        try {
            hosts.get().forEach(host -> carried.put(host, least.load().applyAsLong(host)));
        } catch (Throwable failure) {
            onFailure("leastLoaded", failure);
            return Routing.roundRobin();
        }
        return Routing.leastLoaded(host -> carried.getOrDefault(host, Long.MAX_VALUE));
    }

    /** The hash of the key, for a routing that goes by one; null if there is none. */
    @SuppressWarnings("unchecked") // whoever sends to a partition sends what its users say it understands
    Object keyOf(Routing<?> routing, Object message) {
        if (!(routing instanceof Routing.ConsistentHash<?> byKey)) {
            return null;
        }
        try {
            Object key = ((Routing.ConsistentHash<Object>) byKey).key().apply(message);
            if (key != null) {
                return key.hashCode();
            }
            complain("consistentHash", "gave no key for a " + message.getClass().getName());
        } catch (Throwable failure) {
            onFailure("consistentHash", failure);
        }
        return null;
    }

    private void onFailure(String routing, Throwable failure) {
        if (Failures.isFatal(failure)) {
            throw (VirtualMachineError) failure;
        }
        complain(routing, "failed: " + failure);
    }

    private void complain(String routing, String problem) {
        if (hasComplained.compareAndSet(false, true)) {
            log.cannotRoute(path, routing, problem);
        }
    }
}
