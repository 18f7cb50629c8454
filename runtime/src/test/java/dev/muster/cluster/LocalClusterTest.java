package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.cluster.Cluster.InitialState;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Real nodes on real sockets, in one process. */
class LocalClusterTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private static Config config(String text) {
        return ConfigFactory.parseString(text).withFallback(ConfigFactory.load());
    }

    @Test
    void nodesFindEachOtherAndAgree() {
        try (LocalCluster cluster = LocalCluster.start("five", 5)) {
            cluster.awaitUp(SOON);

            NodeId leader = cluster.node(0).cluster().snapshot().leader().orElseThrow();
            cluster.await(
                    "everybody names one leader and has converged",
                    SOON,
                    () -> cluster.nodes().stream()
                            .allMatch(node -> node.cluster()
                                            .snapshot()
                                            .leader()
                                            .filter(leader::equals)
                                            .isPresent()
                                    && node.cluster().snapshot().converged()));
        }
    }

    @Test
    void aNodeThatLeavesIsRemovedEverywhere() {
        try (LocalCluster cluster = LocalCluster.start("leaving", 3)) {
            cluster.awaitUp(SOON);
            AtomicInteger removed = new AtomicInteger();
            cluster.node(2).cluster().registerOnMemberRemoved(removed::incrementAndGet);

            cluster.node(2).leave().join();

            cluster.awaitUp(SOON);
            cluster.await("it was told", SOON, () -> removed.get() == 1);
        }
    }

    @Test
    void whoComesAfterTheEndIsToldOfItAtOnce() {
        Cluster node;
        try (LocalCluster cluster = LocalCluster.start("ended", 1)) {
            cluster.awaitUp(SOON);
            node = cluster.node(0).cluster();
        }
        AtomicInteger removed = new AtomicInteger();
        node.registerOnMemberRemoved(removed::incrementAndGet);
        assertThat(removed.get()).isEqualTo(1);

        AtomicInteger up = new AtomicInteger();
        node.registerOnMemberUp(up::incrementAndGet);
        assertThat(up.get()).as("it is not up any more").isZero();
        assertThat(node.rebalance().join().done()).isFalse();
    }

    /** Operators ask above all when a node is in trouble. */
    @Test
    void whoWaitsForAnAnswerGetsItWhileActorsKeepEveryThreadBusy() throws Exception {
        try (LocalCluster cluster = LocalCluster.start("busy", 1)) {
            cluster.awaitUp(SOON);
            CountDownLatch over = new CountDownLatch(1);
            Behavior<String> waiting = Behaviors.receive(String.class)
                    .on(String.class, (context, message) -> {
                        over.await();
                        return Behaviors.same();
                    })
                    .build();
            try {
                for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
                    cluster.node(0).system().spawn(waiting, "waiting-" + i).tell("wait");
                }
                Cluster node = cluster.node(0).cluster();
                assertThat(node.explain(new Cluster.Question.Everything()).get(SOON.toSeconds(), TimeUnit.SECONDS))
                        .isNotEmpty();
            } finally {
                over.countDown();
            }
        }
    }

    @Test
    void aKilledNodeIsNoticedAndRemoved() {
        Config fast = config("muster.cluster.split-brain-resolver.stable-after = 2s");
        try (LocalCluster cluster = LocalCluster.start("killed", 4, fast, system -> {})) {
            cluster.awaitUp(SOON);
            NodeId gone = cluster.node(3).cluster().self();

            cluster.node(3).kill();

            cluster.await(
                    "somebody says that it is unreachable",
                    SOON,
                    () -> cluster.nodes().stream()
                            .anyMatch(node -> node.cluster()
                                    .snapshot()
                                    .state()
                                    .unreachable()
                                    .contains(gone)));
            cluster.awaitUp(SOON);
        }
    }

    @Test
    void aNodeThatWasDownedJoinsAgainAsANewIncarnation() {
        Config rejoin = config("muster.cluster.rejoin.enabled = on");
        AtomicInteger setups = new AtomicInteger();
        try (LocalCluster cluster = LocalCluster.start("rejoin", 3, rejoin, system -> setups.incrementAndGet())) {
            cluster.awaitUp(SOON);
            NodeId before = cluster.node(2).cluster().self();
            ActorRef<String> old = cluster.node(2).system().spawn(Behaviors.<String>ignore(), "old");

            assertThat(cluster.node(0).cluster().down(before.address()).join().done())
                    .isTrue();

            cluster.await("a new incarnation is up", SOON, () -> {
                NodeId now = cluster.node(2).cluster().self();
                return !now.equals(before)
                        && cluster.node(0)
                                        .cluster()
                                        .snapshot()
                                        .state()
                                        .members()
                                        .statusOf(now)
                                == MemberStatus.UP;
            });
            cluster.awaitUp(SOON);
            assertThat(setups.get()).isEqualTo(4);
            assertThat(cluster.node(2).system().lookup("old")).isEmpty();
            assertThat(old.path().name()).isEqualTo("old");
        }
    }

    @Test
    void subscribersHearOfThePresentAndOfWhatFollows() {
        try (LocalCluster cluster = LocalCluster.start("events", 2)) {
            cluster.awaitUp(SOON);
            Queue<ClusterEvent> heard = new ConcurrentLinkedQueue<>();
            ActorRef<ClusterEvent> listener = cluster.node(0)
                    .system()
                    .spawn(Behaviors.receive(ClusterEvent.class)
                            .on(ClusterEvent.class, (context, event) -> {
                                heard.add(event);
                                return Behaviors.same();
                            })
                            .build());

            cluster.node(0).cluster().subscribe(listener, InitialState.AS_EVENTS, List.of(ClusterEvent.MemberUp.class));
            cluster.await("both are told of", SOON, () -> heard.size() == 2);
            var third = cluster.add();

            cluster.await(
                    "the third is told of",
                    SOON,
                    () -> heard.stream()
                            .anyMatch(event -> event instanceof ClusterEvent.MemberUp up
                                    && up.member().id().equals(third.cluster().self())));
            assertThat(heard).allMatch(event -> event instanceof ClusterEvent.MemberUp);
        }
    }

    @Test
    void itSaysWhyThingsAreAsTheyAre() {
        try (LocalCluster cluster = LocalCluster.start("why", 2)) {
            cluster.awaitUp(SOON);
            cluster.await(
                    "converged",
                    SOON,
                    () -> cluster.node(0).cluster().snapshot().converged());

            assertThat(cluster.node(0)
                            .cluster()
                            .explain(new Cluster.Question.Convergence())
                            .join())
                    .first()
                    .asString()
                    .startsWith("converged");
        }
    }
}
