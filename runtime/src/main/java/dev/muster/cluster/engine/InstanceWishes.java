package dev.muster.cluster.engine;

import dev.muster.actor.engine.Failures;
import dev.muster.cluster.Partition;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Input;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.environment.Dispatchers;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What this node wants of the partitions that it knows, first of all how many instances.
 *
 * <p>Where the number goes by a function of users, that function is asked where their work may wait, once at a time for
 * each partition: it may fail in any way, or wait for something, and neither may keep the core from its turn. Until it
 * has answered, what was wanted before is still wanted.
 */
final class InstanceWishes {
    private final ClusterNode node;
    private final PartitionHosts hosts;
    private final Map<PartitionPath, Wish> wishes = new ConcurrentSkipListMap<>();

    /** Whether a function of users was ever given, so that nodes which come and go matter. */
    private volatile boolean hasFunctions;

    InstanceWishes(ClusterNode node, PartitionHosts hosts) {
        this.node = node;
        this.hosts = hosts;
    }

    private static final class Wish {
        /** How often it was asked for since somebody last began to count. */
        final AtomicInteger asked = new AtomicInteger();

        volatile CoreDriver driver;
        volatile boolean mustBeSaid;
        /** Null before the first time. */
        volatile PartitionSpec wanted;
        /** What was last wrong with the function, so that it is said once. */
        volatile String failure;
    }

    /** Tells a core of a partition; it asks for it if the table does not have it, or otherwise. */
    void say(CoreDriver driver, Partition<?> partition) {
        Wish wish = wishOf(partition.path());
        wish.driver = driver;
        wish.mustBeSaid = true;
        if (partition.toleratedFailures().isEmpty()) {
            settle(partition, wish, partition.spec());
        } else {
            hasFunctions = true;
            countLater(partition.path(), wish);
        }
    }

    /** Nodes have come or gone: where the number of instances goes by that, another one may be wanted now. */
    void followMembers(CoreDriver driver) {
        if (!hasFunctions) {
            return;
        }
        runUsers(() -> hosts.wanted()
                .filter(it -> it.toleratedFailures().isPresent())
                .forEach(it -> {
                    Wish wish = wishOf(it.path());
                    wish.driver = driver;
                    countLater(it.path(), wish);
                }));
    }

    private Wish wishOf(PartitionPath path) {
        return wishes.computeIfAbsent(path, it -> new Wish());
    }

    /** It is not wanted any more. */
    void forget(PartitionPath path) {
        wishes.remove(path);
    }

    private void countLater(PartitionPath path, Wish wish) {
        if (wish.asked.getAndIncrement() == 0) {
            runUsers(() -> countUntilNobodyAsks(path, wish));
        }
    }

    private void runUsers(Runnable task) {
        try {
            node.system()
                    .environment()
                    .dispatchers()
                    .named(Dispatchers.BLOCKING)
                    .execute(task);
        } catch (RejectedExecutionException systemHasEnded) {
            // Nobody is left who could want it.
        }
    }

    private void countUntilNobodyAsks(PartitionPath path, Wish wish) {
        int seen;
        do {
            seen = wish.asked.get();
            Partition<?> partition = hosts.find(path);
            if (partition != null) {
                count(partition, wish);
            }
        } while (!wish.asked.compareAndSet(seen, 0));
    }

    private void count(Partition<?> partition, Wish wish) {
        ClusterSnapshot now = wish.driver.snapshot();
        if (now.state().members().isEmpty()) {
            return; // nobody knows how many nodes there are; it is wanted once that is known
        }
        int nodes = (int)
                now.state().members().stream().filter(partition.spec()::fits).count();
        PartitionSpec wanted;
        try {
            wanted = partition.specFor(nodes);
            wish.failure = null;
        } catch (Throwable wrong) {
            if (Failures.isFatal(wrong)) {
                node.system().environment().fatal().accept(wrong);
            }
            reportOnce(partition.path(), wish, nodes, wrong);
            wanted = lastWanted(partition, wish, now);
        }
        settle(partition, wish, wanted);
    }

    /** Whoever ends the partition meanwhile has the last word. */
    private void settle(Partition<?> partition, Wish wish, PartitionSpec wanted) {
        hosts.ifWanted(partition, () -> {
            if (wish.mustBeSaid || !wanted.equals(wish.wanted)) {
                wish.mustBeSaid = false;
                wish.wanted = wanted;
                wish.driver.offer(new Input.CommandGiven(new Command.WantPartition(partition.path(), wanted)));
            }
        });
    }

    /** What this node wanted, or others did: fewer would outlive less than before. */
    private static PartitionSpec lastWanted(Partition<?> partition, Wish wish, ClusterSnapshot now) {
        PartitionSpec before = wish.wanted;
        return before != null
                ? before
                : now.partitions()
                        .find(partition.path())
                        .map(PartitionEntry::spec)
                        .orElse(partition.spec());
    }

    /** Members come and go all the time, and what is wrong with a function is mostly the same. */
    private void reportOnce(PartitionPath path, Wish wish, int nodes, Throwable wrong) {
        String failure = nodes + " nodes: " + wrong;
        if (!failure.equals(wish.failure)) {
            wish.failure = failure;
            node.log().cannotTolerate(path, nodes, wish.wanted, wrong);
        }
    }
}
