package dev.muster.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.HandingOver;
import dev.muster.cluster.Cluster;
import dev.muster.cluster.LocalCluster;
import dev.muster.cluster.Partition;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A large state moves between two nodes whose connections are reset while it is under way: HO-10, H7. */
class StateAcrossResetsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final PartitionPath PATH = new PartitionPath("archive");
    private static final int MIB = 1024 * 1024;
    /** What may be under way at a time, and is sent again after a reset. */
    private static final int WINDOW = 4 * MIB;

    sealed interface Question permits Grow, WhatDoYouHave {}

    record Grow(int number) implements Question {}

    record WhatDoYouHave() implements Question {}

    record Archive(byte[] content, List<Integer> numbers) {}

    private static Behavior<Question> archive(Optional<Archive> left, int size) {
        byte[] content = left.map(Archive::content).orElseGet(() -> random(size));
        List<Integer> numbers = new ArrayList<>(left.map(Archive::numbers).orElse(List.of()));
        return Behaviors.receive(Question.class)
                .on(Grow.class, (context, grow) -> {
                    content[grow.number()]++;
                    numbers.add(grow.number());
                    return Behaviors.same();
                })
                .on(WhatDoYouHave.class, (context, question) -> {
                    context.reply((left.isPresent() ? "moved " : "at home ") + digest(content) + " " + numbers);
                    return Behaviors.same();
                })
                .onSignal(HandingOver.class, (context, handing) -> {
                    handing.state(new Archive(content, List.copyOf(numbers)));
                    return Behaviors.same();
                })
                .build();
    }

    private static byte[] random(int size) {
        byte[] content = new byte[size];
        new Random(1).nextBytes(content);
        return content;
    }

    private static String digest(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }

    @Test
    void eightMegabytesArriveAsTheyWere() {
        move(8 * MIB, 2);
    }

    @Test
    @Tag("soak")
    void sixtyFourMegabytesArriveAsTheyWere() {
        move(64 * MIB, 3);
    }

    private static void move(int size, int resets) {
        Map<Integer, ActorRef<Question>> refs = new ConcurrentHashMap<>();
        int firstPort = BreakingRelay.freePort();
        int secondPort = BreakingRelay.freePort();
        Config config = ConfigFactory.parseString("muster.remote.artery.advanced.maximum-frame-size = 64 KiB")
                .withFallback(ConfigFactory.load());
        try (BreakingRelay toFirst = new BreakingRelay(firstPort);
                BreakingRelay toSecond = new BreakingRelay(secondPort);
                LocalCluster cluster = LocalCluster.start("archives", 1, config, system -> {
                    Cluster node = Cluster.get(system);
                    refs.put(
                            node.selfAddress().port(),
                            node.host(Partition.at(PATH.text(), Archive.class, left -> archive(left, size))
                                    .messages(Question.class)
                                    .role("store")));
                })) {
            LocalCluster.Node first = cluster.add(behind(toFirst, firstPort));
            LocalCluster.Node second = cluster.add(behind(toSecond, secondPort));
            cluster.awaitUp(SOON);
            cluster.await("it is somewhere", SOON, () -> host(cluster.node(0)).isPresent());
            boolean isOnFirst =
                    host(cluster.node(0)).equals(Optional.of(first.cluster().self()));
            LocalCluster.Node from = isOnFirst ? first : second;
            LocalCluster.Node to = isOnFirst ? second : first;
            BreakingRelay between = isOnFirst ? toSecond : toFirst;
            ActorRef<Question> ref = refs.get(cluster.node(0).address().port());
            byte[] expected = random(size);
            int sent = 0;
            for (; sent < 100; sent++) {
                ref.tell(new Grow(sent));
                expected[sent]++;
            }
            assertThat(ref.ask(new WhatDoYouHave(), String.class, SOON).join())
                    .isEqualTo("at home " + digest(expected) + " " + numbersTo(sent));

            long begun = System.nanoTime();
            long before = between.carried();
            assertThat(cluster.node(0)
                            .cluster()
                            .migrate(PATH, to.address())
                            .join()
                            .done())
                    .isTrue();
            int sockets = 0;
            for (int i = 1; i <= resets; i++) {
                long share = (long) size * i / (resets + 1);
                cluster.await("a part is there", SOON, () -> between.carried() - before > share);
                assertThat(host(cluster.node(0))).contains(from.cluster().self());
                sockets += between.resetAll();
                ref.tell(new Grow(sent));
                expected[sent++]++;
            }
            cluster.await(
                    "it has moved",
                    SOON,
                    () -> host(cluster.node(0)).equals(Optional.of(to.cluster().self())));
            String answer = ref.ask(new WhatDoYouHave(), String.class, SOON).join();
            long millis = (System.nanoTime() - begun) / 1_000_000;
            long carried = between.carried() - before;

            assertThat(answer).isEqualTo("moved " + digest(expected) + " " + numbersTo(sent));
            // It goes on where it was; from the beginning each time, it would be more by half the state for each reset.
            assertThat(carried).isLessThan(2L * size + (long) resets * WINDOW);
            assertThat(from.cluster().counters())
                    .containsEntry("partitions.handoffs-done", 1L)
                    .doesNotContainKeys("partitions.handoffs-failed", "remote.too-large-messages");
            System.out.println("state of " + size / MIB + " MiB: " + resets + " resets of " + sockets + " sockets, "
                    + carried / MIB + " MiB carried, " + millis + " ms");
        }
    }

    private static List<Integer> numbersTo(int end) {
        return IntStream.range(0, end).boxed().toList();
    }

    private static Optional<NodeId> host(LocalCluster.Node node) {
        return node.cluster().snapshot().partitions().find(PATH).map(PartitionEntry::instances).stream()
                .flatMap(List::stream)
                .findFirst();
    }

    private static Config behind(BreakingRelay relay, int port) {
        return ConfigFactory.parseMap(Map.of(
                "muster.cluster.roles",
                List.of("store"),
                "muster.remote.artery.canonical.port",
                relay.port(),
                "muster.remote.artery.bind.port",
                port,
                "muster.remote.artery.bind.hostname",
                "127.0.0.1"));
    }
}
