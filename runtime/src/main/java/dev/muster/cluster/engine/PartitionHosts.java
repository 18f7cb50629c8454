package dev.muster.cluster.engine;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.cluster.Partition;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Input;
import dev.muster.core.state.PartitionPath;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The partitions that this node knows, and the instances that run here because the table says so. */
final class PartitionHosts {
    /** An instance that is to start again may have to wait until the one before has let go of its name. */
    private static final long START_AGAIN_NANOS = 20_000_000L;

    private static final int MOST_TRIES = 500;

    private final ClusterNode node;

    // Guarded by this.
    private final Map<PartitionPath, Partition<?>> known = new TreeMap<>();
    /** Those that are to run here; without an actor yet if it could not be started. */
    private final Map<PartitionPath, ActorRef<?>> running = new TreeMap<>();

    PartitionHosts(ClusterNode node) {
        this.node = node;
    }

    /**
     * The name of the actor, alike on all nodes. A slash separates actors, so it is written in another way, and so is
     * the sign by which that is done.
     */
    static String nameOf(PartitionPath path) {
        return "partition-" + path.text().replace("~", "~0").replace("/", "~1");
    }

    synchronized void add(Partition<?> partition) {
        known.put(partition.path(), partition);
        if (isDue(partition.path())) {
            start(partition.path());
        }
    }

    /** Tells a core of all of them; it asks for those that the table does not have. */
    synchronized void wantAll(CoreDriver driver) {
        known.values().forEach(it -> want(driver, it));
    }

    static void want(CoreDriver driver, Partition<?> partition) {
        driver.offer(new Input.CommandGiven(new Command.WantPartition(partition.path(), partition.spec())));
    }

    synchronized void follow(dev.muster.core.state.PartitionEntry row) {
        if (row.isOn(node.self()) && !running.containsKey(row.path())) {
            start(row.path());
        } else if (!row.isOn(node.self())) {
            stop(row.path());
        }
    }

    /** The core says so, on its own thread; what users gave runs on another one. */
    synchronized void start(PartitionPath path) {
        running.putIfAbsent(path, null);
        if (known.containsKey(path)) {
            node.system().defaultDispatcher().execute(() -> startNow(path, 0));
        } else {
            node.log().unknownPartition(path);
        }
    }

    private void startNow(PartitionPath path, int tries) {
        Partition<?> partition;
        synchronized (this) {
            if (!isDue(path)) {
                return;
            }
            partition = known.get(path);
        }
        ActorRef<?> instance = spawned(partition, tries);
        boolean isInVain;
        synchronized (this) {
            isInVain = !isDue(path);
            if (!isInVain) {
                running.put(path, instance);
            }
        }
        if (isInVain && instance != null) {
            node.system().stop(instance);
        }
    }

    private boolean isDue(PartitionPath path) {
        return running.containsKey(path) && running.get(path) == null;
    }

    private <M> ActorRef<M> spawned(Partition<M> partition, int tries) {
        Behavior<M> behavior;
        try {
            behavior = Objects.requireNonNull(partition.behavior().get(), "there is no behavior");
        } catch (RuntimeException failure) {
            node.log().partitionFailed(partition.path(), failure);
            return null;
        }
        try {
            return node.system().spawn(behavior, nameOf(partition.path()));
        } catch (IllegalArgumentException refused) {
            // The one before may not have let go of its name yet.
            if (tries < MOST_TRIES
                    && node.system().lookup(nameOf(partition.path())).isPresent()) {
                node.later(START_AGAIN_NANOS, () -> startNow(partition.path(), tries + 1));
            } else {
                node.log().partitionFailed(partition.path(), refused);
            }
            return null;
        } catch (IllegalStateException stopping) {
            return null; // so is this node
        }
    }

    synchronized void stop(PartitionPath path) {
        ActorRef<?> instance = running.remove(path);
        if (instance != null) {
            node.system().stop(instance);
        }
    }

    /** This node is no member any more, so others may run what ran here. */
    synchronized void stopAll() {
        running.values().stream().filter(Objects::nonNull).forEach(node.system()::stop);
        running.clear();
    }

    /** All actors have ended, and nothing is to run here until a new core says so. */
    synchronized void forgetRunning() {
        running.clear();
    }
}
