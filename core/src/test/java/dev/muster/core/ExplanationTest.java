package dev.muster.core;

import static dev.muster.core.Nodes.node;
import static dev.muster.core.spec.TestCluster.aCluster;
import static dev.muster.core.state.MemberStatus.JOINING;
import static dev.muster.core.state.MemberStatus.LEAVING;
import static dev.muster.core.state.MemberStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.exchange.Input;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.spec.TestCluster;
import dev.muster.core.spec.TestNode;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Answers are sentences with names, versions and ages. */
class ExplanationTest {

    @Test
    void aNodeThatIsNoMemberSaysWhatItWaitsFor() {
        TestCluster cluster = aCluster("a", "b");
        assertThat(explain(cluster, "b").convergence()).containsExactly("this node is no member of a cluster");

        cluster.node("b").joinSeeds();
        assertThat(explain(cluster, "b").convergence())
                .containsExactly("this node is no member of a cluster: asking seed nodes [muster://test@a:2552], "
                        + "attempt 1; silent so far: [muster://test@a:2552]");
    }

    @Test
    void aConvergedStateIsNamedWithVersionAndAge() {
        TestCluster cluster = aCluster("a").allUp();
        cluster.runFor(Duration.ofMillis(2_500));

        assertThat(explain(cluster, "a").convergence())
                .containsExactly("converged: all members that count have seen version "
                        + cluster.node("a").state().version() + ", 2.5 s old");
    }

    @Test
    void thoseWhoseEyesAreMissingAreNamed() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.lose(message -> message instanceof GossipMessage);
        cluster.node("a").leave("c");

        assertThat(explain(cluster, "a").convergence())
                .containsExactly(
                        "not converged on version " + cluster.node("a").state().version() + ", 0.0 s old",
                        "not yet seen by b:2552#2 Up, c:2552#3 Leaving");
    }

    @Test
    void blockersAreNamedWithTheirAccusersAndAges() {
        TestCluster cluster = aCluster("a", "b").allUp();
        cluster.runFor(Duration.ofSeconds(5));
        cluster.crash("b");
        cluster.runUntil(() -> !cluster.node("a").reaches("b"));
        cluster.runFor(Duration.ofSeconds(3));

        assertThat(explain(cluster, "a").convergence())
                .hasSize(4)
                .contains(
                        "not yet seen by b:2552#2 Up",
                        "blocked because b:2552#2 Up is unreachable: so say a:2552#1 for 3.0 s")
                .anyMatch(sentence -> sentence.contains("an operator must say who is down"));
        assertThat(explain(cluster, "a").unreachable(cluster.node("b").id()))
                .contains(
                        "b:2552#2 Up is unreachable: so say a:2552#1 for 3.0 s",
                        "it is reachable again when all of them hear from it, or are down")
                .anyMatch(sentence -> sentence.matches("this node watches it: phi is \\d+\\.\\d\\d now"));
    }

    @Test
    void theNextDecisionIsAnnounced() {
        TestCluster cluster = aCluster("a", "b", "c")
                .with(s -> s.withDowning(s.downing().withStrategy(new DowningStrategy.KeepMajority(""))))
                .allUp();
        cluster.crash("c");
        cluster.runUntil(() -> !cluster.node("a").reaches("c"));

        assertThat(explain(cluster, "a").unreachable(cluster.node("c").id()))
                .anyMatch(sentence -> sentence.contains("keep-majority decides in"));
    }

    @Test
    void aReachableMemberIsSaidToBeSo() {
        TestCluster cluster = aCluster("a", "b").allUp();

        assertThat(explain(cluster, "a").unreachable(cluster.node("b").id()))
                .hasSize(2)
                .startsWith("b:2552#2 Up is reachable: no member that is not down says otherwise");
        assertThat(explain(cluster, "a").unreachable(cluster.node("a").id()))
                .containsExactly("a:2552#1 Up is reachable: no member that is not down says otherwise");
    }

    @Test
    void aQuarantinedMemberCannotComeBack() {
        TestCluster cluster = aCluster("a", "b").allUp();
        cluster.node("a").handle(new Input.PeerQuarantined(cluster.node("b").id()));

        assertThat(explain(cluster, "a").unreachable(cluster.node("b").id()))
                .contains(
                        "b:2552#2 Up is terminated: so say a:2552#1 for 0.0 s",
                        "it cannot come back with this uid; it will be removed once it is down");
    }

    @Test
    void whyAMemberIsNotUp() {
        TestCluster cluster =
                aCluster("a", "b").with(s -> s.withLifecycle(s.lifecycle().withMinNrOfMembers(2)));
        TestNode a = cluster.node("a").joinSeeds();
        assertThat(a.status("a")).isEqualTo(JOINING);

        assertThat(explain(cluster, "a").notUp(a.id()))
                .containsExactly(
                        "a:2552#3 Joining waits to be moved up by the leader",
                        "nobody becomes up yet: min-nr-of-members is 2 and the cluster has 1",
                        "the leader is a:2552#3",
                        "converged: all members that count have seen version "
                                + a.state().version() + ", 0.0 s old");
    }

    @Test
    void aJoiningMemberThatNothingHoldsBackWaitsForConvergence() {
        TestCluster cluster = aCluster("a", "b")
                .with(s -> s.withLifecycle(s.lifecycle().withWeaklyUpAfter(Optional.empty())))
                .allUp();
        cluster.crash("b");
        cluster.runFor(Duration.ofSeconds(10));
        NodeId c = cluster.add("c").joinSeeds().id();
        cluster.runFor(Duration.ofSeconds(2));

        assertThat(explain(cluster, "a").notUp(c))
                .startsWith(c + " Joining waits to be moved up by the leader", "the leader is a:2552#3")
                .anyMatch(sentence -> sentence.startsWith("blocked because b:2552#4 Up is unreachable"));
    }

    /** It may have the table, and yet waits: the others may have a later one. */
    @Test
    void thoseOfWhoseTableTheLeaderHasNotHeardAreNamed() {
        TestCluster cluster = aCluster("a", "b").allUp();
        PartitionSpec spec = new PartitionSpec(1, "", HandoffPolicy.stateless());
        cluster.node("a").give(new Command.WantPartition(new PartitionPath("one"), spec));
        cluster.runFor(Duration.ofSeconds(2));
        NodeId a = cluster.node("a").id();
        cluster.lose(
                message -> message instanceof TableMessage table && table.to().equals(a));
        cluster.node("a").give(new Command.WantPartition(new PartitionPath("two"), spec));
        NodeId c = cluster.add("c").joinSeeds().id();
        cluster.runFor(Duration.ofSeconds(2));

        assertThat(explain(cluster, "a").notUp(c))
                .contains(
                        "it has not said yet that it has the partition table",
                        "others have not said yet that they have the partition table as it is now: b:2552#2 Up");
        assertThat(explain(cluster, "b").notUp(c)).noneMatch(it -> it.contains("table"));
        cluster.lose(message -> false);
        cluster.runFor(Duration.ofSeconds(2));
        assertThat(cluster.node("a").status("c")).isEqualTo(UP);
    }

    @Test
    void aMemberThatIsUpOrOnItsWayOutIsSaidToBeSo() {
        TestCluster cluster = aCluster("a", "b").allUp();
        assertThat(explain(cluster, "a").notUp(cluster.node("b").id())).containsExactly("b:2552#2 Up is up, number 2");

        cluster.node("a").leave("b");
        assertThat(cluster.node("a").status("b")).isEqualTo(LEAVING);
        assertThat(explain(cluster, "a").notUp(cluster.node("b").id()))
                .containsExactly("b:2552#2 Leaving is on its way out");
    }

    @Test
    void whoIsNoMemberIsExplainedToo() {
        TestCluster cluster = aCluster("a", "b").allUp();
        NodeId old = cluster.node("b").id();
        NodeId newer = node("b", 99);
        cluster.node("a").hears(newer, new JoinMessage.Join(List.of(), "1", JoinConfiguration.UNKNOWN));

        assertThat(explain(cluster, "a").notUp(newer))
                .containsExactly("b:2552#99 waits until the older incarnation at its address is removed: b:2552#2 Up");
        assertThat(explain(cluster, "a").unreachable(node("x")))
                .containsExactly("x:2552#24 is no member of this cluster");

        cluster.node("a").down("b");
        cluster.runFor(Duration.ofSeconds(3));
        assertThat(explain(cluster, "a").unreachable(old))
                .containsExactly("b:2552#2 was removed; a node with this uid cannot come back, restart it so that it "
                        + "gets a new one");
    }

    private static Explanation explain(TestCluster cluster, String name) {
        return cluster.node(name).core().explain(cluster.now());
    }
}
