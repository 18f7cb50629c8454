package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.HandingOver;
import dev.muster.actor.LogLines;
import dev.muster.cluster.VirtualCluster.Node;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What becomes of messages when what users have written ends, fails, or has odd names. */
class PartitionTroubleTest {
    private static final PartitionPath PATH = new PartitionPath("desk");
    private static final String PATIENT = "muster.coordinated-shutdown.phases.cluster-leave.timeout = 60s";

    sealed interface Talk permits Say, Said {}

    record Say(String text) implements Talk {}

    record Said(String text) implements Talk {}

    record Notes(List<String> all) {}

    private final Map<Integer, ActorRef<Talk>> refs = new HashMap<>();
    private final Map<Integer, Boolean> fails = new HashMap<>();
    private final List<String> handled = new ArrayList<>();
    private final List<String> began = new ArrayList<>();
    private final List<DeadLetter> deadLetters = new ArrayList<>();
    private VirtualCluster cluster;

    private void start(int size, Function<Partition<Talk>, Partition<Talk>> options) {
        start(size, PATIENT, options);
    }

    private void start(int size, String settings, Function<Partition<Talk>, Partition<Talk>> options) {
        cluster = new VirtualCluster(1, size, settings, node -> setUp(node, options));
        cluster.awaitUp();
        cluster.await(
                "all have the row",
                () -> cluster.nodes().stream().allMatch(node -> row(node).isPresent()));
        cluster.pass(500);
    }

    private void setUp(Node node, Function<Partition<Talk>, Partition<Talk>> options) {
        Partition<Talk> partition = Partition.at(PATH.text(), Notes.class, left -> desk(node, left));
        refs.put(node.port, node.cluster.host(options.apply(partition).messages(Talk.class)));
        ActorRef<DeadLetter> listener = node.system.spawn(Behaviors.receive(DeadLetter.class, (context, letter) -> {
            deadLetters.add(letter);
            return Behaviors.same();
        }));
        node.system.events().subscribe(listener, DeadLetter.class);
    }

    private Behavior<Talk> desk(Node node, Optional<Notes> left) {
        if (fails.getOrDefault(node.port, false)) {
            throw new IllegalStateException("no room at " + node.port);
        }
        began.add("at " + node.port + " with " + left.map(Notes::all).orElse(List.of()));
        return desk(left);
    }

    private Behavior<Talk> desk(Optional<Notes> left) {
        List<String> notes = new ArrayList<>(left.map(Notes::all).orElse(List.of()));
        return Behaviors.receive(Talk.class)
                .on(Say.class, (context, say) -> {
                    if (say.text().equals("end")) {
                        return Behaviors.stopped();
                    }
                    notes.add(say.text());
                    handled.add(say.text());
                    context.reply(new Said(say.text()));
                    return Behaviors.same();
                })
                .on(Said.class, (context, said) -> Behaviors.same())
                .onSignal(HandingOver.class, (context, handing) -> {
                    handing.state(new Notes(List.copyOf(notes)));
                    return Behaviors.same();
                })
                .build();
    }

    private static Optional<PartitionEntry> row(Node node) {
        return node.cluster
                .snapshot()
                .partitions()
                .find(PATH)
                .filter(it -> !it.instances().isEmpty());
    }

    private Node host() {
        NodeId host = row(cluster.node(0)).orElseThrow().instances().get(0);
        return cluster.nodes().stream()
                .filter(node -> node.cluster.self().equals(host))
                .findFirst()
                .orElseThrow();
    }

    private Node other() {
        return cluster.nodes().stream().filter(it -> it != host()).findFirst().orElseThrow();
    }

    private ActorRef<Talk> from(Node node) {
        return refs.get(node.port);
    }

    private void say(Node from, String... texts) {
        for (String text : texts) {
            from(from).tell(new Say(text));
        }
        cluster.pass(200);
    }

    private List<Object> lost(DeadLetter.Reason reason) {
        return deadLetters.stream()
                .filter(it -> it.reason() == reason)
                .<Object>map(DeadLetter::message)
                .toList();
    }

    @Test
    void anInstanceThatEndsByItselfBeginsAnewOnItsHostASecondLater() {
        start(2, partition -> partition);
        Node host = host();
        PartitionEntry row = row(host).orElseThrow();
        say(other(), "before", "end", "unread");
        say(host, "too early");

        assertThat(lost(DeadLetter.Reason.STOPPED)).containsExactly(new Say("unread"), new Say("too early"));
        assertThat(row(host)).contains(row);

        cluster.pass(1_000);
        say(other(), "after");
        assertThat(handled).containsExactly("before", "after");
        assertThat(began).containsExactly("at " + host.port + " with []", "at " + host.port + " with []");

        // It is as good as any other, and moves.
        Node next = other();
        var unused = cluster.node(0).cluster.migrate(PATH, next.address());
        cluster.await("it has moved", () -> host() == next);
        cluster.pass(1_000);
        say(host, "there");
        assertThat(handled).endsWith("after", "there");
        assertThat(began).last().isEqualTo("at " + next.port + " with [after]");
    }

    @Test
    void anInstanceThatCannotBeginIsTriedAgainAndWhatCameIsADeadLetter() {
        fails.put(2_551, true);
        fails.put(2_552, true);
        start(2, partition -> partition);
        say(other(), "a", "b");
        say(host(), "c");
        assertThat(handled).isEmpty();
        assertThat(lost(DeadLetter.Reason.STOPPED)).containsExactlyInAnyOrder(new Say("a"), new Say("b"), new Say("c"));

        fails.clear();
        cluster.pass(5_000);
        say(other(), "d");
        assertThat(handled).containsExactly("d");
    }

    private List<String> explain(Node node) {
        var answer = node.cluster.explain(new Cluster.Question.Partition(PATH));
        cluster.await("an answer", answer::isDone);
        return answer.join();
    }

    @Test
    void itsHostSaysWhyItCannotBegin() {
        fails.put(2_551, true);
        start(1, partition -> partition); // nobody else could take it
        cluster.pass(2_000);
        assertThat(explain(host()))
                .anyMatch(it ->
                        it.matches("it could not be started here 2 times: no room at 2551; next attempt in [12] s"));

        fails.clear();
        cluster.pass(5_000);
        assertThat(explain(host())).noneMatch(it -> it.contains("could not be started"));
    }

    @Test
    void itsHostSaysThatItHasEndedUntilItIsStartedAgain() {
        start(2, partition -> partition);
        say(other(), "end");
        assertThat(explain(host())).contains("its instance here has failed or ended by itself; next attempt in 1 s");
        cluster.pass(2_000);
        assertThat(explain(host())).noneMatch(it -> it.contains("ended by itself"));
    }

    @Test
    void whoWasToTakeOverSaysWhyItCouldNot() {
        start(2, partition -> partition);
        Node next = other();
        fails.put(next.port, true);
        var unused = cluster.node(0).cluster.migrate(PATH, next.address());
        cluster.pass(3_000);
        assertThat(explain(next))
                .anyMatch(it -> it.matches(
                        "it could not be started here 1 time: no room at " + next.port + "; that was [123] s ago"));
    }

    @Test
    void aFactoryThatThrowsAnErrorIsTriedAgainToo() {
        List<Error> problems = new ArrayList<>(List.of(
                new ServiceConfigurationError("no provider"),
                new NoClassDefFoundError("gone"),
                new AssertionError("never"),
                new Error("plain")));
        start(
                1,
                partition -> Partition.at(PATH.text(), () -> {
                    if (!problems.isEmpty()) {
                        throw problems.remove(0);
                    }
                    return desk(Optional.empty());
                }));
        cluster.await("all have been thrown", problems::isEmpty);
        cluster.pass(30_000); // longer than it ever waits before it tries again
        say(cluster.node(0), "there");
        assertThat(handled).containsExactly("there");
    }

    @Test
    void ifItCannotBeginWhereItMovesItGoesOnWhereItWas() {
        start(2, partition -> partition);
        Node host = host();
        Node next = other();
        say(next, "before");
        fails.put(next.port, true);
        var unused = cluster.node(0).cluster.migrate(PATH, next.address());
        for (int i = 0; i < 20; i++) {
            say(next, "from there " + i);
            say(host, "from here " + i);
        }
        cluster.pass(3_000);

        assertThat(host()).isSameAs(host);
        assertThat(row(host).orElseThrow().pending()).isEmpty();
        assertThat(handled).hasSize(41).doesNotHaveDuplicates();
        assertThat(began).last().asString().startsWith("at " + host.port + " with [before");
        assertThat(lost(DeadLetter.Reason.STOPPED)).isEmpty();
        assertThat(host.cluster.counters()).containsEntry("partitions.handoffs-failed", 1L);
    }

    @Test
    void aHostThatLeavesTriesAgainUntilAnotherCanTakeOver() {
        start(2, partition -> partition);
        Node leaving = host();
        Node next = other();
        say(next, "before");
        fails.put(next.port, true);
        var ended = leaving.system.terminate();
        say(next, "while it cannot");
        cluster.pass(2_000);
        assertThat(ended).isNotDone();
        fails.clear();
        cluster.await("it has gone", ended::isDone);
        say(next, "after");
        assertThat(handled).containsExactly("before", "while it cannot", "after");
        assertThat(began).last().isEqualTo("at " + next.port + " with [before, while it cannot]");
    }

    @Test
    void whoHasALongNameIsAnsweredAndWithATooLongOneItIsHeardAllTheSame() {
        start(2, partition -> partition);
        Node asking = other();
        List<String> answers = new ArrayList<>();
        ActorRef<Talk> longName = asking.system.spawn(listener(answers), "n".repeat(3_900));
        ActorRef<Talk> tooLong = asking.system.spawn(listener(answers), "n".repeat(4_100));

        from(asking).tell(new Say("1"), longName);
        from(asking).tell(new Say("2"), tooLong);
        cluster.pass(500);
        assertThat(handled).containsExactly("1", "2");
        assertThat(answers).containsExactly("1");
        assertThat(asking.cluster.counters()).containsEntry("remote.senders-too-long", 1L);

        // Also by the way of a former host, which hands over what still comes.
        Node former = host();
        var unused = cluster.node(0).cluster.migrate(PATH, asking.address());
        cluster.await("it begins", () -> row(former).orElseThrow().move().isPresent());
        from(asking).tell(new Say("3"), longName);
        from(asking).tell(new Say("4"), tooLong);
        cluster.await("it has moved", () -> host() == asking);
        cluster.pass(3_000);
        assertThat(handled).containsExactly("1", "2", "3", "4");
        assertThat(answers).startsWith("1", "3");
        assertThat(lost(DeadLetter.Reason.NO_REPLY_EXPECTED)).contains(new Said("2"));
    }

    @Test
    void whatMayBeSentDirectlyMayBeHandedOverTooHoweverLargeItIs() {
        start(2, """
                muster.remote.artery.large-message-destinations = ["/user/partition-desk"]
                muster.remote.artery.advanced.maximum-large-frame-size = 32 MiB
                """, partition -> partition);
        Node former = host();
        Node asking = other();
        String large = "\u00e9".repeat(5 * 1024 * 1024); // two bytes each
        say(asking, large);
        cluster.await("it came directly", () -> handled.size() == 1);

        var unused = cluster.node(0).cluster.migrate(PATH, asking.address());
        cluster.await("it begins", () -> row(former).orElseThrow().move().isPresent());
        from(former).tell(new Say(large));
        from(former).tell(new Say("after it"));
        cluster.await("it has moved", () -> host() == asking);
        cluster.pass(5_000);
        assertThat(asking.cluster.moves()).isEmpty();
        assertThat(handled).hasSize(3).endsWith("after it");
        assertThat(handled.get(1)).hasSize(large.length());
        assertThat(asking.cluster.counters()).doesNotContainKey("partitions.messages-unreadable");
    }

    private static Behavior<Talk> listener(List<String> answers) {
        return Behaviors.receive(Talk.class)
                .on(Say.class, (context, say) -> Behaviors.same())
                .on(Said.class, (context, said) -> {
                    answers.add(said.text());
                    return Behaviors.same();
                })
                .build();
    }

    @Test
    void aLoadFunctionThatThrowsLosesNothing() {
        start(
                2,
                partition -> Partition.at(PATH.text(), () -> desk(Optional.empty()))
                        .instances(2)
                        .routing(Routing.leastLoaded(host -> {
                            throw new IllegalStateException("no idea");
                        })));
        cluster.await(
                "there are two",
                () -> row(cluster.node(0)).orElseThrow().instances().size() == 2);
        cluster.pass(1_000);
        try (LogLines log = new LogLines("dev.muster.cluster")) {
            for (int i = 0; i < 10; i++) {
                say(cluster.node(i % 2), "number " + i);
            }
            assertThat(log.lines())
                    .filteredOn(
                            line -> line.contains("the function given to Routing.leastLoaded for the partition desk "
                                    + "failed: java.lang.IllegalStateException: no idea"))
                    .as("once on each node")
                    .hasSize(2);
        }
        assertThat(handled).hasSize(10);
        assertThat(deadLetters.stream().filter(it -> it.message() instanceof Say))
                .isEmpty();
    }

    /** It may wait for a lock of its users, which somebody holds who sends. */
    @Test
    void aLoadFunctionKeepsNobodyFromSending() {
        List<String> stuck = new ArrayList<>();
        start(
                2,
                partition -> Partition.at(PATH.text(), () -> desk(Optional.empty()))
                        .instances(2)
                        .routing(Routing.leastLoaded(host -> {
                            Thread sender = new Thread(() -> refs.values()
                                    .forEach(ref -> cluster.node(0).cluster.moves()));
                            sender.start();
                            try {
                                sender.join(5_000);
                            } catch (InterruptedException unexpected) {
                                stuck.add(unexpected.toString());
                            }
                            if (sender.isAlive()) {
                                stuck.add("at " + host);
                            }
                            return 0;
                        })));
        cluster.await(
                "there are two",
                () -> row(cluster.node(0)).orElseThrow().instances().size() == 2);
        say(cluster.node(0), "hello");
        assertThat(handled).containsExactly("hello");
        assertThat(stuck).isEmpty();
    }

    @Test
    void aMessageWhoseKeyCannotBeToldGoesToAny() {
        start(
                2,
                partition -> partition.routing(Routing.consistentHash(talk -> {
                    if (talk.equals(new Say("no key"))) {
                        throw new AssertionError("it has no key");
                    }
                    return talk;
                })));
        try (LogLines log = new LogLines("dev.muster.cluster")) {
            say(cluster.node(0), "no key", "next", "no key");
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("the function given to Routing.consistentHash for the partition "
                            + "desk failed: java.lang.AssertionError: it has no key"))
                    .hasSize(1);
        }
        assertThat(handled).containsExactly("no key", "next", "no key");
    }

    @Test
    void aMessageWithoutAKeyGoesToAny() {
        start(2, partition -> partition.routing(Routing.consistentHash(talk -> null)));
        try (LogLines log = new LogLines("dev.muster.cluster")) {
            say(cluster.node(0), "a", "b");
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("the function given to Routing.consistentHash for the partition "
                            + "desk gave no key for a " + Say.class.getName()))
                    .hasSize(1);
        }
        assertThat(handled).containsExactly("a", "b");
    }

    @Test
    void whoAsksAllGetsTheFirstAnswerAndTheOthersAreLate() {
        start(
                3,
                partition -> Partition.at(PATH.text(), () -> desk(Optional.empty()))
                        .instances(3)
                        .routing(Routing.broadcast()));
        cluster.await(
                "there are three",
                () -> row(cluster.node(0)).orElseThrow().instances().size() == 3);
        cluster.pass(2_000);
        var answer = from(cluster.node(0)).ask(new Say("all"), Said.class);
        cluster.pass(1_000);
        assertThat(answer.join()).isEqualTo(new Said("all"));
        assertThat(handled).containsExactly("all", "all", "all");
        assertThat(deadLetters.stream().map(DeadLetter::reason))
                .containsExactly(DeadLetter.Reason.LATE_REPLY, DeadLetter.Reason.LATE_REPLY);
    }

    @Test
    void aCountThatCannotBeToldIsTheLeast() {
        int[] asked = {0};
        start(
                2,
                partition -> partition.tolerating(nodes -> {
                    if (++asked[0] > 2) {
                        throw new IllegalStateException("no idea");
                    }
                    return 0;
                }));
        say(cluster.node(0), "there");
        assertThat(handled).containsExactly("there");
        assertThat(row(cluster.node(0)).orElseThrow().instances()).hasSize(1);
    }
}
