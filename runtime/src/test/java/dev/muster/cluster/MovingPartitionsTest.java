package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.HandingOver;
import dev.muster.cluster.VirtualCluster.Node;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Partitions that move from node to node while others send to them, in virtual time and many orders. */
class MovingPartitionsTest {
    private static final int SEEDS = Integer.getInteger("muster.test.seeds", 5);
    private static final PartitionPath PATH = new PartitionPath("books/ledger");

    /** What the partition understands. */
    sealed interface Entry permits Booked, Filler {}

    record Booked(String sender, long number) implements Entry {}

    record Filler(String text) implements Entry {}

    /** What it knows: the last number of each sender, and how many there were. */
    record Ledger(Map<String, Long> last, long count, String ballast) {}

    @Test
    void aSingletonMovesWithItsStateAndNothingIsLostReorderedOrDoubled() {
        forEachSeed(seed -> {
            Story story = new Story(seed, HandoffPolicy.singleton(), "");
            story.begin();
            for (int move = 0; move < 3; move++) {
                story.sendFor(200);
                story.migrate();
                story.sendFor(200);
                story.awaitSettled();
            }
            story.end();
            story.assertAllInOrder();
            assertThat(story.hosts).hasSizeGreaterThan(1);
        });
    }

    private static void forEachSeed(Consumer<Long> story) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                story.accept(seed);
            } catch (Throwable failure) {
                throw new AssertionError("with seed " + seed + ": " + failure.getMessage(), failure);
            }
        }
    }

    /** Three nodes that send numbered messages to one partition, and what becomes of them. */
    private static final class Story {
        final VirtualCluster cluster;
        final SplittableRandom random;
        final Map<Integer, ActorRef<Entry>> refs = new HashMap<>();
        final Map<String, Long> sent = new TreeMap<>();
        final Map<String, List<Long>> handled = new TreeMap<>();
        final List<DeadLetter> deadLetters = new ArrayList<>();
        final List<String> wrong = new ArrayList<>();
        final Set<Integer> hosts = new HashSet<>();
        final HandoffPolicy policy;
        final String ballast;
        List<Node> senders;

        Story(long seed, HandoffPolicy policy, String ballast) {
            this.random = new SplittableRandom(seed);
            this.policy = policy;
            this.ballast = ballast;
            this.cluster = new VirtualCluster(seed, 3, "", this::setUp);
            this.senders = List.copyOf(cluster.nodes());
        }

        void setUp(Node node) {
            Partition<Entry> partition = policy.migration() == HandoffPolicy.Migration.FORWARD
                    ? Partition.at(PATH.text(), Ledger.class, left -> ledger(node, left))
                    : Partition.at(PATH.text(), () -> ledger(node, Optional.<Ledger>empty()));
            refs.put(node.port, node.cluster.host(partition.handoff(policy).messages(Entry.class)));
            ActorRef<DeadLetter> listener = node.system.spawn(Behaviors.receive(DeadLetter.class, (context, letter) -> {
                if (letter.message() instanceof Entry) {
                    deadLetters.add(letter);
                }
                return Behaviors.same();
            }));
            node.system.events().subscribe(listener, DeadLetter.class);
        }

        private Behavior<Entry> ledger(Node node, Optional<Ledger> left) {
            Map<String, Long> last = new HashMap<>(left.map(Ledger::last).orElse(Map.of()));
            long[] count = {left.map(Ledger::count).orElse(0L)};
            return Behaviors.receive(Entry.class)
                    .on(Booked.class, (context, booked) -> {
                        hosts.add(node.port);
                        handled.computeIfAbsent(booked.sender(), it -> new ArrayList<>())
                                .add(booked.number());
                        last.put(booked.sender(), booked.number());
                        count[0]++;
                        return Behaviors.same();
                    })
                    .on(Filler.class, (context, filler) -> Behaviors.same())
                    .onSignal(HandingOver.class, (context, handing) -> {
                        handing.state(new Ledger(Map.copyOf(last), count[0], ballast));
                        assertState(last, count[0]);
                        return Behaviors.same();
                    })
                    .build();
        }

        /** Whoever hands over knows of all that was ever handled. */
        private void assertState(Map<String, Long> last, long count) {
            long all = handled.values().stream().mapToLong(List::size).sum();
            if (count != all) {
                wrong.add("state counts " + count + " of " + all + " with " + last);
            }
        }

        void begin() {
            cluster.awaitUp();
            cluster.await(
                    "all have the row",
                    () -> cluster.nodes().stream()
                            .allMatch(node -> row(node)
                                    .filter(it -> !it.instances().isEmpty())
                                    .isPresent()));
            cluster.pass(1_000);
        }

        Optional<PartitionEntry> row(Node node) {
            return node.cluster.snapshot().partitions().find(PATH);
        }

        Node host() {
            NodeId host = row(cluster.node(0)).orElseThrow().instances().get(0);
            return cluster.nodes().stream()
                    .filter(node -> node.cluster.self().equals(host))
                    .findFirst()
                    .orElseThrow();
        }

        void sendFor(int millis) {
            for (int passed = 0; passed < millis; passed += 10) {
                senders.forEach(this::sendSome);
                cluster.pass(10);
            }
        }

        private void sendSome(Node from) {
            for (int i = random.nextInt(4); i > 0; i--) {
                String sender = "at " + from.port;
                refs.get(from.port).tell(new Booked(sender, sent.merge(sender, 1L, Long::sum)));
            }
        }

        void migrate() {
            Node from = host();
            Node to = cluster.nodes().stream()
                    .filter(node -> node != from)
                    .skip(random.nextInt(cluster.nodes().size() - 1))
                    .findFirst()
                    .orElseThrow();
            var outcome = cluster.node(0).cluster.migrate(PATH, to.address());
            cluster.await("it is said what becomes of it", outcome::isDone);
            assertThat(outcome.join().done()).as(outcome.join().detail()).isTrue();
        }

        void awaitSettled() {
            cluster.await(
                    "nothing moves",
                    () -> cluster.nodes().stream()
                            .allMatch(node -> node.cluster.moves().isEmpty()
                                    && row(node)
                                            .filter(it -> it.pending().isPresent())
                                            .isEmpty()));
        }

        void end() {
            awaitSettled();
            cluster.pass(10_000);
        }

        void assertAllInOrder() {
            assertThat(wrong).isEmpty();
            assertThat(deadLetters).isEmpty();
            sent.forEach((sender, count) -> {
                List<Long> all = new ArrayList<>();
                for (long number = 1; number <= count; number++) {
                    all.add(number);
                }
                assertThat(handled.get(sender)).as(sender).isEqualTo(all);
            });
        }
    }
}
