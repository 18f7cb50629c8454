package dev.muster.cluster.engine;

import dev.muster.cluster.Partition;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Input;
import dev.muster.core.state.PartitionPath;
import dev.muster.serialization.MissingSerializerException;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** The partitions that this node knows: what it can host, over all its incarnations. */
final class PartitionHosts {
    /** Below this, paths belong to partitions. */
    static final String PREFIX = "/user/partition-";

    private final ClusterNode node;
    private final Map<PartitionPath, Partition<?>> known = new ConcurrentSkipListMap<>();
    private final AtomicLong started = new AtomicLong();

    PartitionHosts(ClusterNode node) {
        this.node = node;
    }

    /**
     * The name of the partition among actors, alike on all nodes. A slash separates actors, so it is written in another
     * way, and so is the sign by which that is done.
     */
    static String nameOf(PartitionPath path) {
        return "partition-" + escaped(path);
    }

    private static String escaped(PartitionPath path) {
        return path.text().replace("~", "~0").replace("/", "~1");
    }

    /** The other way round; null if it is the path of no partition. */
    static PartitionPath pathOf(String localPath) {
        if (!localPath.startsWith(PREFIX)) {
            return null;
        }
        try {
            PartitionPath path = new PartitionPath(
                    localPath.substring(PREFIX.length()).replace("~1", "/").replace("~0", "~"));
            return localPath.equals("/user/" + nameOf(path)) ? path : null;
        } catch (IllegalArgumentException noPath) {
            return null;
        }
    }

    /** The name of one instance: one that ends may still have its name when the next one begins. */
    String newInstanceName(PartitionPath path) {
        return "instance-" + escaped(path) + "~2" + started.incrementAndGet();
    }

    /** Null if this node does not know it. */
    Partition<?> find(PartitionPath path) {
        return known.get(path);
    }

    /** @throws IllegalArgumentException if its state cannot travel */
    void add(Partition<?> partition) {
        partition.messageType().ifPresent(node.messages()::learn);
        partition.stateType().ifPresent(type -> requireTravelling(partition.path(), type));
        known.put(partition.path(), partition);
    }

    private void requireTravelling(PartitionPath path, Class<?> type) {
        node.messages().learn(type);
        try {
            node.messages().present().require(type);
        } catch (MissingSerializerException cannotTravel) {
            throw new IllegalArgumentException(
                    "the state of the partition " + path + " could not move to another node: "
                            + cannotTravel.getMessage(),
                    cannotTravel);
        }
    }

    /** Tells a core of all of them; it asks for those that the table does not have. */
    void wantAll(CoreDriver driver) {
        known.values().forEach(it -> want(driver, it));
    }

    static void want(CoreDriver driver, Partition<?> partition) {
        driver.offer(new Input.CommandGiven(new Command.WantPartition(partition.path(), partition.spec())));
    }
}
