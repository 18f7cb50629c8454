package dev.muster.core.spec;

import static dev.muster.core.spec.NodeAssert.assertThat;
import static dev.muster.core.spec.TestCluster.aCluster;
import static dev.muster.core.state.MemberStatus.JOINING;
import static dev.muster.core.state.MemberStatus.REMOVED;
import static dev.muster.core.state.MemberStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Nodes;
import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.MemberStatus;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** "Gossip Convergence": when a node can prove that all others have observed what it observes. */
class GossipConvergenceSpecTest {

    @Test
    void thereIsConvergenceWhenAllNodesAreInTheSeenSet() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.runUntilConverged();

        for (String name : new String[] {"a", "b", "c"}) {
            assertThat(cluster.node(name)).hasConverged();
            assertThat(cluster.node(name).state().seen().count()).isEqualTo(3);
        }
    }

    @Test
    void aChangeEndsConvergenceUntilAllHaveSeenIt() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.lose(message -> message instanceof GossipMessage);

        cluster.node("b").leave("c");
        cluster.runFor(Duration.ofSeconds(2));
        assertThat(cluster.node("b")).hasNotConverged();

        cluster.lose(message -> false);
        cluster.runUntilConverged();
    }

    @Test
    void anUnreachableNodeBlocksConvergenceUntilItIsDowned() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();

        cluster.split("c");
        cluster.runFor(Duration.ofSeconds(10));
        assertThat(cluster.node("a")).hasNotConverged();

        cluster.node("a").down("c");
        cluster.runFor(Duration.ofSeconds(3));
        assertThat(cluster.node("a")).sees("c", REMOVED).hasConverged();
        assertThat(cluster.node("b")).sees("c", REMOVED).hasConverged();
    }

    @Test
    void anUnreachableNodeBlocksConvergenceUntilItIsReachableAgain() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.split("c");
        cluster.runFor(Duration.ofSeconds(10));
        assertThat(cluster.node("a")).doesNotReach("c").hasNotConverged();

        cluster.heal();
        cluster.runFor(Duration.ofSeconds(10));

        assertThat(cluster.node("a")).reaches("c").hasConverged();
        assertThat(cluster.node("c")).reaches("a").reaches("b").hasConverged();
    }

    @Test
    void duringASplitNodesCanJoinButAreNotMovedUp() {
        TestCluster cluster = aCluster("a", "b", "c")
                .with(s -> s.withLifecycle(s.lifecycle().withWeaklyUpAfter(Optional.empty())))
                .allUp();
        cluster.split("c");
        cluster.runFor(Duration.ofSeconds(10));

        cluster.add("d").joinSeeds();
        cluster.runFor(Duration.ofSeconds(20));
        assertThat(cluster.node("a")).sees("d", JOINING);

        cluster.heal();
        cluster.runFor(Duration.ofSeconds(10));
        assertThat(cluster.node("a")).sees("d", UP);
        assertThat(cluster.node("c")).sees("d", UP);
    }

    @Test
    void whatIsBlockedIsManagementAndNotTheNodesThemselves() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.split("c");
        cluster.runFor(Duration.ofMinutes(2));

        assertThat(cluster.node("a")).isRunning().sees("a", UP).sees("b", UP).sees("c", UP);
        assertThat(cluster.node("c")).isRunning().sees("c", UP);
    }

    @Test
    void theDefaultStrategyDecidesSoThatTheBlockEnds() {
        TestCluster cluster = aCluster("a", "b", "c")
                .with(s -> s.withDowning(s.downing().withStrategy(new DowningStrategy.KeepMajority(""))))
                .allUp();

        cluster.split("c");
        cluster.runFor(Duration.ofSeconds(30));

        assertThat(cluster.node("a")).sees("c", REMOVED).hasConverged();
        assertThat(cluster.node("c")).hasStopped();
        assertThat(cluster.node("c").stopReason()).contains("declared down");
    }

    /** The leader acts on convergence, so it should not have to wait for a round to bring the last seen set. */
    @Test
    void whoPutsTheSeenSetTogetherTellsTheLeader() {
        TestCluster cluster = aCluster("a", "b", "c", "d").allUp();
        ClusterState newer = withJoiner(cluster);

        assertThat(reportsToLeader(cluster, "b", newer)).as("c has not seen it").isZero();
        assertThat(reportsToLeader(cluster, "b", newer.seenBy(cluster.node("a").id())))
                .as("nor is it all but c")
                .isZero();
        ClusterState allButB =
                newer.seenBy(cluster.node("a").id()).seenBy(cluster.node("c").id());
        assertThat(reportsToLeader(cluster, "b", allButB)).as("now it is all").isEqualTo(1);
        assertThat(reportsToLeader(cluster, "b", allButB))
                .as("it was all before")
                .isZero();
    }

    @Test
    void whoIsToldTheWholeSeenSetHasNothingToReport() {
        TestCluster cluster = aCluster("a", "b", "c", "d").allUp();
        ClusterState whole = withJoiner(cluster)
                .seenBy(cluster.node("a").id())
                .seenBy(cluster.node("b").id())
                .seenBy(cluster.node("c").id());

        assertThat(reportsToLeader(cluster, "b", whole)).isZero();
    }

    /** What d makes of the state that all have seen, and nobody has seen so far. */
    private static ClusterState withJoiner(TestCluster cluster) {
        TestNode d = cluster.node("d");
        return d.state().withMember(d.id(), Nodes.member(Nodes.node("x", 99), MemberStatus.JOINING));
    }

    /** How many messages to the leader follow at once when a node hears this from c. */
    private static long reportsToLeader(TestCluster cluster, String listener, ClusterState state) {
        TestNode node = cluster.node(listener);
        int before = node.sent().size();
        node.hears(cluster.node("c").id(), new GossipMessage.GossipState(node.id(), state));
        return node.sent().stream()
                .skip(before)
                .filter(sent -> sent.to().equals(cluster.node("a").id().address()))
                .count();
    }
}
