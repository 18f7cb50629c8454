package dev.muster.core.spec;

import static dev.muster.core.Nodes.address;
import static dev.muster.core.spec.NodeAssert.assertThat;
import static dev.muster.core.spec.TestCluster.aCluster;
import static dev.muster.core.state.MemberStatus.REMOVED;
import static dev.muster.core.state.MemberStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.ClusterSnapshot.Phase;
import dev.muster.core.Nodes;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.JoinMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** "Seed Nodes": contact points for new nodes, of no influence on a running cluster. */
class SeedNodesSpecTest {

    @Test
    void aNewNodeAsksAllSeedsAndJoinsTheFirstThatAnswers() {
        TestCluster cluster = seeded("a", "b", "c").allUp();
        TestNode d = cluster.add("d").joinSeeds();

        assertThat(d.sent(JoinMessage.SeedContact.class)).hasSize(3);
        cluster.runUntil(() -> cluster.node("a").status("d") == UP);
        assertThat(d.sent(JoinMessage.Join.class)).hasSize(1);
    }

    @Test
    void onlyTheFirstSeedFormsACluster() {
        TestCluster cluster = seeded("a", "b", "c");
        cluster.node("b").joinSeeds();
        cluster.node("c").joinSeeds();
        cluster.runFor(Duration.ofMinutes(2));
        assertThat(cluster.node("b").snapshot().phase()).isEqualTo(Phase.JOINING);
        assertThat(cluster.node("b").events(ClusterEvent.StillJoining.class)).hasSizeGreaterThan(20);

        cluster.node("a").joinSeeds();
        cluster.runUntil(
                () -> cluster.node("a").status("c") == UP && cluster.node("c").status("b") == UP);
        assertThat(cluster.node("a").events(ClusterEvent.ClusterFormed.class)).hasSize(1);
        assertThat(cluster.node("b").events(ClusterEvent.ClusterFormed.class)).isEmpty();
    }

    @Test
    void theFirstSeedFormsAtOnceWhenAllOthersSayThatTheyAreNoMembers() {
        TestCluster cluster = seeded("a", "b", "c");
        cluster.node("a").joinSeeds();

        cluster.runFor(Duration.ofMillis(10));

        assertThat(cluster.node("a").events(ClusterEvent.ClusterFormed.class))
                .containsExactly(
                        new ClusterEvent.ClusterFormed("all other seed nodes answered that they are no members"));
    }

    @Test
    void theFirstSeedWaitsForSilentSeedsUntilTheTimeout() {
        TestCluster cluster = seeded("a", "b", "c");
        cluster.crash("b");
        cluster.node("a").joinSeeds();

        cluster.runFor(Duration.ofMillis(4_999));
        assertThat(cluster.node("a").snapshot().phase()).isEqualTo(Phase.JOINING);
        cluster.runFor(Duration.ofMillis(2));
        assertThat(cluster.node("a").snapshot().phase()).isEqualTo(Phase.MEMBER);
    }

    @Test
    void aProcessThatWasAMemberDoesNotTakeSilenceForAnAnswer() {
        TestCluster cluster = seeded("a", "b");
        cluster.crash("b");

        cluster.node("a").give(new Command.JoinSeeds(true));
        cluster.runFor(Duration.ofMinutes(5));

        assertThat(cluster.node("a").snapshot().phase()).isEqualTo(Phase.JOINING);
    }

    @Test
    void aRestartedFirstSeedJoinsTheClusterThatIsThere() {
        TestCluster cluster = seeded("a", "b", "c").allUp();

        TestNode again = cluster.restart("a");
        cluster.runFor(Duration.ofSeconds(1));
        again.joinSeeds();
        cluster.runUntil(
                () -> cluster.node("b").status("a") == UP && cluster.node("c").status("a") == UP);

        assertThat(again.events(ClusterEvent.ClusterFormed.class)).isEmpty();
        assertThat(cluster.node("b").state().members()).hasSize(3);
    }

    @Test
    void aNodeCanJoinAnyMemberNotOnlySeeds() {
        TestCluster cluster = aCluster("a", "b").allUp();

        cluster.add("c").joinTo("b");
        cluster.runUntil(() -> cluster.node("a").status("c") == UP);
    }

    @Test
    void joinIsRepeatedWhenTheWelcomeIsLost() {
        TestCluster cluster = aCluster("a", "b").allUp();
        cluster.lose(message -> message instanceof JoinMessage.Welcome);
        cluster.add("c").joinSeeds();
        cluster.runFor(Duration.ofSeconds(3));
        assertThat(cluster.node("c").snapshot().phase()).isEqualTo(Phase.JOINING);

        cluster.lose(message -> false);
        cluster.runUntil(() -> cluster.node("c").status("c") == UP);
        assertThat(cluster.node("a").state().members()).hasSize(3);
    }

    @Test
    void anIncompatibleNodeIsRefusedWithReasonsAtBothEnds() {
        TestCluster cluster =
                aCluster("a", "b").with("b", s -> s.withJoin(s.join().withWireVersion("2")));
        cluster.node("a").joinSeeds();
        cluster.node("b").joinSeeds();
        cluster.runFor(Duration.ofSeconds(2));

        assertThat(cluster.node("a")).sees("b", REMOVED);
        String reason = "cluster.wire-version is '1' in the cluster but '2' on the joining node; use the same value on "
                + "all nodes";
        assertThat(cluster.node("a").events(ClusterEvent.JoinRefused.class))
                .contains(new ClusterEvent.JoinRefused(address("b"), List.of(reason)));
        assertThat(cluster.node("b").events(ClusterEvent.JoinRefused.class))
                .contains(new ClusterEvent.JoinRefused(address("a"), List.of(reason)));
    }

    @Test
    void twoIslandsWithOneNameAreNoticedAndNeverMerge() {
        TestCluster cluster = seeded("a", "b", "c");
        cluster.split("a");
        cluster.node("b").give(new Command.JoinTo(address("b")));
        cluster.node("c").joinSeeds();
        cluster.node("a").joinSeeds();
        cluster.runFor(Duration.ofSeconds(10));
        assertThat(cluster.node("a").events(ClusterEvent.ClusterFormed.class)).hasSize(1);

        cluster.heal();
        cluster.runFor(Duration.ofSeconds(60));

        assertThat(cluster.node("a").events(ClusterEvent.IslandSuspected.class)).isNotEmpty();
        assertThat(cluster.node("a")).sees("b", REMOVED).sees("c", REMOVED);
        assertThat(cluster.node("b")).sees("a", REMOVED).sees("c", UP);
    }

    /** All of them seeds, in this order. */
    private static TestCluster seeded(String... names) {
        return aCluster(names)
                .with(s -> s.withJoin(s.join()
                        .withSeedNodes(
                                List.of(names).stream().map(Nodes::address).toList())));
    }
}
