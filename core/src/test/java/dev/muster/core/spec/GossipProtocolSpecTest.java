package dev.muster.core.spec;

import static dev.muster.core.spec.NodeAssert.assertThat;
import static dev.muster.core.spec.TestCluster.aCluster;
import static dev.muster.core.state.MemberStatus.LEAVING;
import static dev.muster.core.state.MemberStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.exchange.Input;
import dev.muster.core.exchange.Refusal;
import dev.muster.core.state.VectorClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** "Gossip Protocol": push and pull, versions first, states only as needed. */
class GossipProtocolSpecTest {

    @Test
    void aConvergedClusterSendsOnlyStatusesOncePerSecond() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.runFor(Duration.ofSeconds(5));
        VectorClock version = cluster.node("a").state().version();
        cluster.nodes.values().forEach(TestNode::forgetWhatWasSent);

        cluster.runFor(Duration.ofSeconds(60));

        for (TestNode node : cluster.nodes.values()) {
            assertThat(node.sent(GossipMessage.GossipStatus.class)).hasSizeBetween(59, 61);
            assertThat(node.sent(GossipMessage.GossipState.class)).isEmpty();
            assertThat(node.state().version()).isEqualTo(version);
        }
    }

    @Test
    void aChangeSpreadsAtOnceInsteadOfWaitingForTheNextRound() {
        TestCluster cluster = aCluster("a", "b", "c", "d", "e").allUp();
        cluster.runFor(Duration.ofMillis(500));

        cluster.node("a").leave("e");
        cluster.runFor(Duration.ofMillis(20));

        for (String name : new String[] {"b", "c", "d"}) {
            assertThat(cluster.node(name).status("e").isFurtherThan(UP))
                    .as(name)
                    .isTrue();
        }
    }

    @Test
    void withoutBurstsAChangeStillReachesEverybodyByRoundsAlone() {
        TestCluster cluster = aCluster("a", "b", "c", "d", "e")
                .with(s -> s.withGossip(s.gossip().withBurst(0)))
                .allUp();
        cluster.node("e").neverFinishesExitTasks();

        cluster.node("a").leave("e");
        cluster.runFor(Duration.ofMillis(10));
        assertThat(cluster.node("d")).sees("e", UP);
        cluster.runFor(Duration.ofSeconds(10));
        cluster.nodes.values().forEach(node -> assertThat(node).hasConverged());
    }

    @Test
    void conflictingChangesAreMergedToTheSameResultEverywhere() {
        TestCluster cluster = aCluster("a", "b", "c", "d").allUp();
        cluster.node("c").neverFinishesExitTasks();
        cluster.node("d").neverFinishesExitTasks();
        cluster.lose(message -> message instanceof GossipMessage);
        cluster.node("a").leave("c");
        cluster.node("b").leave("d");
        assertThat(cluster.node("a")).sees("c", LEAVING).sees("d", UP);
        assertThat(cluster.node("b")).sees("c", UP).sees("d", LEAVING);

        cluster.lose(message -> false);
        cluster.runUntilConverged();

        assertThat(cluster.node("a").status("c").isFurtherThan(UP)).isTrue();
        assertThat(cluster.node("a").status("d").isFurtherThan(UP)).isTrue();
        // Who has seen it may still differ between two who know that all who count have.
        assertThat(cluster.node("c").state().sameContentAs(cluster.node("a").state()))
                .isTrue();
    }

    @Test
    void severalNodesThatJoinQuicklyNeedFewVersions() {
        TestCluster cluster = aCluster("a", "b", "c", "d", "e", "f", "g", "h").allUp();

        long changes = 0;
        VectorClock version = cluster.node("a").state().version();
        for (int i = 0; i < version.size(); i++) {
            changes += version.counter(i);
        }
        assertThat(changes).isLessThanOrEqualTo(16);
    }

    @Test
    void gossipThatWaitedTooLongIsDropped() {
        TestCluster cluster = aCluster("a", "b").allUp();
        TestNode a = cluster.node("a");
        TestNode b = cluster.node("b");
        cluster.runFor(Duration.ofSeconds(5));
        long receivedAt = cluster.now() - Duration.ofMillis(2_001).toNanos();

        a.handle(new Input.MessageReceived(b.id(), new GossipMessage.GossipState(a.id(), b.state()), receivedAt));

        assertThat(a.snapshot().refusals()).containsEntry(Refusal.STALE, 1L);
    }
}
