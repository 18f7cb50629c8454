package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.HandingOver;
import dev.muster.cluster.VirtualCluster.Node;
import dev.muster.core.exchange.ClusterEvent.MemberDrained;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A node is told to stop while another member cannot be reached: it waits for the rest, as long as that can help. */
class LeavingDuringTroubleTest {
    private static final PartitionPath PATH = new PartitionPath("counter");
    private static final String MANUAL = "muster.cluster.split-brain-resolver.active-strategy = manual";

    /** Five seconds of the phase, three of patience, and a few for what comes after. */
    private static final long SOON_MILLIS = 12_000;

    record Count(int by) {}

    record Sum(int value) {}

    private final Map<Integer, ActorRef<Count>> refs = new HashMap<>();
    private final Map<Integer, List<MemberDrained>> drained = new HashMap<>();
    private VirtualCluster cluster;
    private Node host;
    private List<Node> others;

    private void start(long seed, int size, String settings) {
        refs.clear();
        drained.clear();
        cluster = new VirtualCluster(seed, size, settings, node -> {
            refs.put(node.port, node.cluster.host(counter()));
            List<MemberDrained> said = drained.computeIfAbsent(node.port, port -> new ArrayList<>());
            node.system
                    .events()
                    .subscribe(
                            node.system.spawn(Behaviors.receive(MemberDrained.class, (context, it) -> {
                                said.add(it);
                                return Behaviors.same();
                            })),
                            MemberDrained.class);
        });
        cluster.awaitUp();
        cluster.await(
                "all know where it is",
                () -> cluster.nodes().stream().allMatch(node -> row(node).isPresent()));
        host = cluster.nodes().stream()
                .filter(node -> row(node).get().isOn(node.cluster.self()))
                .findFirst()
                .orElseThrow();
        others = cluster.nodes().stream().filter(node -> node != host).toList();
        assertThat(ask(host, 42)).isEqualTo(42);
    }

    private static Partition<Count> counter() {
        return Partition.<Count, Sum>singleton(
                        PATH.text(),
                        Sum.class,
                        left -> counting(left.map(Sum::value).orElse(0)))
                .messages(Count.class);
    }

    private static Behavior<Count> counting(int sum) {
        return Behaviors.receive(Count.class)
                .on(Count.class, (context, count) -> {
                    context.reply(sum + count.by());
                    return counting(sum + count.by());
                })
                .onSignal(HandingOver.class, (context, handing) -> {
                    handing.state(new Sum(sum));
                    return Behaviors.same();
                })
                .build();
    }

    private static Optional<PartitionEntry> row(Node node) {
        return node.cluster.snapshot().partitions().find(PATH);
    }

    private int ask(Node from, int by) {
        CompletableFuture<Integer> answer = refs.get(from.port).ask(new Count(by), Integer.class);
        cluster.await("an answer", answer::isDone);
        return answer.join();
    }

    private void awaitMissed(Node missed, Node by) {
        cluster.await(
                "it is missed",
                () -> by.cluster.snapshot().state().unreachable().contains(missed.cluster.self()));
    }

    private void assertEndsSoonAndSaysWhatIsLeft() {
        CompletableFuture<Void> ended = host.system.terminate();
        cluster.pass(SOON_MILLIS);
        assertThat(ended).isDone();
        assertThat(drained.get(host.port))
                .singleElement()
                .satisfies(it -> assertThat(it.left()).containsExactly(PATH));
    }

    @Test
    void itHandsOverOnceAMemberThatHasCrashedIsRemoved() {
        for (long seed = 1; seed <= 4; seed++) {
            for (int crashed = 0; crashed < 2; crashed++) {
                start(seed, 3, "");
                others.get(crashed).cluster.kill();
                cluster.pass(1_000 * seed);

                CompletableFuture<Void> ended = host.system.terminate();
                cluster.await("it has gone", ended::isDone);

                assertThat(drained.get(host.port))
                        .as("seed %d, crashed %d", seed, crashed)
                        .singleElement()
                        .satisfies(it -> assertThat(it.left()).isEmpty());
                assertThat(ask(others.get(1 - crashed), 1)).isEqualTo(43);
            }
        }
    }

    @Test
    void itHandsOverWhenAMemberIsDeclaredDownByHand() {
        start(1, 3, MANUAL);
        Node crashed = others.get(0);
        crashed.cluster.kill();
        awaitMissed(crashed, host);
        CompletableFuture<Void> ended = host.system.terminate();
        cluster.pass(4_000);
        var down = others.get(1).cluster.down(crashed.address());
        cluster.await("it has gone", () -> ended.isDone() && down.isDone());

        assertThat(drained.get(host.port))
                .singleElement()
                .satisfies(it -> assertThat(it.left()).isEmpty());
        assertThat(ask(others.get(1), 1)).isEqualTo(43);
    }

    @Test
    void itDoesNotWaitWhereNobodyIsDeclaredDownButByHand() {
        start(1, 3, MANUAL);
        others.get(0).cluster.kill();
        awaitMissed(others.get(0), host);
        assertEndsSoonAndSaysWhatIsLeft();
    }

    @Test
    void itDoesNotWaitWhereNobodyElseIsLeft() {
        start(1, 2, "muster.cluster.split-brain-resolver.stable-after = 60s");
        others.get(0).cluster.kill();
        awaitMissed(others.get(0), host);
        assertEndsSoonAndSaysWhatIsLeft();
    }

    @Test
    void itDoesNotWaitOnASideThatWouldHaveToGo() {
        start(1, 3, "muster.cluster.split-brain-resolver.stable-after = 60s");
        cluster.network.cutOff(host.port);
        awaitMissed(others.get(0), host);
        awaitMissed(others.get(1), host);
        assertEndsSoonAndSaysWhatIsLeft();
    }

    @Test
    void itSaysWhatIsLeftAlsoIfItIsDeclaredDownMeanwhile() {
        start(1, 3, "");
        cluster.network.cutOff(host.port);
        CompletableFuture<Void> ended = host.system.terminate();
        cluster.await("it has gone", ended::isDone);
        assertThat(drained.get(host.port))
                .singleElement()
                .satisfies(it -> assertThat(it.left()).containsExactly(PATH));
    }

    @Test
    void itWaitsNoLongerThanAHandoverMayTake() {
        start(1, 3, """
                muster.cluster.split-brain-resolver.stable-after = 10m
                muster.cluster.partitions.drain-timeout = 20s
                """);
        others.get(0).cluster.kill();
        awaitMissed(others.get(0), host);
        CompletableFuture<Void> ended = host.system.terminate();
        cluster.pass(20_000);
        assertThat(ended).isNotDone();
        cluster.pass(20_000);
        assertThat(ended).isDone();
        assertThat(drained.get(host.port))
                .singleElement()
                .satisfies(it -> assertThat(it.left()).containsExactly(PATH));
    }
}
