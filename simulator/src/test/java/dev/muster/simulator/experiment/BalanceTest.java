package dev.muster.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BalanceTest {
    @Test
    void partitionsStayEvenAndMoveNoMoreThanNeeded() {
        mustStayEven(100);
    }

    @Test
    @Tag("soak")
    void aThousandStayEvenAndMoveNoMoreThanNeeded() {
        mustStayEven(Balance.FULL_PARTITIONS);
    }

    private static void mustStayEven(int partitions) {
        Balance.Result result = Balance.run(1, Balance.NODES, partitions, Bench.of(1));

        assertThat(result.broken()).as(result.table().text()).isEmpty();
        assertThat(result.rows()).extracting(Balance.Row::nodes).containsExactly(3, 6, 4, 6, 4);
        assertThat(result.rows()).allSatisfy(row -> {
            assertThat(row.fewestMoves()).isPositive();
            assertThat(row.moves()).isGreaterThanOrEqualTo(row.fewestMoves());
        });
    }

    @Test
    void noFewerMovesMakeItEven() {
        assertThat(Balance.fewestMoves(List.of(333, 334, 333, 0, 0, 0), 1000)).isEqualTo(499);
        assertThat(Balance.fewestMoves(List.of(167, 167, 166, 167), 1000)).isEqualTo(333);
        assertThat(Balance.fewestMoves(List.of(5, 5), 10)).isZero();
    }

    @Test
    void whatIsUnevenAndWhatMovesTooMuchBreaksThePromise() {
        Balance.Row row = new Balance.Row("3 -> 6", 6, 600, 89, 111, 361, 300, Double.NaN, 1);

        Balance.Result result = new Balance.Result(List.of(row), List.of(), new Effort(0, 0, "0"));

        assertThat(result.broken())
                .extracting(BrokenPromise::what)
                .containsExactly(
                        "3 -> 6 was not at rest after 300 s",
                        "3 -> 6 left 89 to 111 instances on a node, within 10 % are promised",
                        "3 -> 6 took 361 moves, at most 1.2 times 300 are promised",
                        "3 -> 6 went on with 1 moves when all was even");
    }
}
