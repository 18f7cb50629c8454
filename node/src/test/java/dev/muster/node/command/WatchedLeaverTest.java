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
        leaver.look(table("billing"), members("Leaving"));
        assertThat(leaver.wantsTable(10 * SECOND)).isFalse();
        assertThat(leaver.wantsTable(11 * SECOND)).isTrue();

        leaver.look(Optional.empty(), members("Exiting"));
        assertThat(leaver.wantsTable(SECOND)).as("at once").isTrue();
        leaver.asked(SECOND, 2 * SECOND);
        assertThat(leaver.wantsTable(2 * SECOND)).isFalse();
        assertThat(leaver.wantsTable(3 * SECOND)).isTrue();
    }

    private static Row row(String status) {
        return new Row("muster://s@b:1", "2", status, List.of());
    }

    private static ClusterView members(String... statuses) {
        List<Row> rows = List.of(statuses).stream().map(WatchedLeaverTest::row).toList();
        return new ClusterView("muster://s@a:1", rows, Map.of(), Optional.empty());
    }

    private static Optional<PartitionView> table(String... paths) {
        TreeMap<String, PartitionView.Row> rows = new TreeMap<>();
        for (String path : paths) {
            rows.put(path, new PartitionView.Row(path, List.of("b:1"), Optional.empty()));
        }
        return Optional.of(new PartitionView("muster://s@a:1", "1", 1, rows));
    }
}
