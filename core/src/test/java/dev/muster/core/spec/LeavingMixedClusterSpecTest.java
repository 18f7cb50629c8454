package dev.muster.core.spec;

import static dev.muster.core.spec.TestCluster.aCluster;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.ClusterEvent.MemberDrained;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Input;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Invariant P9: a host drains before it goes, and says with what it goes; where a member is not Muster and may lead, it
 * drains before it says that it leaves.
 */
class LeavingMixedClusterSpecTest {
    private static final PartitionPath PATH = new PartitionPath("only");

    /** Led by a, which lets a leaving member go as soon as all know that it leaves. */
    private static TestCluster mixed() {
        TestCluster cluster = aCluster("b", "a", "c", "d").withForeign("a").allUp();
        assertThat(cluster.node("b").leader()).isEqualTo("a");
        return cluster;
    }

    private static TestNode hosting(TestCluster cluster) {
        cluster.node("b").give(new Command.WantPartition(PATH, new PartitionSpec(1, "", HandoffPolicy.singleton())));
        cluster.runUntil(() -> List.of("b", "c", "d").stream()
                .allMatch(it -> !hosts(cluster.node(it)).isEmpty()));
        return cluster.nodes.values().stream()
                .filter(it -> hosts(cluster.node("b")).contains(it.id()))
                .findFirst()
                .orElseThrow();
    }

    private static List<NodeId> hosts(TestNode node) {
        return node.core()
                .partitions()
                .find(PATH)
                .map(PartitionEntry::instances)
                .orElse(List.of());
    }

    private static TestNode another(TestCluster cluster, TestNode than) {
        return cluster.node(than.name().equals("c") ? "d" : "c");
    }

    private static void awaitGone(TestCluster cluster, TestNode leaving, TestNode other) {
        cluster.runUntil(() -> other.status(leaving.name()) == MemberStatus.REMOVED && !leaving.isRunning());
    }

    @Test
    void aHostHandsOverAndThenSaysThatItLeaves() {
        TestCluster cluster = mixed();
        TestNode leaving = hosting(cluster);
        TestNode other = another(cluster, leaving);
        leaving.leave(leaving.name());
        assertThat(leaving.status(leaving.name())).isEqualTo(MemberStatus.UP);

        cluster.runUntil(() -> leaving.status(leaving.name()) == MemberStatus.LEAVING);

        assertThat(hosts(leaving)).hasSize(1).doesNotContain(leaving.id());
        assertThat(leaving.events(MemberDrained.class))
                .singleElement()
                .satisfies(it -> assertThat(it.left()).isEmpty());
        awaitGone(cluster, leaving, other);
        assertThat(hosts(other)).hasSize(1).doesNotContain(leaving.id());
    }

    @Test
    void aHostThatAnotherNodeWantsToLeaveIsToldAndDoesTheSame() {
        TestCluster cluster = mixed();
        TestNode leaving = hosting(cluster);
        TestNode other = another(cluster, leaving);
        other.leave(leaving.name());

        cluster.runUntil(() -> other.status(leaving.name()) == MemberStatus.LEAVING);

        assertThat(hosts(other)).hasSize(1).doesNotContain(leaving.id());
        awaitGone(cluster, leaving, other);
    }

    @Test
    void ifItCannotBeToldItLeavesLikeAnyOther() {
        TestCluster cluster = mixed();
        TestNode leaving = hosting(cluster);
        TestNode other = another(cluster, leaving);
        cluster.lose(message -> message instanceof TableMessage.PleaseLeave);
        other.leave(leaving.name());
        cluster.runFor(Duration.ofSeconds(4));
        assertThat(leaving.status(leaving.name())).isEqualTo(MemberStatus.UP);
        awaitGone(cluster, leaving, other);
    }

    @Test
    void whenItsTimeIsUpItLeavesWithWhatIsLeft() {
        TestCluster cluster = mixed();
        TestNode leaving = hosting(cluster);
        cluster.movesNeverEnd();
        leaving.leave(leaving.name());
        cluster.runFor(Duration.ofSeconds(59));
        assertThat(leaving.status(leaving.name())).isEqualTo(MemberStatus.UP);
        cluster.runFor(Duration.ofSeconds(2));
        assertThat(leaving.status(leaving.name())).isNotEqualTo(MemberStatus.UP);
        assertThat(leaving.events(MemberDrained.class))
                .singleElement()
                .satisfies(it -> assertThat(it.left()).containsExactly(PATH));
        awaitGone(cluster, leaving, another(cluster, leaving));
    }

    @Test
    void whoHasNothingToHandOverLeavesAtOnce() {
        TestCluster cluster = mixed();
        TestNode leaving = another(cluster, hosting(cluster));
        leaving.leave(leaving.name());
        assertThat(leaving.status(leaving.name())).isEqualTo(MemberStatus.LEAVING);
    }

    @Test
    void whenAllThatCouldHostLeaveNobodyWaitsForAnother() {
        TestCluster cluster = mixed();
        hosting(cluster);
        for (String name : List.of("b", "c", "d")) {
            cluster.node(name).leave(name);
        }
        TestNode last = cluster.node("a");
        cluster.runUntil(() -> List.of("b", "c", "d").stream().allMatch(it -> last.status(it) == MemberStatus.REMOVED));
        assertThat(cluster.now()).isLessThan(Duration.ofSeconds(30).toNanos());
    }

    @Test
    void amongItselfMusterSaysAtOnceThatItLeaves() {
        TestCluster cluster = aCluster("b", "a", "c", "d").allUp();
        TestNode leaving = hosting(cluster);
        leaving.leave(leaving.name());
        assertThat(leaving.status(leaving.name())).isEqualTo(MemberStatus.LEAVING);
        awaitGone(cluster, leaving, another(cluster, leaving));
        assertThat(hosts(another(cluster, leaving))).doesNotContain(leaving.id());
    }

    /** The log of the leaver is where people look, whoever leads. */
    @Test
    void amongItselfMusterTheLeaverSaysTooThatItHasHandedOver() {
        TestCluster cluster = aCluster("b", "a", "c", "d").allUp();
        TestNode leaving = hosting(cluster);
        leaving.leave(leaving.name());
        awaitGone(cluster, leaving, another(cluster, leaving));
        assertThat(leaving.events(MemberDrained.class))
                .singleElement()
                .satisfies(it -> assertThat(it.left()).isEmpty());
    }

    @Test
    void amongItselfMusterTheLeaverSaysTooWhatIsLeftWhenItsTimeIsUp() {
        TestCluster cluster = aCluster("b", "a", "c", "d").allUp();
        TestNode leaving = hosting(cluster);
        cluster.movesNeverEnd();
        leaving.leave(leaving.name());
        cluster.runFor(Duration.ofSeconds(59));
        assertThat(leaving.events(MemberDrained.class)).isEmpty();
        cluster.runFor(Duration.ofSeconds(5));
        assertThat(leaving.events(MemberDrained.class))
                .singleElement()
                .satisfies(it -> assertThat(it.left()).containsExactly(PATH));
    }

    /** It waits for their word that they have its last rows, and looks as soon as the last of them has said so. */
    @Test
    void aLeaderThatLeavesGoesAsSoonAsAllHaveItsLastRows() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        TestNode leader = cluster.node("a");
        leader.give(new Command.WantPartition(PATH, new PartitionSpec(1, "", HandoffPolicy.singleton())));
        cluster.runUntil(() -> hosts(cluster.node("c")).contains(leader.id()));
        cluster.runFor(Duration.ofSeconds(5));
        leader.leave("a");
        cluster.runUntil(() -> !hosts(leader).contains(leader.id()));
        cluster.runFor(Duration.ofMillis(100));
        assertThat(leader.status("a")).isEqualTo(MemberStatus.EXITING);
    }

    @Test
    void aLeaderThatLeavesSaysItOnce() {
        TestCluster cluster = aCluster("b", "a", "c", "d").allUp();
        TestNode host = hosting(cluster);
        TestNode leader = cluster.node("a");
        assertThat(leader.leader()).isEqualTo("a");
        leader.leave("a");
        awaitGone(cluster, leader, cluster.node(host.name().equals("b") ? "c" : "b"));
        assertThat(leader.events(MemberDrained.class)).hasSize(1);
    }

    @Test
    void aLeaverThatEndsBeforeItMayGoSaysWhatIsLeft() {
        TestCluster cluster = aCluster("b", "a", "c", "d").allUp();
        TestNode leaving = hosting(cluster);
        cluster.movesNeverEnd();
        leaving.leave(leaving.name());
        cluster.runFor(Duration.ofSeconds(5));
        leaving.handle(new Input.ProcessEnds());
        leaving.handle(new Input.ProcessEnds());
        assertThat(leaving.events(MemberDrained.class))
                .singleElement()
                .satisfies(it -> assertThat(it.left()).containsExactly(PATH));
    }

    @Test
    void aLeaverThatIsDeclaredDownSaysWhatIsLeft() {
        TestCluster cluster = aCluster("b", "a", "c", "d").allUp();
        TestNode leaving = hosting(cluster);
        cluster.movesNeverEnd();
        leaving.leave(leaving.name());
        cluster.runFor(Duration.ofSeconds(5));
        another(cluster, leaving).down(leaving.name());
        cluster.runUntil(() -> !leaving.isRunning());
        assertThat(leaving.events(MemberDrained.class))
                .singleElement()
                .satisfies(it -> assertThat(it.left()).containsExactly(PATH));
    }

    /** There it is shown as up until it has handed over. */
    @Test
    void inAMixedClusterALeaverThatIsDeclaredDownSaysWhatIsLeftToo() {
        TestCluster cluster = mixed();
        TestNode leaving = hosting(cluster);
        cluster.movesNeverEnd();
        leaving.leave(leaving.name());
        cluster.runFor(Duration.ofSeconds(5));
        assertThat(leaving.status(leaving.name())).isEqualTo(MemberStatus.UP);
        another(cluster, leaving).down(leaving.name());
        cluster.runUntil(() -> !leaving.isRunning());
        assertThat(leaving.events(MemberDrained.class))
                .singleElement()
                .satisfies(it -> assertThat(it.left()).containsExactly(PATH));
    }
}
