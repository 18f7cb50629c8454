package dev.muster.core.spec;

import static dev.muster.core.spec.NodeAssert.assertThat;
import static dev.muster.core.spec.TestCluster.aCluster;
import static dev.muster.core.state.MemberStatus.JOINING;
import static dev.muster.core.state.MemberStatus.UP;
import static dev.muster.core.state.MemberStatus.WEAKLY_UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.ClusterEvent;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** "Weakly up": taking part while convergence is blocked. */
class WeaklyUpSpecTest {

    @Test
    void whileConvergenceIsBlockedAJoiningMemberBecomesWeaklyUpAfterTheTimeThatIsSet() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.split("c");
        cluster.runUntil(() -> !cluster.node("a").reaches("c"));
        cluster.add("d").joinSeeds();

        cluster.runFor(Duration.ofMillis(6_500));
        assertThat(cluster.node("a")).sees("d", JOINING);
        cluster.runFor(Duration.ofSeconds(2));
        assertThat(cluster.node("a")).sees("d", WEAKLY_UP);
        assertThat(cluster.node("d")).sees("d", WEAKLY_UP);
        assertThat(cluster.node("a").member("d").orElseThrow().upNumber()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void onConvergenceTheLeaderMovesWeaklyUpMembersToUp() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.split("c");
        cluster.runFor(Duration.ofSeconds(8));
        cluster.add("d").joinSeeds();
        cluster.runUntil(() -> cluster.node("d").status("d") == WEAKLY_UP);

        cluster.heal();
        cluster.runFor(Duration.ofSeconds(15));

        assertThat(cluster.node("a")).sees("d", UP);
        assertThat(cluster.node("c")).sees("d", UP);
        assertThat(cluster.node("a").member("d").orElseThrow().upNumber()).isEqualTo(4);
    }

    @Test
    void switchedOffNobodyIsEverWeaklyUp() {
        TestCluster cluster = aCluster("a", "b", "c")
                .with(s -> s.withLifecycle(s.lifecycle().withWeaklyUpAfter(Optional.empty())))
                .allUp();
        cluster.split("c");
        cluster.runFor(Duration.ofSeconds(8));
        cluster.add("d").joinSeeds();
        cluster.runFor(Duration.ofSeconds(60));

        assertThat(cluster.node("a")).sees("d", JOINING);
        cluster.nodes
                .values()
                .forEach(node -> assertThat(node.events(ClusterEvent.MemberWeaklyUp.class))
                        .isEmpty());
    }

    @Test
    void aShortBlockMakesNobodyWeaklyUp() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.runFor(Duration.ofSeconds(5));
        cluster.split("c");
        cluster.runUntil(() -> !cluster.node("a").reaches("c"));
        cluster.add("d").joinSeeds();
        cluster.runFor(Duration.ofSeconds(3));

        cluster.heal();
        cluster.runFor(Duration.ofSeconds(20));

        assertThat(cluster.node("a")).sees("d", UP);
        assertThat(cluster.node("a").events(ClusterEvent.MemberWeaklyUp.class)).isEmpty();
    }
}
