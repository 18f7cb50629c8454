package dev.muster.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    private static final List<Table.Column> COLUMNS = List.of(
            Table.Column.of("what", "what"),
            Table.Column.of("count", "how many"),
            new Table.Column("seconds", "seconds", 2));

    private final Table table =
            new Table(COLUMNS, List.of(List.of("one", 1_234, 1.23456), List.of("another", 5L, Double.NaN)));

    @Test
    void wordsStandLeftAndNumbersRight() {
        assertThat(table.text()).isEqualTo("""
                what     how many  seconds
                one         1,234     1.23
                another         5        -
                """);
    }

    @Test
    void scriptsGetNumbersByKey() {
        assertThat(table.records().get(0))
                .containsEntry("what", "one")
                .containsEntry("count", 1_234)
                .containsEntry("seconds", 1.235);
        assertThat(table.records().get(1)).containsEntry("seconds", null);
    }

    @Test
    void aRowThatDoesNotFitIsAMistake() {
        assertThatThrownBy(() -> new Table(COLUMNS, List.of(List.of("one"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3 values, had 1");
    }
}
