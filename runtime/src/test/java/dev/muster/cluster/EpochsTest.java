package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.HandingOver;
import dev.muster.cluster.VirtualCluster.Node;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The token by which the world outside can tell an instance from one that replaced it. */
class EpochsTest {
    private static final PartitionPath PATH = new PartitionPath("till");

    record Drawer(long coins) {}

    private record Began(int port, long epoch) {}

    private final List<Began> began = new ArrayList<>();
    private final List<ActorRef<String>> refs = new ArrayList<>();

    private Behavior<String> till(Node node, long epoch, Optional<Drawer> drawer) {
        return Behaviors.setup(ctx -> {
            began.add(new Began(node.port, epoch));
            return Behaviors.receive(String.class)
                    .on(String.class, (context, message) -> {
                        throw new IllegalStateException(message);
                    })
                    .onSignal(HandingOver.class, (context, handing) -> {
                        drawer.ifPresent(handing::state);
                        return Behaviors.same();
                    })
                    .build();
        });
    }

    private VirtualCluster hosting(Function<Node, Partition<String>> partition) {
        VirtualCluster cluster =
                new VirtualCluster(1, 3, "", node -> refs.add(node.cluster.host(partition.apply(node))));
        cluster.awaitUp();
        cluster.await("it runs", () -> began.size() == 1);
        return cluster;
    }

    private static Node other(VirtualCluster cluster, int port) {
        return cluster.nodes().stream()
                .filter(it -> it.port != port)
                .findFirst()
                .orElseThrow();
    }

    private Began last() {
        return began.get(began.size() - 1);
    }

    private void moves(VirtualCluster cluster) {
        int before = began.size();
        Node to = other(cluster, last().port());
        var outcome = cluster.node(0).cluster.migrate(PATH, to.address());
        cluster.await("it has moved", () -> began.size() > before && outcome.isDone());
        cluster.pass(1_000);
        assertThat(last().port()).isEqualTo(to.port);
    }

    @Test
    void eachMoveGivesTheNextInstanceAGreaterOne() {
        VirtualCluster cluster =
                hosting(node -> Partition.singleton("till", epoch -> till(node, epoch, Optional.empty())));
        moves(cluster);
        moves(cluster);
        assertThat(began).extracting(Began::epoch).isSorted().doesNotHaveDuplicates();
        assertThat(began).hasSize(3);
    }

    @Test
    void soDoesEachMoveWithAState() {
        VirtualCluster cluster = hosting(node -> Partition.singleton(
                "till",
                Drawer.class,
                (drawer, epoch) -> till(node, epoch, drawer.or(() -> Optional.of(new Drawer(1))))));
        moves(cluster);
        assertThat(began).extracting(Began::epoch).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void oneThatFailsIsStartedAgainWithItsOwn() {
        VirtualCluster cluster =
                hosting(node -> Partition.singleton("till", epoch -> till(node, epoch, Optional.empty())));
        refs.get(0).tell("on purpose");
        cluster.await("it runs again", () -> began.size() == 2);
        assertThat(began.get(1)).isEqualTo(began.get(0));
    }

    @Test
    void whoReplacesALostHostHasAGreaterOne() {
        VirtualCluster cluster =
                hosting(node -> Partition.singleton("till", epoch -> till(node, epoch, Optional.empty())));
        Node host = cluster.nodes().stream()
                .filter(it -> it.port == last().port())
                .findFirst()
                .orElseThrow();
        var down = other(cluster, host.port).cluster.down(host.address());
        cluster.await("it runs elsewhere", () -> began.size() == 2);
        assertThat(down).isDone();
        assertThat(last().port()).isNotEqualTo(host.port);
        assertThat(last().epoch()).isGreaterThan(began.get(0).epoch());
    }
}
