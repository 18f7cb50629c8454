package dev.muster.examples;

import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.HandingOver;
import dev.muster.cluster.Cluster;
import dev.muster.cluster.LocalCluster;
import dev.muster.cluster.Partition;
import dev.muster.core.state.NodeAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** A singleton with a state: it gives each number once, although it moves from node to node meanwhile. */
public final class SeatNumbers {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private SeatNumbers() {}

    /** Asks for the next number. */
    record Take() {}

    /** What an instance leaves to the next one. */
    record Given(long last) {}

    static Behavior<Take> counting(long last) {
        return Behaviors.receive(Take.class)
                .on(Take.class, (ctx, take) -> {
                    ctx.reply(last + 1);
                    return counting(last + 1);
                })
                .onSignal(HandingOver.class, (ctx, handing) -> {
                    handing.state(new Given(last));
                    return Behaviors.same();
                })
                .build();
    }

    static Partition<Take> numbers() {
        return Partition.<Take, Given>singleton(
                        "theatre/numbers",
                        Given.class,
                        left -> counting(left.map(Given::last).orElse(0L)))
                .messages(Take.class);
    }

    // --- Taking

    /** Takes 100 numbers on each node and waits for none of them. */
    private static List<CompletableFuture<Long>> take(Collection<ActorRef<Take>> nodes) {
        List<CompletableFuture<Long>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            nodes.forEach(numbers -> answers.add(numbers.ask(new Take(), Long.class, PATIENCE)));
        }
        return answers;
    }

    private static List<Long> all(List<CompletableFuture<Long>> answers) {
        return answers.stream().map(CompletableFuture::join).toList();
    }

    /** Takes numbers from before something begins until after its end. */
    private static List<Long> takeDuring(Supplier<CompletableFuture<Void>> event, Collection<ActorRef<Take>> nodes) {
        List<CompletableFuture<Long>> before = take(nodes);
        CompletableFuture<Void> end = event.get();
        List<Long> taken = new ArrayList<>();
        do {
            // One round after the other: what waits while a partition moves has its limits.
            taken.addAll(all(take(nodes)));
        } while (!end.isDone());
        end.join();
        taken.addAll(all(before));
        return taken;
    }

    // --- Looking

    /** Whether this node knows that the numbers are given there. */
    private static boolean knows(LocalCluster.Node node, LocalCluster.Node host) {
        return node.cluster()
                .snapshot()
                .partitions()
                .find(numbers().path())
                .filter(row -> row.isOn(host.cluster().self()))
                .isPresent();
    }

    private static boolean allKnow(LocalCluster cluster, LocalCluster.Node host) {
        return cluster.nodes().stream().allMatch(node -> knows(node, host));
    }

    private static CompletableFuture<Void> move(LocalCluster cluster, LocalCluster.Node to) {
        return to.cluster().migrate(numbers().path(), to.address()).thenAcceptAsync(begun -> {
            if (!begun.done()) {
                throw new IllegalStateException(begun.detail());
            }
            cluster.await("the move", PATIENCE, () -> allKnow(cluster, to));
        });
    }

    // --- The program

    public static void main(String[] args) {
        Map<NodeAddress, ActorRef<Take>> refs = new ConcurrentHashMap<>();
        try (LocalCluster cluster = LocalCluster.start("theatre", 3, ConfigFactory.load(), system -> {
            Cluster node = Cluster.get(system);
            refs.put(node.selfAddress(), node.host(numbers()));
        })) {
            cluster.awaitUp(PATIENCE);
            cluster.await(
                    "a host that all know",
                    PATIENCE,
                    () -> cluster.nodes().stream().anyMatch(host -> allKnow(cluster, host)));
            List<Long> taken = new ArrayList<>(all(take(refs.values())));
            System.out.println("3 nodes took " + taken.size() + " numbers");

            LocalCluster.Node next = cluster.nodes().stream()
                    .filter(node -> !knows(node, node))
                    .findFirst()
                    .orElseThrow();
            taken.addAll(takeDuring(() -> move(cluster, next), refs.values()));
            System.out.println("the singleton moved, and 3 nodes went on taking numbers");

            refs.remove(next.address());
            taken.addAll(takeDuring(next::leave, refs.values()));
            System.out.println("its host left, and 2 nodes went on taking numbers");

            List<Long> oneByOne =
                    LongStream.rangeClosed(1, taken.size()).boxed().toList();
            boolean isWhole = taken.stream().sorted().toList().equals(oneByOne);
            System.out.println("no number is missing, and none was given twice: " + isWhole);
        }
    }
}
