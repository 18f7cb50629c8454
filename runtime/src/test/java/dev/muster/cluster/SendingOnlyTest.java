package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.DeadLetter;
import dev.muster.cluster.VirtualCluster.Node;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A node that only sends to a partition needs neither its code nor its host, but its path and its messages. */
class SendingOnlyTest {
    private static final PartitionPath PATH = new PartitionPath("billing/invoices");

    sealed interface Wish permits WhereAreYou, Remember {}

    record WhereAreYou(int number) implements Wish {}

    record Remember(String text) implements Wish {}

    private final List<DeadLetter> deadLetters = new ArrayList<>();
    private final List<String> begun = new ArrayList<>();
    private VirtualCluster cluster;
    private Node sender;

    /** The last node has no code. */
    private void start(long seed, int hosts, String role, int instances) {
        deadLetters.clear();
        begun.clear();
        cluster = new VirtualCluster(seed, 0, "", node -> {
            if (node.port < 2_551 + hosts) {
                node.cluster.host(Partition.at(PATH.text())
                        .instances(instances)
                        .role(role)
                        .of(() -> answering(node))
                        .messages(Wish.class));
            }
        });
        for (int i = 0; i < hosts; i++) {
            cluster.add("muster.cluster.roles = [backend]");
        }
        sender = cluster.add();
        sender.system
                .events()
                .subscribe(
                        sender.system.spawn(Behaviors.receive(DeadLetter.class, (context, letter) -> {
                            deadLetters.add(letter);
                            return Behaviors.same();
                        })),
                        DeadLetter.class);
    }

    private Behavior<Wish> answering(Node node) {
        return Behaviors.setup(context -> {
            begun.add("on " + node.port);
            return Behaviors.receive(Wish.class)
                    .on(WhereAreYou.class, (ctx, question) -> {
                        ctx.reply(node.port);
                        return Behaviors.same();
                    })
                    .on(Remember.class, (ctx, it) -> Behaviors.same())
                    .build();
        });
    }

    private Optional<PartitionEntry> row() {
        return sender.cluster.snapshot().partitions().find(PATH);
    }

    private void awaitInstances(int count) {
        cluster.awaitUp();
        cluster.await(
                "it is there",
                () -> row().filter(
                                it -> it.pending().isEmpty() && it.instances().size() == count)
                        .isPresent());
        cluster.pass(1_000);
    }

    private int ask(ActorRef<Wish> ref, int number) {
        CompletableFuture<Integer> answer = ref.ask(new WhereAreYou(number), Integer.class);
        cluster.await("an answer", answer::isDone);
        return answer.join();
    }

    @Test
    void itReachesThePartitionWhereverThatMovesAndHostsNothing() {
        for (long seed = 1; seed <= 3; seed++) {
            start(seed, 2, "backend", 1);
            ActorRef<Wish> ref = sender.cluster.partition(PATH.text(), Wish.class);
            awaitInstances(1);
            int first = ask(ref, 1);
            Node next = cluster.nodes().stream()
                    .filter(it -> it != sender && it.port != first)
                    .findFirst()
                    .orElseThrow();

            var moving = sender.cluster.migrate(PATH, next.address());
            cluster.await(
                    "it has moved",
                    () -> row().filter(it -> it.isOn(next.cluster.self())).isPresent());
            assertThat(moving.join().done()).isTrue();

            assertThat(ask(ref, 2)).isEqualTo(next.port);
            assertThat(begun).containsExactly("on " + first, "on " + next.port);
            assertThat(deadLetters).isEmpty();
        }
    }

    /** The leader cannot know who has the code, so without a role it may try. */
    @Test
    void withoutARoleNothingRunsThereEither() {
        for (long seed = 1; seed <= 3; seed++) {
            start(seed, 1, "", 1);
            ActorRef<Wish> ref = sender.cluster.partition(PATH.text(), Wish.class);
            awaitInstances(1);
            cluster.pass(5_000);
            assertThat(ask(ref, 1)).isEqualTo(2_551);
            assertThat(begun).contains("on 2551").doesNotContain("on " + sender.port);
        }
    }

    @Test
    void oneAfterTheOtherGetsItUnlessTheSenderSaysOtherwise() {
        start(1, 3, "backend", 3);
        ActorRef<Wish> anyOfThem = sender.cluster.partition(PATH.text(), Wish.class);
        ActorRef<Wish> byKey = sender.cluster.partition(PATH.text(), Wish.class, Routing.consistentHash(it -> "same"));
        awaitInstances(3);
        Set<Integer> all = new TreeSet<>();
        Set<Integer> one = new TreeSet<>();
        for (int i = 0; i < 6; i++) {
            all.add(ask(anyOfThem, i));
            one.add(ask(byKey, i));
        }
        assertThat(all).containsExactly(2_551, 2_552, 2_553);
        assertThat(one).hasSize(1);
        assertThat(byKey).isNotEqualTo(anyOfThem);
        assertThat(anyOfThem).isEqualTo(sender.cluster.partition(PATH.text(), Wish.class));
    }

    /** As with the ref of a host. */
    @Test
    void whatIsSentBeforeItExistsIsADeadLetterAndTheRefIsGoodLater() {
        start(1, 2, "backend", 1);
        ActorRef<Wish> ref = sender.cluster.partition(PATH.text(), Wish.class);
        ref.tell(new Remember("too early"));
        cluster.pass(10);
        assertThat(deadLetters).singleElement().satisfies(letter -> {
            assertThat(letter.message()).isEqualTo(new Remember("too early"));
            assertThat(letter.reason()).isEqualTo(DeadLetter.Reason.STOPPED);
        });
        awaitInstances(1);
        assertThat(ask(ref, 1)).isBetween(2_551, 2_552);
    }

    @Test
    void itsNameLeadsThereFromAnyNode() {
        start(1, 2, "backend", 1);
        ActorRef<Wish> ref = sender.cluster.partition(PATH.text(), Wish.class);
        awaitInstances(1);
        @SuppressWarnings("unchecked")
        ActorRef<Wish> again = (ActorRef<Wish>) sender.cluster.resolve(sender.cluster.nameOf(ref));
        assertThat(ask(again, 1)).isEqualTo(ask(ref, 2));
    }

    @Test
    void aPathThatCannotBeIsRefused() {
        start(1, 1, "backend", 1);
        assertThatThrownBy(() -> sender.cluster.partition("billing//invoices", Wish.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("billing//invoices");
    }
}
