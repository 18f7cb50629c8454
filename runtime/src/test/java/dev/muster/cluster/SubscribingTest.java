package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behaviors;
import dev.muster.cluster.Cluster.CurrentClusterState;
import dev.muster.cluster.Cluster.InitialState;
import dev.muster.cluster.VirtualCluster.Node;
import dev.muster.core.exchange.ClusterEvent.PartitionChanged;
import dev.muster.core.exchange.ClusterEvent.RoleLeaderChanged;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who subscribes late learns first what is so already, of partitions and of the leaders of roles too. */
class SubscribingTest {
    private final List<Object> heard = new ArrayList<>();
    private VirtualCluster cluster;
    private Node node;

    @BeforeEach
    void startWithPartitions() {
        cluster = new VirtualCluster(1, 2, "muster.cluster.roles = [shop]", it -> {
            for (String path : List.of("counter", "desk", "old")) {
                it.cluster.host(Partition.at(path, Behaviors::<String>empty));
            }
        });
        cluster.awaitUp();
        node = cluster.node(1);
        cluster.await("the partitions", () -> present("counter") && present("desk") && present("old"));
        var ended = node.cluster.end(new PartitionPath("old"));
        cluster.await("the end of one", () -> ended.isDone() && !present("old"));
        cluster.pass(2_000);
    }

    private boolean present(String path) {
        return node.cluster
                .snapshot()
                .partitions()
                .find(new PartitionPath(path))
                .isPresent();
    }

    private ActorRef<Object> listener() {
        return node.system.spawn(Behaviors.receive(Object.class, (context, event) -> {
            heard.add(event);
            return Behaviors.same();
        }));
    }

    private List<PartitionEntry> rows() {
        return heard.stream()
                .map(PartitionChanged.class::cast)
                .map(PartitionChanged::entry)
                .toList();
    }

    @Test
    void eachRowThatIsThereComesFirstAndThenWhatChanges() {
        node.cluster.subscribe(listener(), PartitionChanged.class);
        cluster.pass(100);
        assertThat(rows())
                .containsExactlyElementsOf(node.cluster.snapshot().partitions().entries().values().stream()
                        .filter(row -> !row.isDeleted())
                        .toList())
                .extracting(row -> row.path().text())
                .containsExactly("counter", "desk");

        heard.clear();
        var ended = node.cluster.end(new PartitionPath("desk"));
        cluster.await("the end of another", () -> ended.isDone() && !present("desk"));
        cluster.pass(100);
        assertThat(rows())
                .anySatisfy(row -> assertThat(row.isDeleted()).isTrue())
                .allSatisfy(row -> assertThat(row.path().text()).isEqualTo("desk"));
    }

    @Test
    void theLeadersOfRolesComeToo() {
        node.cluster.subscribe(listener(), RoleLeaderChanged.class);
        cluster.pass(100);
        assertThat(heard)
                .contains(new RoleLeaderChanged("shop", node.cluster.snapshot().leader()));
    }

    @Test
    void aSnapshotHasTheTable() {
        node.cluster.subscribe(listener(), InitialState.AS_SNAPSHOT, List.of(PartitionChanged.class));
        cluster.pass(100);
        assertThat(heard)
                .singleElement()
                .satisfies(
                        it -> assertThat(((CurrentClusterState) it).snapshot().partitions())
                                .isEqualTo(node.cluster.snapshot().partitions()));
    }
}
