package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.NotDeliveredException;
import dev.muster.actor.SpawnOptions;
import dev.muster.cluster.VirtualCluster.Node;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What all instances get, each gets once; and one that cannot answer does not speak for the others. */
class BroadcastTest {
    private static final PartitionPath PATH = new PartitionPath("news");

    sealed interface Item permits Said, Fail, Name {}

    record Said(int number) implements Item {}

    record Fail(int port) implements Item {}

    record Name(String why) implements Item {}

    private record Heard(int port, int number) {}

    private final List<Heard> heard = new ArrayList<>();
    private final List<ActorRef<Item>> refs = new ArrayList<>();
    private final List<DeadLetter> deadLetters = new ArrayList<>();
    private VirtualCluster cluster;

    private Behavior<Item> reader(Node node) {
        return Behaviors.receive(Item.class)
                .on(Said.class, (ctx, said) -> {
                    heard.add(new Heard(node.port, said.number()));
                    return Behaviors.same();
                })
                .on(Fail.class, (ctx, fail) -> {
                    if (fail.port() == node.port) {
                        throw new IllegalStateException("as it was told");
                    }
                    return Behaviors.same();
                })
                .on(Name.class, (ctx, name) -> {
                    ctx.reply(node.toString());
                    return Behaviors.same();
                })
                .build();
    }

    private Partition<Item> news(Node node) {
        return Partition.at(PATH.text(), () -> reader(node))
                .instances(2)
                .messages(Item.class)
                .routing(Routing.broadcast());
    }

    private void listen(Node node) {
        node.system
                .events()
                .subscribe(
                        node.system.spawn(Behaviors.receive(DeadLetter.class, (ctx, letter) -> {
                            deadLetters.add(letter);
                            return Behaviors.same();
                        })),
                        DeadLetter.class);
    }

    /** @param roomAtFirst how many messages may wait at the instance on the first node */
    private void start(int nodes, int roomAtFirst) {
        cluster = new VirtualCluster(1, nodes, "", node -> {
            listen(node);
            SpawnOptions options = SpawnOptions.defaults();
            refs.add(node.cluster.host(
                    news(node).options(node.port == 2551 ? options.withMailboxCapacity(roomAtFirst) : options)));
        });
        cluster.awaitUp();
        awaitInstances(2);
        cluster.pass(2_000);
    }

    private void awaitInstances(int count) {
        cluster.await(
                "all know of " + count,
                () -> cluster.nodes().stream()
                        .allMatch(node -> row(node).instances().size() == count
                                && row(node).pending().isEmpty()));
    }

    private static PartitionEntry row(Node node) {
        return node.cluster.snapshot().partitions().find(PATH).orElseThrow();
    }

    @Test
    void oneThatIsStartedAgainMissesWhatTheOthersGetOnce() {
        start(2, 1_000);
        refs.get(0).tell(new Fail(2552));
        cluster.pass(100);
        refs.get(0).tell(new Said(1)); // from elsewhere
        refs.get(1).tell(new Said(2)); // from where it is to run
        cluster.pass(5_000);
        refs.get(0).tell(new Said(3));
        cluster.pass(1_000);
        assertThat(heard)
                .containsExactlyInAnyOrder(
                        new Heard(2551, 1), new Heard(2551, 2), new Heard(2551, 3), new Heard(2552, 3));
        assertThat(deadLetters)
                .extracting(DeadLetter::message, DeadLetter::reason)
                .containsExactlyInAnyOrder(
                        tuple(new Said(1), DeadLetter.Reason.STOPPED), tuple(new Said(2), DeadLetter.Reason.STOPPED));
    }

    @Test
    void oneThatEndsBecauseFewerAreWantedLeavesNothingToTheOther() {
        start(2, 1_000);
        var unused = cluster.node(0).cluster.host(news(cluster.node(0)).instances(1));
        for (int i = 0; i < 3_000; i++) {
            refs.get(i % 2).tell(new Said(i));
            cluster.pass(1);
        }
        cluster.pass(5_000);
        assertThat(row(cluster.node(0)).instances()).hasSize(1);
        assertThat(heard).doesNotHaveDuplicates();
    }

    /** What was for the instance that moves is for the one that takes over. */
    @Test
    void oneThatMovesMissesNothingAndGetsNothingTwice() {
        cluster = new VirtualCluster(
                1, 3, "", node -> refs.add(node.cluster.host(news(node).handoff(HandoffPolicy.singleton()))));
        cluster.awaitUp();
        awaitInstances(2);
        cluster.pass(2_000);
        Node free = cluster.nodes().stream()
                .filter(node -> !row(node).isOn(node.cluster.self()))
                .findFirst()
                .orElseThrow();
        Node former = cluster.nodes().stream()
                .filter(node -> row(node).isOn(node.cluster.self()))
                .findFirst()
                .orElseThrow();
        var unused = cluster.node(0).cluster.migrate(PATH, free.address());
        for (int i = 0; i < 3_000; i++) {
            refs.get(i % 3).tell(new Said(i));
            cluster.pass(1);
        }
        cluster.pass(5_000);
        assertThat(row(former).isOn(free.cluster.self())).isTrue();
        assertThat(heard).doesNotHaveDuplicates().hasSize(6_000);
        assertThat(IntStream.range(0, 3_000))
                .allMatch(number ->
                        heard.stream().filter(it -> it.number() == number).count() == 2);
    }

    private void fillTheFirst() {
        for (int i = 0; i < 4; i++) {
            refs.get(0).tell(new Said(i));
        }
    }

    @Test
    void whoAsksGetsTheFirstAnswerAlsoIfOneHasNoRoom() {
        start(2, 2);
        fillTheFirst();
        CompletableFuture<String> answer = refs.get(0).ask(new Name(""), String.class, Duration.ofSeconds(3));
        cluster.pass(4_000);
        assertThat(answer).isCompletedWithValue("2552");
        assertThat(deadLetters)
                .filteredOn(letter -> letter.message().equals(new Name("")))
                .extracting(DeadLetter::reason)
                .containsExactly(DeadLetter.Reason.MAILBOX_FULL);
    }

    @Test
    void whoAsksGetsTheFirstAnswerAlsoIfOneEndsBeforeItComesToTheQuestion() {
        start(2, 1_000);
        refs.get(0).tell(new Fail(2551));
        CompletableFuture<String> answer = refs.get(0).ask(new Name(""), String.class, Duration.ofSeconds(3));
        cluster.pass(4_000);
        assertThat(answer).isCompletedWithValue("2552");
    }

    /** One has no room, and to the other such a question cannot be sent. */
    @Test
    void whoAsksIsToldAtOnceIfNobodyCanBeAsked() {
        start(2, 2);
        fillTheFirst();
        Name tooLarge = new Name("because ".repeat(100_000));
        CompletableFuture<String> answer = refs.get(0).ask(tooLarge, String.class, Duration.ofSeconds(3));
        assertThat(answer)
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(NotDeliveredException.class);
    }
}
