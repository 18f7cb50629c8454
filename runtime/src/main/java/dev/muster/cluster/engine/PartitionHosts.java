package dev.muster.cluster.engine;

import dev.muster.cluster.Partition;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.serialization.MissingSerializerException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** The partitions that this node knows: what it can host, over all its incarnations. */
final class PartitionHosts {
    /** Below this, paths belong to partitions. */
    static final String PREFIX = "/user/partition-";

    private final ClusterNode node;
    private final ConcurrentSkipListMap<PartitionPath, Partition<?>> known = new ConcurrentSkipListMap<>();
    /** Those that it asks for. The others somebody has ended: this node could host them, that is all. */
    private final ConcurrentSkipListSet<PartitionPath> wanted = new ConcurrentSkipListSet<>();
    /** Those that somebody has ended since they were hosted here. Whatever is hosted next takes their place. */
    private final Set<PartitionPath> ended = new ConcurrentSkipListSet<>();
    /** Those that the table has, as this incarnation of the node has heard. */
    private final Map<PartitionPath, PartitionSpec> running = new ConcurrentSkipListMap<>();

    private final InstanceWishes wishes;
    private final AtomicLong started = new AtomicLong();
    private final AtomicBoolean hosts = new AtomicBoolean();

    PartitionHosts(ClusterNode node) {
        this.node = node;
        this.wishes = new InstanceWishes(node, this);
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

    /** True once: when this node learns that it is going to host at all. */
    boolean isFirstToHost() {
        return hosts.compareAndSet(false, true);
    }

    /** Null if this node does not know it. */
    Partition<?> find(PartitionPath path) {
        Partition<?> partition = known.get(path);
        return partition == null || hasBecomeAnother(partition) ? null : partition;
    }

    /** Whether it was ended, and somebody has hosted something else under its path. What is known here is of no use. */
    private boolean hasBecomeAnother(Partition<?> partition) {
        PartitionSpec now = running.get(partition.path());
        PartitionSpec then = partition.spec();
        return ended.contains(partition.path())
                && now != null
                && !(now.policy().equals(then.policy())
                        && now.role().equals(then.role())
                        && (now.most() == 1 || !partition.isSingleton()));
    }

    /**
     * Returns whether it takes the place of one that had been ended: what runs of that is to begin anew.
     *
     * @throws IllegalArgumentException if its state cannot travel, or if it does not go with another one
     */
    boolean add(Partition<?> partition) {
        // To look at classes of users takes its time, and may run their code: not with a lock that the core takes.
        partition.messageType().ifPresent(node.messages()::learn);
        partition.stateType().ifPresent(type -> requireTravelling(partition.path(), type));
        synchronized (this) {
            requireBesideOthers(partition.path());
            requireAsBefore(partition);
            known.put(partition.path(), partition);
            wanted.add(partition.path());
            return ended.remove(partition.path());
        }
    }

    private void requireBesideOthers(PartitionPath path) {
        path.overlapsAmong(wanted).stream().findFirst().ifPresent(other -> {
            throw new IllegalArgumentException("the partition " + path + " cannot be hosted, for this node knows the "
                    + "partition " + other + ", and partitions do not lie inside each other; choose a path beside it");
        });
    }

    /** A node that rejoins says everything again. But two that differ would take turns in changing the table. */
    private void requireAsBefore(Partition<?> partition) {
        Partition<?> before = ended.contains(partition.path()) ? null : known.get(partition.path());
        if (before != null && !settingsOf(before).equals(settingsOf(partition))) {
            throw new IllegalArgumentException("the partition " + partition.path() + " is hosted here already, with "
                    + settingsOf(before) + ", and cannot be with " + settingsOf(partition)
                    + " too; host it once, or call Cluster.end first");
        }
    }

    /** What must stay as it is. How many instances are wanted, and what is expected, may change. */
    private static List<Object> settingsOf(Partition<?> partition) {
        return List.of(
                "policy " + partition.spec().policy(),
                "role "
                        + (partition.spec().role().isEmpty()
                                ? "any"
                                : partition.spec().role()),
                "state " + partition.stateType().map(Class::getName).orElse("none"),
                "messages " + partition.messageType().map(Class::getName).orElse("any"));
    }

    /**
     * Whoever sees a partition end does not ask for it again, and does so when it sees it back, as it was. A row of one
     * that ended before this node knew of it says nothing: it may be asked for just now.
     */
    synchronized void follow(PartitionEntry row) {
        if (row.isDeleted()) {
            if (running.remove(row.path()) != null) {
                onEnded(row.path());
            }
        } else if (running.put(row.path(), row.spec()) == null) {
            wantIfKnown(row.path());
        } else if (find(row.path()) == null) {
            forgetWish(row.path());
        }
    }

    /**
     * Another incarnation begins, which has heard of nothing. What ended while this node was away is not what it is
     * about to host.
     */
    synchronized void forgetTable() {
        running.clear();
    }

    /** Somebody ends it: it is not asked for again, unless it is hosted anew. */
    synchronized void onEnded(PartitionPath path) {
        if (known.containsKey(path)) {
            ended.add(path);
        }
        forgetWish(path);
    }

    private void forgetWish(PartitionPath path) {
        wanted.remove(path);
        wishes.forget(path);
    }

    boolean isWanted(PartitionPath path) {
        return wanted.contains(path);
    }

    /** It could not be ended after all. */
    synchronized void onNotEnded(PartitionPath path) {
        ended.remove(path);
        wantIfKnown(path);
    }

    private void wantIfKnown(PartitionPath path) {
        if (find(path) != null && path.overlapsAmong(wanted).isEmpty()) {
            wanted.add(path);
        }
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

    /**
     * Tells a new incarnation of all of them: what others send it by a table that it does not have yet waits then, and
     * its core asks for those that the table does not have.
     */
    void tell(Incarnation incarnation) {
        known.keySet().forEach(path -> incarnation.partitions().onKnown(path, false));
        wanted().forEach(it -> want(incarnation.driver(), it));
    }

    Stream<Partition<?>> wanted() {
        return known.values().stream().filter(it -> isWanted(it.path()));
    }

    void want(CoreDriver driver, Partition<?> partition) {
        wishes.say(driver, partition);
    }

    /** Nodes have come or gone. */
    void followMembers(CoreDriver driver) {
        wishes.followMembers(driver);
    }

    /** Does something, which must not wait, unless somebody has ended the partition or hosted it in another way. */
    synchronized void ifWanted(Partition<?> partition, Runnable something) {
        if (known.get(partition.path()) == partition && isWanted(partition.path())) {
            something.run();
        }
    }
}
