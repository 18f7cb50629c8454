package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behaviors;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.LogLines;
import dev.muster.cluster.VirtualCluster.Node;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a node knows of partitions when it begins anew under another uid. */
class NewIncarnationsTest {
    private static final PartitionPath PATH = new PartitionPath("desk");
    private static final int SEEDS = 20;
    private static final String WORKER = "muster.cluster.roles = [worker]";

    record Order(long number) {}

    private final List<String> starts = new ArrayList<>();

    private static Partition<Order> desk() {
        return Partition.at(PATH.text(), Behaviors::<Order>empty).role("worker").messages(Order.class);
    }

    /** What was sent by a table that the new host does not have yet waits there until it has. */
    @Test
    void nothingIsLostOnTheWayToAHostWhoseSeedsWereFoundAfterItsSetUp() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            VirtualCluster cluster = new VirtualCluster(
                    seed,
                    1,
                    "",
                    node -> {
                        if (node.port != 2_551) {
                            node.cluster.host(desk());
                        }
                    },
                    true);
            Node host = cluster.add(WORKER);

            assertThat(lostOnTheWayTo(host, cluster)).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void nothingIsLostOnTheWayToAHostThatRejoinsAndHostedItMeanwhile() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            VirtualCluster cluster = new VirtualCluster(seed, 1, "muster.cluster.rejoin.enabled = on", node -> {});
            Node host = cluster.add(WORKER);
            cluster.awaitUp();
            NodeId before = host.cluster.self();
            down(host, cluster);
            host.cluster.host(desk());
            cluster.await("another incarnation", () -> !host.cluster.self().equals(before));

            assertThat(lostOnTheWayTo(host, cluster)).as("seed %d", seed).isEmpty();
        }
    }

    /** The first node sends as soon as it sees the host, which it is told of before the host is. */
    private static List<DeadLetter> lostOnTheWayTo(Node host, VirtualCluster cluster) {
        List<DeadLetter> lost = new ArrayList<>();
        for (Node node : cluster.nodes()) {
            var listener = node.system.spawn(
                    Behaviors.receive(DeadLetter.class)
                            .on(DeadLetter.class, (context, letter) -> {
                                if (letter.recipient().toString().contains(PATH.text())) {
                                    lost.add(letter);
                                }
                                return Behaviors.same();
                            })
                            .build(),
                    "listener");
            node.system.events().subscribe(listener, DeadLetter.class);
        }
        Node sender = cluster.node(0);
        cluster.await("it is on the host", () -> isOn(host.cluster.self(), sender));
        ActorRef<Order> ref = sender.cluster.host(desk());
        for (int i = 0; i < 10; i++) {
            ref.tell(new Order(i));
        }
        cluster.pass(10_000);
        assertThat(isOn(host.cluster.self(), sender)).isTrue();
        return lost;
    }

    private static boolean isOn(NodeId host, Node asSeenBy) {
        return asSeenBy.cluster
                .snapshot()
                .partitions()
                .find(PATH)
                .filter(row -> row.isOn(host))
                .isPresent();
    }

    private static void down(Node node, VirtualCluster cluster) {
        try (LogLines log = new LogLines("dev.muster.cluster")) {
            var unused = cluster.node(0).cluster.down(node.address());
            cluster.await(
                    "its membership has ended",
                    () -> log.lines().stream().anyMatch(line -> line.contains("joins again as a new incarnation")));
        }
    }

    private Partition<String> singleton(Node node) {
        return Partition.singleton(
                PATH.text(),
                () -> Behaviors.<String>setup(begun -> {
                    starts.add(node.toString());
                    return Behaviors.empty();
                }));
    }

    /** The end of what was there before says nothing about what the set-up has just hosted. */
    @Test
    void whatTheSetUpHostsAgainAfterItWasEndedElsewhereGoesOnWhenItIsHostedTwice() {
        VirtualCluster cluster = new VirtualCluster(
                1, 3, "muster.cluster.rejoin.enabled = on", node -> node.cluster.host(singleton(node)));
        cluster.awaitUp();
        cluster.await("it runs", () -> !starts.isEmpty());
        Cluster other = cluster.node(0).cluster;
        Node away = cluster.node(2);
        NodeId before = away.cluster.self();
        down(away, cluster);
        var ended = other.end(PATH);
        cluster.await(
                "it has ended",
                () -> ended.isDone() && other.snapshot().partitions().find(PATH).isEmpty());
        cluster.await("another incarnation", () -> !away.cluster.self().equals(before));
        cluster.awaitUp();
        cluster.pass(60_000);
        var unused = other.migrate(PATH, away.address());
        cluster.await(
                "it has moved",
                () -> isOn(away.cluster.self(), away) && last(starts).equals("2553"));
        cluster.pass(10_000);

        int begun = starts.size();
        away.cluster.host(singleton(away));
        cluster.pass(10_000);
        assertThat(starts).as("nothing has begun anew").hasSize(begun);
    }

    private static String last(List<String> all) {
        return all.get(all.size() - 1);
    }
}
