package dev.muster.core.partition;

import static dev.muster.core.partition.KeeperWorld.SECOND;
import static dev.muster.core.partition.KeeperWorld.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.TableMessage.InstanceEnded;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who leads hears that an instance is gone as long as somebody waits for that, and not otherwise. */
class EndReportsTest {
    private static final PartitionPath PATH = new PartitionPath("one");
    private static final PartitionSpec SPEC = new PartitionSpec(1, "", HandoffPolicy.singleton());

    private static PartitionTable table(boolean isDeleted, NodeId... hosts) {
        return PartitionTable.EMPTY.merge(
                List.of(new PartitionEntry(PATH, 8, node(1), SPEC, List.of(hosts), isDeleted)));
    }

    private static EndReports reports() {
        EndReports reports = new EndReports();
        reports.add(PATH, 7);
        return reports;
    }

    @Test
    void nothingIsSaidAndNobodyWokenWhileNobodyWantsItAgain() {
        EndReports reports = reports();
        assertThat(reports.due(table(true), node(1), 1)).isEmpty();
        assertThat(reports.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void itIsSaidAgainAndAgainWhileItHasNobody() {
        EndReports reports = reports();
        InstanceEnded word = new InstanceEnded(node(1), PATH, 7);
        assertThat(reports.due(table(false), node(1), 1)).containsExactly(word);
        long next = reports.nextWakeUpNanos();
        assertThat(next).isEqualTo(1 + EndReports.TELL_AGAIN_NANOS);
        assertThat(reports.due(table(false), node(1), next - 1)).isEmpty();
        assertThat(reports.due(table(false), node(1), next)).containsExactly(word);
    }

    @Test
    void whoeverLeadsNextIsToldAtOnce() {
        EndReports reports = reports();
        reports.due(table(false), node(1), 1);
        assertThat(reports.due(table(false), node(2), 2)).containsExactly(new InstanceEnded(node(2), PATH, 7));
    }

    @Test
    void itIsForgottenWhenItHasBegunAnywhere() {
        EndReports reports = reports();
        reports.due(table(false), node(1), 1);
        assertThat(reports.due(table(false, node(4)), node(1), SECOND)).isEmpty();
        assertThat(reports.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(reports.due(table(false), node(1), 2 * SECOND)).isEmpty();
    }

    @Test
    void whatIsNewIsSaidAtOnceThoughSomethingWasJustSaid() {
        EndReports reports = reports();
        reports.due(table(false), node(1), 1);
        reports.add(PATH, 8);
        assertThat(reports.due(table(false), node(1), 2)).containsExactly(new InstanceEnded(node(1), PATH, 8));
    }
}
