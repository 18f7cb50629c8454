package dev.muster.core.spec;

import static dev.muster.core.spec.NodeAssert.assertThat;
import static dev.muster.core.spec.TestCluster.aCluster;
import static dev.muster.core.state.MemberStatus.EXITING;
import static dev.muster.core.state.MemberStatus.JOINING;
import static dev.muster.core.state.MemberStatus.LEAVING;
import static dev.muster.core.state.MemberStatus.REMOVED;
import static dev.muster.core.state.MemberStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Input;
import dev.muster.core.membership.DowningStrategy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** "Leader" and "Leader Actions": a role that everybody recognises alike, and what it does. */
class LeaderSpecTest {

    @Test
    void everyNodeNamesTheSameLeaderOnConvergence() {
        TestCluster cluster = aCluster("m", "z", "b").allUp();

        assertThat(cluster.node("m")).follows("b");
        assertThat(cluster.node("z")).follows("b");
        assertThat(cluster.node("b")).follows("b");
    }

    @Test
    void theLeaderIsTheFirstInOrderAmongThoseThatCanLead() {
        TestCluster cluster = aCluster("m", "z").allUp();
        assertThat(cluster.node("m")).follows("m");

        cluster.add("a").joinSeeds();
        cluster.runUntil(() -> cluster.node("m").status("a") == UP);
        assertThat(cluster.node("m")).follows("a");
        assertThat(cluster.node("m").events(ClusterEvent.LeaderChanged.class))
                .last()
                .isEqualTo(new ClusterEvent.LeaderChanged(
                        Optional.of(cluster.node("a").id())));
    }

    @Test
    void anotherNodeLeadsWhenTheLeaderCannotBeReached() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();

        cluster.split("a");
        cluster.runFor(Duration.ofSeconds(10));

        assertThat(cluster.node("b")).follows("b");
        assertThat(cluster.node("c")).follows("b");
        assertThat(cluster.node("a")).follows("a");
    }

    @Test
    void theLeaderMovesJoiningMembersUp() {
        TestCluster cluster = aCluster("a", "b").allUp();

        cluster.add("c").joinSeeds();
        cluster.runUntil(() -> cluster.node("b").status("c") == JOINING);
        cluster.runUntil(() -> cluster.node("b").status("c") == UP);

        assertThat(cluster.node("b").member("c").orElseThrow().upNumber()).isEqualTo(3);
    }

    @Test
    void theLeaderMovesLeavingMembersOut() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        TestNode b = cluster.node("b");
        cluster.node("c").neverFinishesExitTasks();

        b.leave("c");
        assertThat(b).sees("c", LEAVING);
        cluster.runUntil(() -> b.status("c") == EXITING && cluster.node("c").status("c") == EXITING);
        cluster.node("c").handle(new Input.ExitTasksDone());
        cluster.runUntil(() -> b.status("c") == REMOVED);

        assertThat(cluster.node("c")).hasStopped();
        assertThat(cluster.node("c").stopReason()).isEqualTo("this node has left the cluster");
        assertThat(cluster.node("a").quarantined()).isEmpty();
    }

    @Test
    void aLeaderCanLeaveAndIsFollowedByTheNext() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();

        cluster.node("a").leave("a");
        cluster.runUntil(() ->
                cluster.node("b").status("a") == REMOVED && cluster.node("c").status("a") == REMOVED);

        assertThat(cluster.node("b")).follows("b");
        assertThat(cluster.node("c")).follows("b");
    }

    @Test
    void theLastMemberCanLeaveToo() {
        TestCluster cluster = aCluster("a").allUp();

        cluster.node("a").leave("a");
        cluster.runFor(Duration.ofSeconds(3));

        assertThat(cluster.node("a")).hasStopped();
    }

    @Test
    void withAutoDownTheLeaderDeclaresUnreachableMembersDownAfterTheTimeThatIsSet() {
        TestCluster cluster = aCluster("a", "b", "c")
                .with(s -> s.withDowning(s.downing().withStrategy(new DowningStrategy.AutoDown(Duration.ofSeconds(5)))))
                .allUp();
        cluster.crash("c");
        cluster.runUntil(() -> !cluster.node("a").reaches("c"));

        cluster.runFor(Duration.ofMillis(4_900));
        assertThat(cluster.node("a")).sees("c", UP);
        cluster.runFor(Duration.ofSeconds(2));
        assertThat(cluster.node("a")).sees("c", REMOVED);
        assertThat(cluster.node("a").events(ClusterEvent.DowningDecided.class)).hasSize(1);
        assertThat(cluster.node("b").events(ClusterEvent.DowningDecided.class)).isEmpty();
    }

    @Test
    void rolesHaveLeadersOfTheirOwn() {
        TestCluster cluster = aCluster("a", "b", "c")
                .with("c", s -> s.withJoin(s.join().withRoles(List.of("back"))))
                .allUp();

        assertThat(cluster.node("a").events(ClusterEvent.RoleLeaderChanged.class))
                .containsExactly(new ClusterEvent.RoleLeaderChanged(
                        "back", Optional.of(cluster.node("c").id())));
    }
}
