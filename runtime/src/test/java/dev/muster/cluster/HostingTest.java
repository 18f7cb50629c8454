package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.LogLines;
import dev.muster.actor.SpawnOptions;
import dev.muster.cluster.VirtualCluster.Node;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionPath;
import java.time.Duration;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** What may be asked for by hosting a partition, and how many instances there are then. */
class HostingTest {
    private static final PartitionPath PATH = new PartitionPath("desk");

    private static Partition<String> desk(String path) {
        return Partition.at(path, Behaviors::<String>empty);
    }

    @Test
    void aPartitionInsideAnotherIsRefusedAtOnce() {
        VirtualCluster cluster = new VirtualCluster(1, 1, "", node -> {});
        Cluster node = cluster.node(0).cluster;
        node.host(desk("shop/desk"));
        node.host(desk("shop/desks"));
        for (String path : List.of("shop", "shop/desk/left")) {
            assertThatThrownBy(() -> node.host(desk(path)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the partition " + path + " cannot be hosted, for this node knows the partition "
                            + "shop/desk, and partitions do not lie inside each other; choose a path beside it");
        }
        cluster.awaitUp();
        var ended = node.end(new PartitionPath("shop/desk"));
        cluster.pass(5_000);
        assertThat(ended.join().done()).isTrue();
        node.host(desk("shop/desk/left"));
    }

    @Test
    void itIsHostedAgainAsItWasAndNotOtherwise() {
        VirtualCluster cluster = new VirtualCluster(1, 1, "", node -> {});
        Cluster node = cluster.node(0).cluster;
        node.host(desk("desk").role("shop"));
        node.host(desk("desk").role("shop"));
        assertThatThrownBy(() -> node.host(desk("desk").role("store")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the partition desk is hosted here already")
                .hasMessageContaining("role shop")
                .hasMessageContaining("role store")
                .hasMessageContaining("Cluster.end");
        assertThatThrownBy(() -> node.host(desk("desk").role("shop").handoff(HandoffPolicy.disposable())))
                .hasMessageContaining("the partition desk is hosted here already");
    }

    /** A table with a longer one could be written and never read, so nobody would hear of any partition any more. */
    @Test
    void aRoleThatCouldNotTravelIsRefusedAndTheOthersAreHosted() {
        VirtualCluster cluster = new VirtualCluster(1, 3, "", node -> {});
        cluster.awaitUp();
        Cluster node = cluster.node(0).cluster;
        for (String role : List.of("r".repeat(256), "\u00e4".repeat(128))) {
            assertThatThrownBy(() -> node.host(desk("long").role(role)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the role of a partition has at most 255 bytes as UTF-8, not 256");
        }
        node.host(desk("longest").role("r".repeat(255)));
        cluster.nodes().forEach(it -> it.cluster.host(desk("desk")));
        awaitInstances(cluster, 1);
    }

    @Test
    void howManyThereAreMayBeSaidAnew() {
        VirtualCluster cluster = new VirtualCluster(
                1, 3, "", node -> node.cluster.host(desk("desk").instances(1)));
        awaitInstances(cluster, 1);
        cluster.node(1).cluster.host(desk("desk").instances(3));
        awaitInstances(cluster, 3);
    }

    @Test
    void aSingletonHasOneInstance() {
        Partition<String> one = Partition.singleton("desk", Behaviors::empty);
        assertThat(one.instances(1).spec().instances()).isEqualTo(1);
        assertThatThrownBy(() -> one.instances(1, 3))
                .hasMessage("the partition desk is a singleton, so it has one instance, not up to 3; "
                        + "use Partition.at if there may be several");
        assertThatThrownBy(() -> one.tolerating(nodes -> nodes / 2)).hasMessageContaining("desk is a singleton");
        assertThatThrownBy(() -> one.handoff(HandoffPolicy.stateless()))
                .hasMessage("the partition desk is a singleton, but under its policy 2a 3a 4a the old instance goes on "
                        + "while the new one begins, and after a crash nobody waits for the old one to end; use "
                        + "HandoffPolicy.singleton(), durable() or disposable(), or Partition.at if there may be two "
                        + "for a while");
        assertThatThrownBy(() -> one.handoff(HandoffPolicy.ordered())).hasMessageContaining("2a 3b 4a");
        assertThat(one.handoff(HandoffPolicy.durable()).isSingleton()).isTrue();
        assertThat(one.handoff(HandoffPolicy.disposable()).isSingleton()).isTrue();
    }

    @Test
    void nothingIsHostedWhereAllHasEnded() {
        VirtualCluster cluster = new VirtualCluster(1, 1, "", node -> {});
        cluster.awaitUp();
        Node node = cluster.node(0);
        var ended = node.system.terminate();
        cluster.await("it has ended", ended::isDone);
        assertThatThrownBy(() -> node.cluster.host(desk("desk")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the partition desk cannot be hosted: this node has ended, and with it the actor system "
                        + "virtual; start a new one and host it there");
    }

    @Test
    void whoWasRemovedAndJoinsAgainMayHostMeanwhile() {
        VirtualCluster cluster = new VirtualCluster(1, 3, "muster.cluster.rejoin.enabled = on", node -> {});
        cluster.awaitUp();
        Node removed = cluster.node(2);
        var before = removed.cluster.self();
        try (LogLines log = new LogLines("dev.muster.cluster")) {
            var unused = cluster.node(0).cluster.down(removed.address());
            cluster.await(
                    "its membership has ended",
                    () -> log.lines().stream().anyMatch(line -> line.contains("joins again as a new incarnation")));
        }
        assertThat(removed.cluster.self()).isEqualTo(before);
        removed.cluster.host(desk("desk"));
        awaitInstances(cluster, 1);
        assertThat(removed.cluster.self()).isNotEqualTo(before);
    }

    /** What a class of users does when it is first looked at. */
    private static volatile Runnable whenLookedAt = () -> {};

    enum Colour {
        RED;

        static {
            whenLookedAt.run();
        }
    }

    record Paint(Colour colour) {}

    /** The core needs the lock in its turn. */
    @Test
    void classesOfUsersAreLookedAtWithoutALock() {
        VirtualCluster cluster = new VirtualCluster(1, 1, "", node -> {});
        Cluster node = cluster.node(0).cluster;
        node.host(desk("desk"));
        List<String> seen = new CopyOnWriteArrayList<>();
        whenLookedAt = () -> {
            Thread other = new Thread(() -> {
                try {
                    node.host(desk("desk/inside"));
                } catch (IllegalArgumentException refused) {
                    seen.add("looked");
                }
            });
            other.start();
            try {
                other.join(5_000);
            } catch (InterruptedException unexpected) {
                Thread.currentThread().interrupt();
            }
            seen.add(other.isAlive() ? "stuck" : "done");
        };
        node.host(Partition.at("paint", Behaviors::<Paint>empty).messages(Paint.class));
        assertThat(seen).containsExactly("looked", "done");
    }

    private static VirtualCluster tolerating(int size, IntUnaryOperator failures) {
        return new VirtualCluster(
                1, size, "", node -> node.cluster.host(desk("desk").tolerating(failures)));
    }

    private static void awaitInstances(VirtualCluster cluster, int count) {
        cluster.awaitUp();
        cluster.await(count + " instances", () -> cluster.nodes().stream().allMatch(node -> instances(node) == count));
        cluster.pass(30_000);
        assertThat(cluster.nodes()).allMatch(node -> instances(node) == count);
    }

    private static int instances(Node node) {
        return node.cluster
                .snapshot()
                .partitions()
                .find(PATH)
                .map(row -> row.instances().size())
                .orElse(0);
    }

    @Test
    void noPartitionOutlivesAllNodes() {
        assertThatThrownBy(() -> desk("desk").tolerating(nodes -> nodes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "tolerated failures of 1 nodes must be from 0 to 0, was 1; no partition outlives all nodes, "
                                + "so let the function of the number of nodes return less than that number");
        assertThatThrownBy(() -> desk("desk").tolerating(nodes -> 2)).hasMessageContaining("from 0 to 0, was 2");
        assertThatThrownBy(() -> desk("desk").tolerating(nodes -> -1)).hasMessageContaining("from 0 to 0, was -1");
    }

    @Test
    void moreNodesMakeMoreInstancesWhereMoreFailuresAreTolerated() {
        VirtualCluster cluster = tolerating(3, nodes -> (nodes - 1) / 2);
        awaitInstances(cluster, 2);
        cluster.add();
        cluster.add();
        awaitInstances(cluster, 3);
    }

    @Test
    void thereAreAsManyInstancesAsTheGreaterOfTwoNumbersInWhicheverOrderTheyAreSaid() {
        IntUnaryOperator failures = nodes -> (nodes - 1) / 2;
        for (Partition<String> desk : List.of(
                desk("desk").instances(3, 4).tolerating(failures),
                desk("desk").tolerating(failures).instances(3, 4))) {
            assertThat(List.of(0, 1, 4, 7, 9))
                    .extracting(nodes -> desk.specFor(nodes).instances())
                    .containsExactly(3, 3, 3, 4, 5);
            assertThat(List.of(0, 1, 4, 7, 9))
                    .extracting(nodes -> desk.specFor(nodes).most())
                    .containsExactly(4, 4, 4, 4, 5);
        }
    }

    @Test
    void aFunctionThatGoesWrongLeavesTheInstancesAsTheyAre() {
        VirtualCluster cluster = tolerating(3, nodes -> nodes == 4 ? 4 : (nodes - 1) / 2);
        awaitInstances(cluster, 2);
        try (LogLines log = new LogLines("dev.muster.cluster")) {
            cluster.add();
            awaitInstances(cluster, 2);
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("Partition.tolerating"))
                    .as("once on each node")
                    .hasSize(4)
                    .allMatch(line -> line.contains("the partition desk needs, so there are still 2;"))
                    .allMatch(line -> line.contains("tolerated failures of 4 nodes must be from 0 to 3, was 4"));
        }
        cluster.add();
        awaitInstances(cluster, 3);
    }

    @Test
    void aFunctionThatThrowsAnErrorLeavesTheNodeAndTheInstancesAsTheyAre() {
        VirtualCluster cluster = tolerating(3, nodes -> {
            if (nodes == 4) {
                throw new ServiceConfigurationError("no rule for four");
            }
            return (nodes - 1) / 2;
        });
        awaitInstances(cluster, 2);
        try (LogLines log = new LogLines("dev.muster.cluster")) {
            cluster.add();
            awaitInstances(cluster, 2);
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("no rule for four"))
                    .as("once on each node")
                    .hasSize(4)
                    .allMatch(line -> line.contains("the partition desk needs, so there are still 2;"));
            assertThat(log.lines()).noneMatch(line -> line.contains("a mistake in Muster itself"));
        }
        cluster.add();
        awaitInstances(cluster, 3);
    }

    @Test
    void aFunctionThatWaitsKeepsNoNodeFromDoingItsPart() throws InterruptedException {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        IntUnaryOperator patient = nodes -> {
            if (nodes > 1) {
                waits.countDown();
                awaitQuietly(mayGoOn);
            }
            return 0;
        };
        Duration soon = Duration.ofSeconds(60);
        try (LocalCluster cluster = LocalCluster.start(
                "waiting",
                1,
                ConfigFactory.load(),
                system -> Cluster.get(system).host(desk("desk").tolerating(patient)))) {
            cluster.awaitUp(soon);
            cluster.add();
            assertThat(waits.await(60, TimeUnit.SECONDS)).isTrue();
            cluster.awaitUp(soon);
            assertThat(cluster.nodes())
                    .allSatisfy(node -> assertThat(node.cluster().heartbeats()).succeedsWithin(soon));
            mayGoOn.countDown();
        }
    }

    @Test
    void instancesThatWaitKeepNobodyFromAnswering() {
        CountDownLatch mayGoOn = new CountDownLatch(1);
        int waiting = 4 * Runtime.getRuntime().availableProcessors();
        List<ActorRef<String>> refs = new CopyOnWriteArrayList<>();
        try (LocalCluster cluster = LocalCluster.start("waiting", 1, ConfigFactory.load(), system -> {
            for (int i = 0; i < waiting; i++) {
                refs.add(Cluster.get(system)
                        .host(Partition.at("waits" + i, () -> answering(mayGoOn))
                                .options(SpawnOptions.blocking())));
            }
            refs.add(Cluster.get(system).host(Partition.at("quick", () -> answering(new CountDownLatch(0)))));
        })) {
            cluster.awaitUp(Duration.ofSeconds(60));
            cluster.await(
                    "all run",
                    Duration.ofSeconds(60),
                    () -> cluster.node(0).cluster().snapshot().partitions().size() == waiting + 1);
            List<CompletableFuture<String>> answers = refs.subList(0, waiting).stream()
                    .map(ref -> ref.ask("?", String.class))
                    .toList();
            assertThat(refs.get(waiting).ask("?", String.class)).succeedsWithin(Duration.ofSeconds(60));
            mayGoOn.countDown();
            assertThat(CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)))
                    .succeedsWithin(Duration.ofSeconds(60));
        }
    }

    private static Behavior<String> answering(CountDownLatch when) {
        return Behaviors.receive(String.class, (context, question) -> {
            awaitQuietly(when);
            context.reply("!");
            return Behaviors.same();
        });
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
