package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.HandingOver;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** A singleton that moves between real nodes, while threads on all of them send to it as fast as it answers. */
class MovingOnRealNodesTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final PartitionPath PATH = new PartitionPath("ledger");
    private static final int BATCHES = 100;
    private static final int BATCH = 50;

    sealed interface Command permits Book, HowMany {}

    record Book(String sender, long number) implements Command {}

    record HowMany() implements Command {}

    /** The last number of each sender, how many there were, and what was wrong with them. */
    record Ledger(Map<String, Long> last, long count, List<String> wrong) {}

    private static Behavior<Command> ledger(Optional<Ledger> left) {
        Map<String, Long> last = new TreeMap<>(left.map(Ledger::last).orElse(Map.of()));
        List<String> wrong = new ArrayList<>(left.map(Ledger::wrong).orElse(List.of()));
        long[] count = {left.map(Ledger::count).orElse(0L)};
        return Behaviors.receive(Command.class)
                .on(Book.class, (context, book) -> {
                    Long before = last.put(book.sender(), book.number());
                    if (book.number() != (before == null ? 0 : before) + 1) {
                        wrong.add(book + " after " + before);
                    }
                    count[0]++;
                    return Behaviors.same();
                })
                .on(HowMany.class, (context, question) -> {
                    context.reply(new Ledger(last, count[0], wrong));
                    return Behaviors.same();
                })
                .onSignal(HandingOver.class, (context, handing) -> {
                    handing.state(new Ledger(last, count[0], wrong));
                    return Behaviors.same();
                })
                .build();
    }

    @Test
    void nothingIsLostReorderedOrDoubled() {
        Map<Integer, ActorRef<Command>> refs = new ConcurrentHashMap<>();
        try (LocalCluster cluster = LocalCluster.start("moving", 3, ConfigFactory.load(), system -> {
            Cluster node = Cluster.get(system);
            refs.put(
                    node.selfAddress().port(),
                    node.host(Partition.at(PATH.text(), Ledger.class, MovingOnRealNodesTest::ledger)
                            .messages(Command.class)));
        })) {
            cluster.awaitUp(SOON);
            cluster.await(
                    "all have the table",
                    SOON,
                    () -> cluster.nodes().stream().allMatch(node -> row(node).isPresent()));
            List<CompletableFuture<Void>> senders = cluster.nodes().stream()
                    .map(node -> CompletableFuture.runAsync(() -> sendAll(
                            refs.get(node.address().port()),
                            "at " + node.address().port())))
                    .toList();
            CompletableFuture<Void> all = CompletableFuture.allOf(senders.toArray(new CompletableFuture<?>[0]));
            int moves = 0;
            while (!all.isDone()) {
                moves += moveOnce(cluster);
            }
            all.join();
            Ledger ledger = refs.get(cluster.node(0).address().port())
                    .ask(new HowMany(), Ledger.class, SOON)
                    .join();
            assertThat(ledger.wrong()).isEmpty();
            assertThat(ledger.count()).isEqualTo(3L * BATCHES * BATCH);
            assertThat(moves).isPositive();
        }
    }

    /** A question after each batch, so that no more is under way than queues hold. */
    private static void sendAll(ActorRef<Command> ref, String sender) {
        for (int batch = 0; batch < BATCHES; batch++) {
            for (int i = 1; i <= BATCH; i++) {
                ref.tell(new Book(sender, (long) batch * BATCH + i));
            }
            assertThat(ref.ask(new HowMany(), Ledger.class, SOON).join().wrong())
                    .isEmpty();
        }
    }

    private static Optional<PartitionEntry> row(LocalCluster.Node node) {
        return node.cluster()
                .snapshot()
                .partitions()
                .find(PATH)
                .filter(it -> !it.instances().isEmpty());
    }

    /** Moves it to the next node, and waits until that is through. */
    private static int moveOnce(LocalCluster cluster) {
        NodeId host = row(cluster.node(0)).orElseThrow().instances().get(0);
        LocalCluster.Node to = cluster.nodes().stream()
                .filter(node -> !node.cluster().self().equals(host))
                .findFirst()
                .orElseThrow();
        boolean begins =
                cluster.node(0).cluster().migrate(PATH, to.address()).join().done();
        if (begins) {
            cluster.await(
                    "it has moved",
                    SOON,
                    () -> cluster.nodes().stream()
                            .allMatch(node -> node.cluster().moves().isEmpty()
                                    && row(node)
                                            .filter(it -> it.isOn(to.cluster().self()))
                                            .isPresent()));
        }
        return begins ? 1 : 0;
    }
}
