package dev.muster.core.partition;

import static dev.muster.core.partition.Layouts.asPlaced;
import static dev.muster.core.partition.Layouts.cluster;
import static dev.muster.core.partition.Layouts.clusterOf;
import static dev.muster.core.partition.Layouts.node;
import static dev.muster.core.partition.Layouts.path;
import static dev.muster.core.partition.Layouts.placement;
import static dev.muster.core.partition.Layouts.shown;
import static dev.muster.core.partition.Layouts.up;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import java.util.List;
import org.junit.jupiter.api.Test;

class MigrationTest {
    private static final Rebalancer REBALANCER = new Rebalancer(RebalanceSettings.defaults());

    @Test
    void migrationsBecomeMovesOfAPlan() {
        Layout layout = asPlaced(placement("A: 1 2, B: 1"), clusterOf(3));

        RebalancePlan plan =
                REBALANCER.migrate(layout, List.of(migration("A", 1, 3), migration("B", 1, 2), migration("A", 3, 1)));

        assertThat(plan.moves())
                .extracting(Move::toString)
                .contains("A from n0001:2552#1 to n0003:2552#3: a user asked for it");
        assertThat(shown(layout.placement().after(plan.moves()))).isEqualTo("A: 1 2, B: 2");
        assertThat(plan.summary()).isEqualTo("3 of 3 moves as asked for");
        assertThat(plan.loads())
                .contains(new NodeLoad(node(2), carried(1), carried(2)))
                .contains(new NodeLoad(node(3), carried(0), carried(0)));
    }

    @Test
    void wishesThatCannotBeGrantedAreRefusedAndTheOthersStand() {
        Member leaving = new Member(node(4), MemberStatus.LEAVING, 4, List.of(), "1.0");
        EligibleNodes nodes = EligibleNodes.of(Members.of(List.of(up(1, "db"), up(2, "db"), up(3), leaving)));
        Layout layout = Layout.of(
                List.of(new PartitionNeed(path("A"), 2, "db"), new PartitionNeed(path("B"), 1)),
                placement("A: 1 2, B: 1"),
                nodes);

        RebalancePlan plan = REBALANCER.migrate(
                layout,
                List.of(
                        migration("C", 1, 2),
                        migration("B", 2, 3),
                        migration("B", 1, 1),
                        migration("A", 1, 2),
                        migration("A", 1, 3),
                        migration("B", 1, 4),
                        migration("B", 1, 5),
                        migration("B", 1, 3)));

        assertThat(plan.refused())
                .extracting(Move::reason)
                .containsExactly(
                        "there is no partition C",
                        "n0002:2552#2 does not host B; it is on [n0001:2552#1]",
                        "B is there already, on n0001:2552#1",
                        "n0002:2552#2 already hosts A, and its instances must be on distinct nodes",
                        "n0003:2552#3 does not have the role db",
                        "n0004:2552#4 is Leaving, and only members that are up host partitions",
                        "n0005:2552#5 is no member");
        assertThat(plan.moves()).hasSize(1);
        assertThat(plan.summary()).isEqualTo("1 of 8 moves as asked for");
    }

    @Test
    void migrationsAlsoEmptyANodeThatLeaves() {
        Layout layout = asPlaced(placement("A: 9"), cluster(1));

        assertThat(REBALANCER.migrate(layout, List.of(migration("A", 9, 1))).moves())
                .hasSize(1);
    }

    private static Migration migration(String path, int from, int to) {
        return new Migration(path(path), node(from), node(to));
    }

    private static NodeLoad.Carried carried(int instances) {
        return new NodeLoad.Carried(instances, instances);
    }
}
