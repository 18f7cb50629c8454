package dev.muster.core.spec;

import static dev.muster.core.spec.NodeAssert.assertThat;
import static dev.muster.core.spec.TestCluster.aCluster;
import static dev.muster.core.state.MemberStatus.REMOVED;
import static dev.muster.core.state.MemberStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.HeartbeatMessage;
import dev.muster.core.exchange.Input;
import dev.muster.core.failure.FailureSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** "Failure Detector": who seems gone, and how that becomes known. */
class FailureDetectorSpecTest {

    @Test
    void heartbeatsGoOutEverySecondAndAreAnswered() {
        TestCluster cluster = aCluster("a", "b").allUp();
        cluster.nodes.values().forEach(TestNode::forgetWhatWasSent);

        cluster.runFor(Duration.ofSeconds(10));

        assertThat(cluster.node("a").sent(HeartbeatMessage.Heartbeat.class)).hasSize(10);
        assertThat(cluster.node("b").sent(HeartbeatMessage.HeartbeatReply.class))
                .hasSize(10);
    }

    @Test
    void aCrashedNodeIsUnreachableToAllWithinSixSeconds() {
        TestCluster cluster = aCluster("a", "b", "c", "d").allUp();
        cluster.runFor(Duration.ofSeconds(20));

        cluster.crash("d");
        cluster.runFor(Duration.ofSeconds(6));

        for (String name : new String[] {"a", "b", "c"}) {
            assertThat(cluster.node(name)).doesNotReach("d");
            assertThat(cluster.node(name).events(ClusterEvent.UnreachableMember.class))
                    .hasSize(1);
        }
    }

    @Test
    void aHealthyClusterAccusesNobody() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();

        cluster.runFor(Duration.ofMinutes(10));

        cluster.nodes
                .values()
                .forEach(node -> assertThat(node.events(ClusterEvent.UnreachableMember.class))
                        .isEmpty());
    }

    @Test
    void aHigherThresholdIsSlowerToAccuse() {
        assertThat(detectionMillis(FailureSettings.cloud())).isGreaterThan(detectionMillis(FailureSettings.defaults()));
        assertThat(detectionMillis(FailureSettings.defaults().withAcceptableHeartbeatPause(Duration.ofSeconds(10))))
                .isGreaterThan(10_000);
    }

    private static long detectionMillis(FailureSettings settings) {
        TestCluster cluster =
                aCluster("a", "b").with(s -> s.withFailure(settings)).allUp();
        cluster.runFor(Duration.ofSeconds(30));
        long crashed = cluster.now();
        cluster.crash("b");
        cluster.runUntil(() -> !cluster.node("a").reaches("b"));
        return (cluster.now() - crashed) / TestCluster.MILLI;
    }

    @Test
    void oneObserverIsEnoughToMakeANodeUnreachableToAll() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.runFor(Duration.ofSeconds(10));

        cluster.cut("a", "c");
        cluster.runFor(Duration.ofSeconds(10));

        assertThat(cluster.node("b")).doesNotReach("c").doesNotReach("a");
        assertThat(cluster.node("b")
                        .state()
                        .reachability()
                        .rowOf(cluster.node("b").id()))
                .isEmpty();
    }

    @Test
    void aNodeIsReachableAgainOnlyWhenAllWhoAccusedItTakeItBack() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.runFor(Duration.ofSeconds(10));
        cluster.split("c");
        cluster.runFor(Duration.ofSeconds(10));

        cluster.heal();
        cluster.cut("a", "c");
        cluster.runFor(Duration.ofSeconds(10));
        assertThat(cluster.node("b")).doesNotReach("c");

        cluster.heal();
        cluster.runFor(Duration.ofSeconds(10));
        assertThat(cluster.node("b")).reaches("c");
        assertThat(cluster.node("b").events(ClusterEvent.ReachableMember.class))
                .filteredOn(
                        event -> event.member().id().equals(cluster.node("c").id()))
                .hasSize(1);
    }

    @Test
    void aQuarantinedNodeNeverBecomesReachableAgain() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();

        cluster.node("a").handle(new Input.PeerQuarantined(cluster.node("c").id()));
        cluster.runFor(Duration.ofMinutes(1));
        assertThat(cluster.node("b")).doesNotReach("c").sees("c", UP);

        cluster.node("b").down("c");
        cluster.runFor(Duration.ofSeconds(5));
        assertThat(cluster.node("a")).sees("c", REMOVED);
        assertThat(cluster.node("c")).hasStopped();
    }

    @Test
    void eachNodeWatchesAsManyOthersAsAreSet() {
        TestCluster cluster = aCluster("a", "b", "c", "d", "e", "f", "g", "h").allUp();
        TestCluster narrow = aCluster("a", "b", "c", "d", "e")
                .with(s -> s.withFailure(s.failure().withMonitoredByNrOfMembers(2)))
                .allUp();

        assertThat(cluster.node("a").snapshot().detectors()).isEqualTo(5);
        assertThat(narrow.node("a").snapshot().detectors()).isEqualTo(2);
    }

    @Test
    void aNodeThatWasHeldUpItselfAccusesNobody() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.runFor(Duration.ofSeconds(10));

        cluster.node("a").fallAsleep();
        cluster.runFor(Duration.ofSeconds(20));
        assertThat(cluster.node("b")).doesNotReach("a");
        cluster.node("a").wakeUp();
        cluster.runFor(Duration.ofSeconds(10));

        assertThat(cluster.node("a").events(ClusterEvent.LocalPauseNoticed.class))
                .hasSize(1);
        assertThat(cluster.node("a")
                        .state()
                        .reachability()
                        .versionOf(cluster.node("a").id()))
                .isZero();
        assertThat(cluster.node("b")).reaches("a");
    }
}
