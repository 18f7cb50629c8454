package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.cluster.VirtualCluster.Node;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Partitions are where they can be: not on nodes that do not know them, nor, if there are others, on silent ones. */
class HostsThatCannotTest {
    sealed interface Talk permits Question, Answer {}

    record Question(int number) implements Talk {}

    record Answer(int port) implements Talk {}

    private final List<Integer> handled = new ArrayList<>();

    private Behavior<Talk> answering(Node node) {
        return Behaviors.receive(Talk.class)
                .on(Question.class, (context, question) -> {
                    handled.add(question.number());
                    context.reply(new Answer(node.port));
                    return Behaviors.same();
                })
                .on(Answer.class, (context, answer) -> Behaviors.same())
                .build();
    }

    private static PartitionEntry row(Node node, String path) {
        return node.cluster
                .snapshot()
                .partitions()
                .find(new PartitionPath(path))
                .orElse(null);
    }

    /** As in the middle of a deployment. */
    @Test
    void whatOnlyOneNodeKnowsRunsThere() {
        VirtualCluster cluster = new VirtualCluster(2, 3, "", node -> {});
        cluster.awaitUp();
        Node knowing = cluster.node(1);
        Map<Integer, ActorRef<Talk>> refs = new HashMap<>();
        for (int i = 0; i < 9; i++) {
            refs.put(i, knowing.cluster.host(Partition.singleton("p" + i, () -> answering(knowing))));
        }
        ActorRef<Talk> several = knowing.cluster.host(
                Partition.at("several", () -> answering(knowing)).instances(3).messages(Talk.class));
        cluster.await(
                "all are there",
                () -> IntStream.range(0, 9)
                        .mapToObj(i -> row(cluster.node(0), "p" + i))
                        .allMatch(it -> it != null
                                && it.isOn(knowing.cluster.self())
                                && it.pending().isEmpty()));
        cluster.await(
                "and only there", () -> row(knowing, "several").instances().equals(List.of(knowing.cluster.self())));
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        refs.values().forEach(ref -> answers.add(ref.ask(new Question(1), Answer.class)));
        for (int i = 0; i < 9; i++) {
            answers.add(several.ask(new Question(i), Answer.class));
        }
        cluster.pass(1_000);
        assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompletedWithValue(new Answer(knowing.port)));

        Node other = cluster.node(2);
        ActorRef<Talk> there = other.cluster.host(
                Partition.at("several", () -> answering(other)).instances(3).messages(Talk.class));
        cluster.await("it is there too", () -> row(other, "several").instances().size() == 2);
        CompletableFuture<Answer> first = there.ask(new Question(1), Answer.class);
        CompletableFuture<Answer> second = there.ask(new Question(1), Answer.class);
        cluster.pass(1_000);
        assertThat(List.of(first.join().port(), second.join().port()))
                .containsExactlyInAnyOrder(knowing.port, other.port);
    }

    @Test
    void whatMayGoElsewhereDoesNotGoToOneThatCannotBeReached() {
        Map<Integer, ActorRef<Talk>> refs = new HashMap<>();
        VirtualCluster cluster = new VirtualCluster(
                3,
                3,
                "",
                node -> refs.put(
                        node.port,
                        node.cluster.host(Partition.at("several", () -> answering(node))
                                .instances(3)
                                .messages(Talk.class))));
        cluster.awaitUp();
        Node sender = cluster.node(0);
        cluster.await(
                "there are three",
                () -> row(sender, "several") != null
                        && row(sender, "several").instances().size() == 3);
        cluster.pass(1_000);
        NodeId gone = cluster.node(2).cluster.self();
        cluster.node(2).cluster.kill();
        cluster.await(
                "it is missed",
                () -> sender.cluster.snapshot().state().unreachable().contains(gone));
        for (int i = 0; i < 30; i++) {
            refs.get(sender.port).tell(new Question(i));
        }
        cluster.pass(500);

        assertThat(sender.cluster.snapshot().state().members().has(gone)).isTrue();
        assertThat(handled).hasSize(30);
    }

    @Test
    void aSingletonIsNotTurnedIntoSomethingElse() {
        VirtualCluster cluster = new VirtualCluster(4, 2, "", node -> {
            Partition<Talk> single = Partition.singleton("one", () -> answering(node));
            Partition<Talk> several = Partition.at("one", () -> answering(node)).instances(2);
            node.cluster.host(node.port == 2_553 ? several : single);
        });
        cluster.awaitUp();
        cluster.await("it is there", () -> row(cluster.node(0), "one") != null);
        cluster.add();
        cluster.awaitUp();
        cluster.pass(5_000);

        for (Node node : cluster.nodes()) {
            assertThat(row(node, "one").spec().policy()).isEqualTo(HandoffPolicy.singleton());
            assertThat(row(node, "one").instances()).hasSize(1);
        }
    }
}
