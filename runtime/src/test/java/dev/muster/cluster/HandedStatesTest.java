package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.HandingOver;
import dev.muster.cluster.VirtualCluster.Node;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What singletons know when they have moved, or could not. */
class HandedStatesTest {
    private static final PartitionPath PATH = new PartitionPath("memory");

    sealed interface Question permits Learn, Known, Tick {}

    record Learn(int number) implements Question {}

    record Known() implements Question {}

    record Tick() implements Question {}

    record Memory(List<Integer> numbers) {}

    private final Map<Integer, ActorRef<Question>> refs = new HashMap<>();
    /** For each instance, the node, what it began with, and what it ticked. */
    private final List<int[]> instances = new ArrayList<>();

    private VirtualCluster cluster;
    private int atStart;
    private boolean cannotHandOver;
    private boolean ticks;
    private Runnable whenBegun = () -> {};

    private void begin() {
        cluster = new VirtualCluster(
                3,
                3,
                "muster.cluster.partitions.handoff.migration-timeout = 1s",
                node -> refs.put(node.port, host(node)));
        cluster.awaitUp();
        cluster.await(
                "it runs", () -> row().filter(it -> !it.instances().isEmpty()).isPresent());
        cluster.pass(2_000);
    }

    private ActorRef<Question> host(Node node) {
        return node.cluster.host(Partition.singleton(PATH.text(), Memory.class, left -> remembering(node, left))
                .messages(Question.class));
    }

    private Behavior<Question> remembering(Node node, Optional<Memory> left) {
        return Behaviors.withTimers(timers -> {
            List<Integer> numbers = new ArrayList<>(left.map(Memory::numbers)
                    .orElseGet(() -> IntStream.range(0, atStart).boxed().toList()));
            int[] instance = {node.port, numbers.size(), 0};
            instances.add(instance);
            if (ticks) {
                timers.startAtFixedRate("tick", new Tick(), Duration.ofMillis(10));
            }
            whenBegun.run();
            return Behaviors.receive(Question.class)
                    .on(Learn.class, (context, learn) -> {
                        numbers.add(learn.number());
                        return Behaviors.same();
                    })
                    .on(Tick.class, (context, tick) -> {
                        numbers.add(0);
                        instance[2]++;
                        return Behaviors.same();
                    })
                    .on(Known.class, (context, known) -> {
                        context.reply(numbers.size());
                        return Behaviors.same();
                    })
                    .onSignal(HandingOver.class, (context, handingOver) -> {
                        if (cannotHandOver) {
                            throw new IllegalStateException("not now");
                        }
                        handingOver.state(new Memory(List.copyOf(numbers)));
                        return Behaviors.same();
                    })
                    .build();
        });
    }

    private Optional<PartitionEntry> row() {
        return cluster.node(0).cluster.snapshot().partitions().find(PATH);
    }

    private Node host() {
        NodeId host = row().orElseThrow().instances().get(0);
        return cluster.nodes().stream()
                .filter(node -> node.cluster.self().equals(host))
                .findFirst()
                .orElseThrow();
    }

    private Node another() {
        Node host = host();
        return cluster.nodes().stream()
                .filter(node -> node != host && node != cluster.node(0))
                .findFirst()
                .orElseThrow();
    }

    private void migrate(Node to) {
        var outcome = cluster.node(0).cluster.migrate(PATH, to.address());
        cluster.await("it is said what becomes of it", outcome::isDone);
        cluster.await(
                "it begins", () -> row().filter(it -> it.move().isPresent()).isPresent());
    }

    private void awaitSettled() {
        cluster.await(
                "nothing moves",
                () -> cluster.nodes().stream()
                                .allMatch(node -> node.cluster.moves().isEmpty())
                        && row().flatMap(PartitionEntry::pending).isEmpty());
    }

    private int known() {
        var answer = refs.get(cluster.node(0).port).ask(new Known(), Integer.class);
        cluster.await("it answers", answer::isDone);
        return answer.join();
    }

    private List<String> explain(Node node) {
        var answer = node.cluster.explain(new Cluster.Question.Partition(PATH));
        cluster.await("it answers", answer::isDone);
        return answer.join();
    }

    @Test
    void aStateMayHaveMoreElementsThanAMessage() {
        atStart = 600_000;
        begin();
        Node to = another();
        migrate(to);
        awaitSettled();
        assertThat(host()).isSameAs(to);
        assertThat(known()).isEqualTo(600_000);
    }

    @Test
    void whoFailsToHandOverStaysAndKeepsWhatItKnows() {
        atStart = 10;
        cannotHandOver = true;
        begin();
        Node before = host();
        migrate(another());
        refs.get(cluster.node(0).port).tell(new Learn(1));
        awaitSettled();
        assertThat(host()).isSameAs(before);
        assertThat(known()).isEqualTo(11);
        assertThat(explain(before))
                .anyMatch(it ->
                        it.startsWith("it could not be handed over from here, so it goes on: not now; that was "));
        cannotHandOver = false;
        cluster.pass(10_000);
        Node to = another();
        migrate(to);
        awaitSettled();
        assertThat(host()).isSameAs(to);
        assertThat(known()).isEqualTo(11);
    }

    /** The new one has begun, and then nobody hears of it until the move is called off. */
    @Test
    void nobodyDoesAnythingBeforeItsTurn() {
        ticks = true;
        begin();
        Node to = another();
        whenBegun = () -> cluster.network.cutOff(to.port);
        migrate(to);
        cluster.await(
                "the move is called off",
                () -> row().flatMap(PartitionEntry::pending).isEmpty());
        whenBegun = () -> {};
        cluster.network.join();
        awaitSettled();
        cluster.pass(1_000);
        assertThat(instances).hasSize(3);
        assertThat(instances.get(1)[0]).isEqualTo(to.port);
        assertThat(instances.get(1)[2])
                .as("ticks of the one that never had its turn")
                .isZero();
        assertThat(instances.get(2)[1]).isEqualTo(instances.get(0)[2]);
        assertThat(instances.get(2)[2]).isPositive();
    }
}
