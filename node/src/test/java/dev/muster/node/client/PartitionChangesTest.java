package dev.muster.node.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.node.client.ClusterView.Row;
import dev.muster.node.client.PartitionView.Move;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartitionChangesTest {

    @Test
    void aMoveIsToldWhenItBeginsAndWhenItIsDone() {
        PartitionView calm = view(row("desk", "a:1"));
        PartitionView moving = view(moving("desk", 5, "a:1", "b:1", true, "a:1"));
        PartitionView moved = view(moving("desk", 5, "a:1", "b:1", false, "b:1"));

        assertThat(texts(calm, moving)).containsExactly("moves desk (from a:1 to b:1)");
        assertThat(texts(moving, moving)).isEmpty();
        assertThat(texts(moving, moved)).containsExactly("moved desk (from a:1 to b:1)");
        assertThat(texts(calm, moved)).as("between two looks").containsExactly("moved desk (from a:1 to b:1)");
        assertThat(texts(moved, view(moving("desk", 9, "b:1", "c:1", true, "b:1"))))
                .containsExactly("moves desk (from b:1 to c:1)");
        assertThat(texts(calm, view(moving("desk", 9, "b:1", "c:1", false, "c:1"))))
                .as("twice between two looks")
                .containsExactly("moved desk (from a:1 to c:1)");
    }

    @Test
    void ofSeveralInstancesTheOneThatMovesIsNamed() {
        assertThat(texts(
                        view(moving("desk", 5, "b:1", "c:1", true, "a:1", "b:1")),
                        view(moving("desk", 5, "b:1", "c:1", false, "a:1", "c:1"))))
                .containsExactly("moved desk (from b:1 to c:1)");
    }

    @Test
    void aMoveThatIsCalledOffIsTold() {
        PartitionView moving = view(moving("desk", 5, "a:1", "b:1", true, "a:1"));
        assertThat(texts(moving, view(row("desk", "a:1"))))
                .containsExactly("stays desk (on a:1, the move to b:1 was called off)");
    }

    @Test
    void whoeverLosesItsHostStartsElsewhere() {
        PartitionView before = view(row("desk", "gone:1"), row("lane", "gone:1", "a:1"));
        assertThat(texts(before, view(row("desk"), row("lane", "a:1", "b:1"))))
                .containsExactly("lost its host desk (gone:1)", "lost its host lane (gone:1)", "starts lane (on b:1)");
        assertThat(texts(view(row("desk")), view(row("desk", "b:1")))).containsExactly("starts desk (on b:1)");
    }

    @Test
    void instancesComeAndGoWithTheirNumberAndPartitionsBeginAndEnd() {
        assertThat(texts(view(row("lane", "a:1", "b:1")), view(row("lane", "a:1"))))
                .containsExactly("stops lane (on b:1)");
        assertThat(texts(view(), view(row("lane", "a:1")))).containsExactly("starts lane (on a:1)");
        assertThat(texts(view(row("lane", "a:1")), view())).containsExactly("ended lane");
    }

    @Test
    void manyAtOnceAreOneLine() {
        PartitionView before = view(many(i -> row("p/" + i, "a:1")));
        assertThat(texts(
                        before,
                        view(many(i -> moving(
                                "p/" + i, i, "a:1", i % 2 == 0 ? "b:1" : "c:1", false, i % 2 == 0 ? "b:1" : "c:1")))))
                .containsExactly("moved 34 partitions (from a:1)");
        assertThat(texts(before, view(many(i -> moving("p/" + i, 90 + i, "a:1", "b:1", true, "a:1")))))
                .containsExactly("move 34 partitions (from a:1 to b:1)");
        PartitionView onTheLost = view(many(i -> row("p/" + i, "gone:1")));
        assertThat(texts(onTheLost, view(many(i -> row("p/" + i, i % 2 == 0 ? "b:1" : "c:1")))))
                .containsExactly("lost their host 34 partitions (gone:1)", "start 34 partitions");
    }

    @Test
    void whoKnowsLessThanTheOneBeforeIsNotBelieved() {
        PartitionView first = at("a", "1", 7);
        assertThat(at("b", "2", 6).isOlderThan(first)).isTrue();
        assertThat(at("b", "2", 7).isOlderThan(first)).isFalse();
        assertThat(at("a", "1", 6).isOlderThan(first)).isFalse();
    }

    @Test
    void whoHasRestartedAtTheSamePlaceIsNotBelievedBeforeItKnowsAsMuch() {
        PartitionView first = at("a", "1", 50);
        assertThat(at("a", "3", 0).isOlderThan(first)).isTrue();
        assertThat(at("a", "3", 51).isOlderThan(first)).isFalse();
        assertThat(at("a", "", 0).isOlderThan(at("a", "", 50)))
                .as("a node that does not say which incarnation it is")
                .isFalse();
    }

    private static PartitionView at(String selfNode, String selfUid, long revision) {
        return new PartitionView(selfNode, selfUid, revision, true, new TreeMap<>());
    }

    private static List<String> texts(PartitionView before, PartitionView after) {
        List<Row> members = List.of(member("a:1"), member("b:1"), member("c:1"));
        ClusterView cluster = new ClusterView("muster://s@a:1", members, Map.of(), Optional.empty());
        return PartitionChanges.between(before, after, cluster).stream()
                .map(change -> change.toString().replaceAll(" +", " ").strip())
                .toList();
    }

    private static Row member(String place) {
        return new Row("muster://s@" + place, "1", "Up", List.of());
    }

    private static PartitionView.Row[] many(IntFunction<PartitionView.Row> row) {
        return IntStream.range(0, 34).mapToObj(row).toArray(PartitionView.Row[]::new);
    }

    private static PartitionView view(PartitionView.Row... rows) {
        TreeMap<String, PartitionView.Row> byPath = new TreeMap<>();
        Arrays.stream(rows).forEach(row -> byPath.put(row.path(), row));
        return new PartitionView("muster://s@a:1", "1", 1, true, byPath);
    }

    private static PartitionView.Row row(String path, String... hosts) {
        return new PartitionView.Row(path, List.of(hosts), Optional.empty());
    }

    private static PartitionView.Row moving(
            String path, long id, String from, String to, boolean isPending, String... hosts) {
        return new PartitionView.Row(path, List.of(hosts), Optional.of(new Move(id, from, to, isPending)));
    }
}
