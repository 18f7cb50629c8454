package dev.muster.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.node.client.ClusterView;
import dev.muster.node.client.ClusterView.Row;
import dev.muster.node.client.PartitionView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WatchedLeaverTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final WatchedLeaver leaver = new WatchedLeaver(row("Leaving"));

    @Test
    void theLongerAnAnswerTakesTheRarerItIsAskedForUntilTheMemberIsExiting() {
        assertThat(leaver.wantsTable(0)).as("at first").isTrue();
        leaver.asked(0, SECOND);
        leaver.look(table(true, "billing"), members("Leaving"));
        assertThat(leaver.wantsTable(10 * SECOND)).isFalse();
        assertThat(leaver.wantsTable(11 * SECOND)).isTrue();

        leaver.look(Optional.empty(), members("Exiting"));
        assertThat(leaver.wantsTable(SECOND)).as("at once").isTrue();
        leaver.asked(SECOND, 2 * SECOND);
        assertThat(leaver.wantsTable(2 * SECOND)).isFalse();
        assertThat(leaver.wantsTable(3 * SECOND)).isTrue();
    }

    @Test
    void whatIsKnownToBeLeftStaysSoWhileTheTableChangesElsewhere() {
        leaver.look(table(true, "audit", "billing"), members("Exiting"));
        assertThat(leaver.isKnown()).as("it was handing over").isFalse();
        leaver.look(table(false, "audit", "billing"), members("Exiting"));
        assertThat(leaver.isKnown()).as("rows may be old").isFalse();
        leaver.look(table(true, "audit", "billing"), members("Exiting"));
        assertThat(leaver.isKnown()).isTrue();
        leaver.look(table(false, "billing"), members("Exiting"));
        assertThat(leaver.isKnown()).isTrue();
        assertThat(leaver.paths()).containsExactly("billing");
        leaver.look(table(false, "orders"), members("Exiting"));
        assertThat(leaver.isKnown()).as("so says somebody else").isFalse();
        assertThat(leaver.look(table(true), members()))
                .as("whether it has gone")
                .isTrue();
        assertThat(leaver.paths()).containsExactly("orders");
    }

    private static Row row(String status) {
        return new Row("muster://s@b:1", "2", status, List.of());
    }

    private static ClusterView members(String... statuses) {
        List<Row> rows = List.of(statuses).stream().map(WatchedLeaverTest::row).toList();
        return new ClusterView("muster://s@a:1", rows, Map.of(), Optional.empty());
    }

    private static Optional<PartitionView> table(boolean hasConverged, String... paths) {
        TreeMap<String, PartitionView.Row> rows = new TreeMap<>();
        for (String path : paths) {
            rows.put(path, new PartitionView.Row(path, List.of("b:1"), Optional.empty()));
        }
        return Optional.of(new PartitionView("muster://s@a:1", "1", 1, hasConverged, rows));
    }
}
