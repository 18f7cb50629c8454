package dev.muster.node.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.node.client.ClusterView.Row;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeTest {

    private static final String A = "muster://s@a:1";
    private static final String B = "muster://s@b:1";

    @Test
    void aNewcomerJoinsAndIsWhatItIs() {
        assertThat(texts(ClusterView.NOTHING, view(A, row(A, "1", "Up"), row(B, "2", "Joining"))))
                .containsExactly("joined a:1", "up a:1", "joined b:1", "leads a:1");
    }

    @Test
    void silenceAndItsEndAreTold() {
        ClusterView well = view(A, row(A, "1", "Up"), row(B, "2", "Up"));
        ClusterView split = new ClusterView(A, well.members(), Map.of(B, List.of(A)), Optional.of(A));
        assertThat(texts(well, split)).containsExactly("unreachable b:1 (so say a:1)");
        assertThat(texts(split, well)).containsExactly("reachable again b:1");
    }

    @Test
    void aRemovedMemberIsNotReachableAgain() {
        ClusterView split = new ClusterView(
                A, List.of(row(A, "1", "Up"), row(B, "2", "Down")), Map.of(B, List.of(A)), Optional.of(B));
        assertThat(texts(split, view(A, row(A, "1", "Up")))).containsExactly("removed b:1 (was Down)", "leads a:1");
    }

    @Test
    void aNewIncarnationIsSomebodyElse() {
        assertThat(texts(view(A, row(B, "2", "Down")), view(A, row(B, "3", "WeaklyUp"))))
                .containsExactly("joined b:1", "weakly up b:1", "removed b:1 (was Down)");
    }

    private static List<String> texts(ClusterView before, ClusterView after) {
        return Change.between(before, after).stream()
                .map(change -> change.toString().replaceAll(" +", " "))
                .toList();
    }

    private static ClusterView view(String leader, Row... rows) {
        return new ClusterView(A, List.of(rows), Map.of(), Optional.of(leader));
    }

    private static Row row(String node, String uid, String status) {
        return new Row(node, uid, status, List.of());
    }
}
