package dev.muster.core.partition;

import static dev.muster.core.partition.Layouts.node;
import static dev.muster.core.partition.Layouts.path;
import static dev.muster.core.partition.Layouts.placement;
import static dev.muster.core.partition.Layouts.shown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementTest {

    @Test
    void knowsWhoHostsWhat() {
        Placement placement = placement("B: 2 1, A:, C: 3");

        assertThat(placement.paths()).containsExactly(path("A"), path("B"), path("C"));
        assertThat(placement.hostsOf(path("B"))).containsExactly(node(2), node(1));
        assertThat(placement.hostsOf(path("A"))).isEmpty();
        assertThat(placement.hostsOf(path("D"))).isEmpty();
        assertThat(placement.has(path("A"))).isTrue();
        assertThat(placement.has(path("D"))).isFalse();
        assertThat(placement.instances()).isEqualTo(3);
        assertThat(placement).hasToString("A -> [], B -> [n0002:2552#2, n0001:2552#1], C -> [n0003:2552#3]");
    }

    @Test
    void isEqualByContentAndOrderOfNodes() {
        assertThat(placement("A: 1 2"))
                .isEqualTo(placement("A: 1 2"))
                .hasSameHashCodeAs(placement("A: 1 2"))
                .isNotEqualTo(placement("A: 2 1"))
                .isNotEqualTo("A: 1 2");
        Placement same = placement("A: 1");
        assertThat(same.equals(same)).isTrue();
    }

    @Test
    void refusesTwoInstancesOfOnePathOnOneNode() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> placement("A: 1 2 1"))
                .withMessage("instances of A must be on distinct nodes, but were on "
                        + "[n0001:2552#1, n0002:2552#2, n0001:2552#1]");
    }

    @Test
    void whoComesTakesThePlaceOfWhoGoes() {
        Placement moved = placement("A: 1 2 3, B: 1").after(List.of(move("A", 2, 5), move("B", 1, 2), move("A", 5, 6)));

        assertThat(shown(moved)).isEqualTo("A: 1 6 3, B: 2");
    }

    @Test
    void refusesMovesThatCannotBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> placement("A: 1 2").after(List.of(move("A", 3, 4))))
                .withMessage("n0003:2552#3 does not host A, but [n0001:2552#1, n0002:2552#2]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> placement("A: 1 2").after(List.of(move("B", 1, 2))))
                .withMessage("n0001:2552#1 does not host B, but []");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> placement("A: 1 2").after(List.of(move("A", 1, 2))))
                .withMessageStartingWith("instances of A must be on distinct nodes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "A: 1 2, B: 3   | A: 1 2, B: 3      | ''",
                "A: 1 2         | A: 2 1            | ''",
                "A: 1           | A: 2              | A 1>2",
                "A: 1 2 3       | A: 2 4            | A 1>4 A 3>-",
                "A: 1           | A: 3 1 2          | A ->3 A ->2",
                "A: 1           | B: 1              | A 1>- B ->1",
            })
    void changesPairWhoGoesWithWhoComes(String before, String after, String changes) {
        List<String> shown = new ArrayList<>();
        for (PlacementChange change : placement(before).changesTo(placement(after))) {
            shown.add(change.path() + " "
                    + change.from().map(from -> "" + from.uid()).orElse("-") + ">"
                    + change.to().map(to -> "" + to.uid()).orElse("-"));
        }
        assertThat(String.join(" ", shown)).isEqualTo(changes);
    }

    @Test
    void aChangeNamesANode() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PlacementChange(path("A"), Optional.empty(), Optional.empty()))
                .withMessage("a change of A must name a node that it leaves or comes to");
    }

    private static Move move(String path, int from, int to) {
        return new Move(path(path), node(from), node(to), "because");
    }
}
