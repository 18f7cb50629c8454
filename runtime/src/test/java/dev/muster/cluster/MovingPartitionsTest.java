package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.HandingOver;
import dev.muster.actor.PostStop;
import dev.muster.actor.StashBuffer;
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
    sealed interface Entry permits Booked, Filler, WhoAreYou {}

    record Booked(String sender, long number) implements Entry {}

    record Filler(String text) implements Entry {}

    record WhoAreYou() implements Entry {}

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
            assertThat(story.counted("partitions.handoffs-started")).isEqualTo(3);
            assertThat(story.counted("partitions.handoffs-done")).isEqualTo(3);
            assertThat(story.counted("partitions.handoffs-failed")).isZero();
            assertThat(story.counted("partitions.messages-forwarded")).isPositive();
            assertThat(story.counted("partitions.messages-buffered")).isPositive();
        });
    }

    @Test
    void aSingletonThatMovesOnAtOnceLosesNothingEither() {
        forEachSeed(seed -> {
            Story story = new Story(seed, HandoffPolicy.singleton(), "");
            story.begin();
            for (int move = 0; move < 8; move++) {
                Node to = story.another(story.host());
                story.senders.forEach(story::sendSome);
                story.migrate(to);
                story.senders.forEach(story::sendSome);
                story.cluster.await("it is there", () -> story.host() == to);
            }
            story.sendFor(200);
            story.end();
            story.assertAllInOrder();
        });
    }

    @Test
    void aHostThatLeavesHandsOverBeforeItGoes() {
        forEachSeed(seed -> {
            Story story = new Story(seed, HandoffPolicy.singleton(), "");
            story.begin();
            Node leaving = story.host();
            story.senders = story.cluster.nodes().stream()
                    .filter(node -> node != leaving)
                    .toList();
            story.sendFor(200);
            var ended = leaving.system.terminate();
            story.sendFor(1_000);
            story.cluster.await("it has gone", ended::isDone);
            story.remaining = story.senders;
            story.sendFor(200);
            story.end();
            story.assertAllInOrder();
            assertThat(story.hosts).hasSize(2);
        });
    }

    @Test
    void withoutStateTheOrderOfEachSenderIsKeptWhileTheOldInstanceGoesOn() {
        forEachSeed(seed -> {
            Story story = new Story(seed, HandoffPolicy.ordered(), "");
            story.begin();
            for (int move = 0; move < 3; move++) {
                story.sendFor(100);
                story.migrate();
                story.sendFor(300);
                story.awaitSettled();
            }
            story.end();
            story.assertAllInOrder();
            assertThat(story.hosts).hasSizeGreaterThan(1);
        });
    }

    /** It reads what the instance before has stored, so that one must have ended by then; and nothing is dropped. */
    @Test
    void whatKeepsItsStateElsewhereMovesWithoutLosingAnything() {
        forEachSeed(seed -> {
            Story story = new Story(seed, HandoffPolicy.durable(), "", true);
            story.begin();
            for (int move = 0; move < 3; move++) {
                story.sendFor(100);
                story.migrate();
                story.sendFor(300);
                story.awaitSettled();
            }
            story.end();
            story.assertAllInOrder();
            assertThat(story.hosts).hasSizeGreaterThan(1);
            assertThat(story.counted("partitions.messages-dropped")).isZero();
        });
    }

    @Test
    void whatMayBeLostIsCountedAsADeadLetterOfTheHandoff() {
        int letters = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Story story = new Story(seed, HandoffPolicy.disposable(), "");
            story.begin();
            for (int move = 0; move < 3; move++) {
                story.sendFor(100);
                story.migrate();
                story.sendFor(300);
                story.awaitSettled();
            }
            story.end();
            assertThat(story.deadLetters).allMatch(letter -> letter.reason() == DeadLetter.Reason.HANDOFF);
            long dropped = story.counted("partitions.messages-dropped");
            assertThat(dropped).as("seed %s", seed).isEqualTo(story.deadLetters.size());
            story.assertNoneLostWithoutAWord();
            letters += story.deadLetters.size();
        }
        assertThat(letters).isPositive();
    }

    @Test
    void aStateOfFiveMegabytesArrivesWhole() {
        Story story = new Story(1, HandoffPolicy.singleton(), "0123456789".repeat(500_000));
        story.begin();
        for (int move = 0; move < 2; move++) {
            story.sendFor(50);
            story.migrate();
            story.sendFor(50);
            story.awaitSettled();
        }
        story.end();
        story.assertAllInOrder();
        assertThat(story.hosts).hasSizeGreaterThan(1);
        assertThat(story.ballastsSeen).isEqualTo(2);
    }

    @Test
    void nothingIsLostWhenTheConnectionBetweenTheHostsBreaks() {
        forEachSeed(seed -> {
            Story story = new Story(seed, HandoffPolicy.singleton(), "0123456789".repeat(20_000));
            story.begin();
            int resets = 0;
            for (int move = 0; move < 3; move++) {
                Node from = story.host();
                Node to = story.another(from);
                // What the two send to each other directly would be lost by right.
                story.senders = story.cluster.nodes().stream()
                        .filter(node -> node != from && node != to)
                        .toList();
                story.sendFor(100);
                story.migrate(to);
                for (int i = 0; i < 20; i++) {
                    story.sendFor(20);
                    story.cluster.network.resetBetween(from.port, to.port);
                }
                story.sendFor(200);
                story.awaitSettled();
            }
            resets += story.cluster.network.resets();
            story.end();
            story.assertAllInOrder();
            assertThat(resets).isPositive();
            assertThat(story.hosts).hasSizeGreaterThan(1);
        });
    }

    @Test
    void whateverBreaksNothingComesTwiceOrOutOfOrder() {
        forEachSeed(seed -> {
            Story story = new Story(seed, HandoffPolicy.singleton(), "");
            story.begin();
            for (int move = 0; move < 3; move++) {
                story.sendFor(100);
                story.migrate();
                for (int i = 0; i < 20; i++) {
                    story.sendFor(20);
                    story.cluster.network.resetOne();
                }
                story.sendFor(200);
                story.awaitSettled();
            }
            story.end();
            assertThat(story.wrong).isEmpty();
            story.handled.forEach((sender, numbers) ->
                    assertThat(numbers).as(sender).isSorted().doesNotHaveDuplicates());
            assertThat(story.handledInAll()).isGreaterThan(100);
        });
    }

    @Test
    void anActorWithChildrenAndAStashHandsOverAllThatItHasNotHandled() {
        forEachSeed(seed -> {
            Story story = new Story(seed, HandoffPolicy.singleton(), "");
            story.putsAside = true;
            story.begin();
            for (int move = 0; move < 3; move++) {
                story.sendFor(100);
                story.migrate();
                story.sendFor(200);
                story.awaitSettled();
            }
            story.end();
            story.putsAside = false;
            story.senders.forEach(node -> story.refs.get(node.port).tell(new Filler("open")));
            story.end();
            story.assertAllInOrder();
            assertThat(story.hosts).hasSizeGreaterThanOrEqualTo(1);
            assertThat(story.childrenEnded).isPositive();
        });
    }

    @Test
    void aRefThatAnInstanceGaveAwayFollowsThePartition() {
        forEachSeed(seed -> {
            Story story = new Story(seed, HandoffPolicy.singleton(), "");
            story.begin();
            Node asking = story.another(story.host());
            var self = story.refs.get(asking.port).ask(new WhoAreYou(), ActorRef.class);
            story.cluster.await("it says who it is", self::isDone);
            @SuppressWarnings("unchecked")
            ActorRef<Entry> given = self.join();
            Node before = story.host();
            story.migrate();
            story.awaitSettled();
            assertThat(story.host()).isNotSameAs(before);
            given.tell(new Booked("by the old address", 1));
            story.sent.put("by the old address", 1L);
            story.end();
            story.assertAllInOrder();
        });
    }

    @Test
    void moreThanAFrameHoldsIsADeadLetterAndHoldsNothingUp() {
        forEachSeed(seed -> {
            Story story = new Story(seed, HandoffPolicy.singleton(), "");
            story.begin();
            Node host = story.host();
            story.sendFor(50);
            story.migrate();
            // On the host itself it needs no frame, until it has to go with the partition.
            for (int i = 0; i < 3; i++) {
                story.refs.get(host.port).tell(new Filler("x".repeat(300_000)));
                story.sendFor(10);
            }
            story.awaitSettled();
            story.sendFor(100);
            story.end();
            assertThat(story.deadLetters)
                    .isNotEmpty()
                    .allMatch(letter ->
                            letter.reason() == DeadLetter.Reason.NOT_SENT && letter.message() instanceof Filler);
            story.deadLetters.clear();
            story.assertAllInOrder();
        });
    }

    @Test
    void aHostThatCannotBeSureToBeAMemberDoesNothingUntilItIs() {
        forEachSeed(seed -> {
            Story story = new Story(seed, HandoffPolicy.singleton(), "");
            story.begin();
            Node host = story.host();
            story.senders = List.of(host);
            story.sendFor(100);
            long before = story.handledInAll();
            assertThat(before).isPositive();
            story.cluster.network.cutOff(host.port);
            story.cluster.await(
                    "it misses the others",
                    () -> host.cluster.snapshot().state().unreachable().size() == 2);
            story.cluster.pass(1_100); // in doubt for a second, it goes on
            long inDoubt = story.handledInAll();
            story.sendFor(1_000);
            assertThat(story.handledInAll()).isEqualTo(inDoubt);
            story.cluster.network.join();
            story.cluster.await(
                    "it has found them again",
                    () -> host.cluster.snapshot().state().unreachable().isEmpty());
            story.end();
            story.assertAllInOrder();
        });
    }

    @Test
    void aNodeThatBeginsAnewHostsAndSendsAsBefore() {
        forEachSeed(seed -> {
            Story story = new Story(seed, HandoffPolicy.singleton(), "");
            story.begin();
            Node host = story.host();
            NodeId former = host.cluster.self();
            var outcome = story.another(host).cluster.down(host.address());
            story.cluster.await("it begins anew", () -> !host.cluster.self().equals(former));
            story.cluster.awaitUp();
            story.awaitRows();
            story.cluster.pass(5_000);
            assertThat(outcome).isDone();
            story.deadLetters.clear();
            story.sendFor(100);
            if (story.host() != host) {
                story.migrate(host);
            }
            story.sendFor(100);
            story.end();
            assertThat(story.host()).isSameAs(host);
            assertThat(story.counted("partitions.handoffs-failed")).isZero();
            story.assertAllInOrder();
        });
    }

    @Test
    void severalInstancesGetTheirMessagesAsTheRoutingSays() {
        List<String> got = new ArrayList<>();
        Map<Integer, ActorRef<Filler>> all = new HashMap<>();
        Map<Integer, ActorRef<Filler>> byText = new HashMap<>();
        VirtualCluster cluster = new VirtualCluster(1, 3, "", node -> {
            Partition<Filler> partition = Partition.at(
                    "all",
                    () -> Behaviors.receive(Filler.class, (c, filler) -> {
                        got.add(filler.text() + " at " + node.port);
                        return Behaviors.same();
                    }));
            Partition<Filler> other = Partition.at(
                    "some",
                    () -> Behaviors.receive(Filler.class, (c, filler) -> {
                        got.add(filler.text() + " at " + node.port);
                        return Behaviors.same();
                    }));
            all.put(
                    node.port,
                    node.cluster.host(
                            partition.instances(3).routing(Routing.broadcast()).messages(Filler.class)));
            byText.put(
                    node.port,
                    node.cluster.host(other.instances(3)
                            .routing(Routing.consistentHash(Filler::text))
                            .messages(Filler.class)));
        });
        cluster.awaitUp();
        for (String path : List.of("all", "some")) {
            cluster.await(
                    "all have three",
                    () -> cluster.nodes().stream()
                            .allMatch(node -> node.cluster
                                            .snapshot()
                                            .partitions()
                                            .find(new PartitionPath(path))
                                            .map(row -> row.instances().size())
                                            .orElse(0)
                                    == 3));
        }
        cluster.pass(1_000);
        all.get(2_552).tell(new Filler("hello"));
        cluster.pass(1_000);
        assertThat(got).containsExactlyInAnyOrder("hello at 2551", "hello at 2552", "hello at 2553");
        got.clear();
        for (int i = 0; i < 60; i++) {
            byText.get(2_551 + i % 3).tell(new Filler("key " + i / 6));
        }
        cluster.pass(1_000);
        assertThat(got).hasSize(60);
        assertThat(new HashSet<>(got)).hasSize(10);
    }

    @Test
    void whatIsWrongWithAPartitionIsNamed() {
        assertThatThrownBy(() -> Partition.at("a", Ledger.class, left -> Behaviors.<Entry>empty())
                        .handoff(HandoffPolicy.ordered()))
                .hasMessageContaining("option 2b")
                .hasMessageContaining("2a 3b 4a");
        VirtualCluster cluster = new VirtualCluster(1, 1, "", node -> {});
        assertThatThrownBy(() ->
                        cluster.node(0).cluster.host(Partition.at("a", Thread.class, left -> Behaviors.<Entry>empty())))
                .hasMessageContaining("the state of the partition a could not move")
                .hasMessageContaining("java.lang.Thread");
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
        List<Node> remaining;
        boolean putsAside;
        int childrenEnded;
        int ballastsSeen;
        final boolean isDurable;
        Optional<Ledger> stored = Optional.empty();

        Story(long seed, HandoffPolicy policy, String ballast) {
            this(seed, policy, ballast, false);
        }

        Story(long seed, HandoffPolicy policy, String ballast, boolean isDurable) {
            this.isDurable = isDurable;
            this.random = new SplittableRandom(seed);
            this.policy = policy;
            this.ballast = ballast;
            this.cluster = new VirtualCluster(seed, 3, "muster.cluster.rejoin.enabled = on", this::setUp);
            this.senders = List.copyOf(cluster.nodes());
            this.remaining = senders;
        }

        void setUp(Node node) {
            boolean hasState = policy.migration() == HandoffPolicy.Migration.FORWARD && !isDurable;
            Partition<Entry> partition = hasState
                    ? Partition.at(PATH.text(), Ledger.class, left -> ledger(node, left))
                    : Partition.at(PATH.text(), () -> ledger(node, stored));
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
            if (left.filter(it -> it.ballast().equals(ballast)).isPresent()) {
                ballastsSeen++;
            }
            return Behaviors.setup(context -> {
                var unused = context.spawn(child(), "child");
                return Behaviors.withStash(10_000, stash -> handling(node, left, stash));
            });
        }

        private Behavior<String> child() {
            return Behaviors.receive(String.class)
                    .on(String.class, (context, text) -> Behaviors.same())
                    .onSignal(PostStop.class, (context, stop) -> {
                        childrenEnded++;
                        return Behaviors.same();
                    })
                    .build();
        }

        private Behavior<Entry> handling(Node node, Optional<Ledger> left, StashBuffer<Entry> stash) {
            Map<String, Long> last = new HashMap<>(left.map(Ledger::last).orElse(Map.of()));
            long[] count = {left.map(Ledger::count).orElse(0L)};
            return Behaviors.receive(Entry.class)
                    .on(Booked.class, (context, booked) -> {
                        if (putsAside) {
                            stash.stash(booked);
                            return Behaviors.same();
                        }
                        hosts.add(node.port);
                        handled.computeIfAbsent(booked.sender(), it -> new ArrayList<>())
                                .add(booked.number());
                        last.put(booked.sender(), booked.number());
                        count[0]++;
                        if (isDurable) {
                            stored = Optional.of(new Ledger(Map.copyOf(last), count[0], ballast));
                            assertState(last, count[0]);
                        }
                        return Behaviors.same();
                    })
                    .on(Filler.class, (context, filler) -> {
                        return stash.unstashAll(Behaviors.same());
                    })
                    .on(WhoAreYou.class, (context, who) -> {
                        context.reply(context.self());
                        return Behaviors.same();
                    })
                    .onSignal(HandingOver.class, (context, handing) -> {
                        if (isDurable) {
                            return Behaviors.same();
                        }
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
            awaitRows();
            cluster.pass(1_000);
        }

        void awaitRows() {
            cluster.await(
                    "all have the row",
                    () -> cluster.nodes().stream()
                            .allMatch(node -> row(node)
                                    .filter(it -> !it.instances().isEmpty())
                                    .isPresent()));
        }

        Optional<PartitionEntry> row(Node node) {
            return node.cluster.snapshot().partitions().find(PATH);
        }

        Node host() {
            NodeId host = row(remaining.get(0)).orElseThrow().instances().get(0);
            return cluster.nodes().stream()
                    .filter(node -> node.cluster.self().equals(host))
                    .findFirst()
                    .orElseThrow();
        }

        Node another(Node than) {
            return cluster.nodes().stream()
                    .filter(node -> node != than)
                    .skip(random.nextInt(cluster.nodes().size() - 1))
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
            migrate(another(host()));
        }

        void migrate(Node to) {
            var outcome = cluster.node(0).cluster.migrate(PATH, to.address());
            cluster.await("it is said what becomes of it", outcome::isDone);
            assertThat(outcome.join().done()).as(outcome.join().detail()).isTrue();
            cluster.await(
                    "it begins",
                    () -> row(cluster.node(0))
                            .filter(it -> it.move().isPresent())
                            .isPresent());
        }

        long counted(String name) {
            return cluster.nodes().stream()
                    .mapToLong(node -> node.cluster.counters().getOrDefault(name, 0L))
                    .sum();
        }

        long handledInAll() {
            return handled.values().stream().mapToLong(List::size).sum();
        }

        void assertNoneLostWithoutAWord() {
            long all = sent.values().stream().mapToLong(Long::longValue).sum();
            long known = handled.values().stream().mapToLong(List::size).sum() + deadLetters.size();
            assertThat(known).isEqualTo(all);
        }

        void awaitSettled() {
            cluster.await(
                    "nothing moves",
                    () -> remaining.stream()
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
