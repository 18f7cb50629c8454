package dev.muster.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorRef;
import dev.muster.actor.Behaviors;
import dev.muster.actor.Terminated;
import dev.muster.cluster.LocalCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The news of an actor's end is told once, and messages stay in order, whatever becomes of the sockets. */
class WatchingAcrossResetsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int PAIRS = Integer.getInteger("muster.test.pairs", 10_000);
    private static final int RESETS = 20;

    @Test
    void everyEndIsToldOnceAcrossTwentyResets() {
        int firstPort = BreakingRelay.freePort();
        int secondPort = BreakingRelay.freePort();
        try (BreakingRelay toFirst = new BreakingRelay(firstPort);
                BreakingRelay toSecond = new BreakingRelay(secondPort);
                LocalCluster cluster = LocalCluster.start("resets", 1)) {
            LocalCluster.Node watching = cluster.add(behind(toFirst, firstPort));
            LocalCluster.Node watched = cluster.add(behind(toSecond, secondPort));
            cluster.awaitUp(SOON);
            Map<String, AtomicInteger> told = new ConcurrentHashMap<>();
            Queue<Long> received = new ConcurrentLinkedQueue<>();
            ActorRef<Long> sink = remote(
                    watching,
                    watched,
                    watched.system()
                            .spawn(
                                    Behaviors.receive(Long.class)
                                            .on(Long.class, (context, number) -> {
                                                received.add(number);
                                                return Behaviors.same();
                                            })
                                            .build(),
                                    "sink"));
            int reset = 0;
            int sockets = 0;
            long number = 0;
            List<ActorRef<String>> alive = new ArrayList<>();
            for (int i = 0; i < PAIRS; i++) {
                ActorRef<String> actor = watched.system()
                        .spawn(Behaviors.receive(String.class)
                                .on(String.class, (context, text) -> Behaviors.stopped())
                                .build());
                String name = watched.cluster().nameOf(actor);
                told.put(name, new AtomicInteger());
                watch(watching, name, told);
                alive.add(actor);
                sink.tell(number++);
                if (i % 2 == 1) {
                    alive.remove(0).tell("end");
                }
                if (i % (PAIRS / RESETS) == PAIRS / RESETS / 2) {
                    BreakingRelay relay = reset++ % 2 == 0 ? toFirst : toSecond;
                    cluster.await("there is something to break", SOON, () -> relay.open() >= 4);
                    sockets += relay.resetAll();
                }
            }
            alive.forEach(actor -> actor.tell("end"));

            cluster.await(
                    "every end is told", SOON, () -> told.values().stream().allMatch(count -> count.get() >= 1));

            assertThat(told.values()).allMatch(count -> count.get() == 1);
            assertThat(reset).isEqualTo(RESETS);
            assertThat(List.copyOf(received)).isSorted().doesNotHaveDuplicates();
            assertThat(watching.cluster().counters()).doesNotContainKey("remote.quarantines");
            System.out.println("sockets: " + PAIRS + " pairs, " + RESETS + " resets of " + sockets + " sockets, "
                    + received.size() + " of " + number + " messages delivered");
        }
    }

    private static Config behind(BreakingRelay relay, int port) {
        return ConfigFactory.parseMap(Map.of(
                "muster.remote.artery.canonical.port",
                relay.port(),
                "muster.remote.artery.bind.port",
                port,
                "muster.remote.artery.bind.hostname",
                "127.0.0.1"));
    }

    @SuppressWarnings("unchecked")
    private static <M> ActorRef<M> remote(LocalCluster.Node from, LocalCluster.Node to, ActorRef<M> ref) {
        return (ActorRef<M>) from.cluster().resolve(to.cluster().nameOf(ref));
    }

    private static void watch(LocalCluster.Node node, String name, Map<String, AtomicInteger> told) {
        node.system().spawn(Behaviors.<String>setup(context -> {
            context.watch(node.cluster().resolve(name));
            return Behaviors.receive(String.class)
                    .on(String.class, (c, text) -> Behaviors.same())
                    .onSignal(Terminated.class, (c, terminated) -> {
                        told.get(node.cluster().nameOf(terminated.ref())).incrementAndGet();
                        return Behaviors.same();
                    })
                    .build();
        }));
    }
}
