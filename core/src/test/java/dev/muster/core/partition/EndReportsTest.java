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
import java.util.stream.IntStream;
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

    @Test
    void onlyWhatIsNewIsSaidAtOnce() {
        EndReports reports = reports();
        PartitionTable table = nowhere(2);
        PartitionPath other = new PartitionPath("p/1");
        reports.add(new PartitionPath("p/0"), 7);
        assertThat(reports.due(table, node(1), 1)).hasSize(1);
        reports.add(other, 7);
        InstanceEnded word = new InstanceEnded(node(1), other, 7);
        assertThat(reports.due(table, node(1), 2)).containsExactly(word);
        assertThat(reports.due(table, node(1), 3)).isEmpty();
        reports.add(other, 7);
        assertThat(reports.due(table, node(1), 4)).isEmpty();
        assertThat(reports.due(table, node(1), SECOND)).hasSize(2).contains(word);
    }

    @Test
    void whatSomebodyBeginsToWaitForIsSaidAtOnceToo() {
        EndReports reports = new EndReports();
        reports.add(new PartitionPath("p/0"), 7);
        reports.add(new PartitionPath("p/1"), 7);
        assertThat(reports.due(nowhere(1), node(1), 1)).hasSize(1);
        assertThat(reports.due(nowhere(2), node(1), 2))
                .containsExactly(new InstanceEnded(node(1), new PartitionPath("p/1"), 7));
    }

    @Test
    void tenThousandEndsAreSaidOnceEach() {
        EndReports reports = new EndReports();
        PartitionTable table = nowhere(10_000);
        int messages = 0;
        for (int i = 0; i < 10_000; i++) {
            reports.add(new PartitionPath("p/" + i), 7);
            messages += reports.due(table, node(1), i).size();
        }
        assertThat(messages).isEqualTo(10_000);
    }

    private static PartitionTable nowhere(int count) {
        return PartitionTable.EMPTY.merge(IntStream.range(0, count)
                .mapToObj(i -> new PartitionEntry(new PartitionPath("p/" + i), 8, node(1), SPEC, List.of(), false))
                .toList());
    }
}
