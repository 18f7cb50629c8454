package dev.muster.core.spec;

import static dev.muster.core.Nodes.address;
import static dev.muster.core.spec.NodeAssert.assertThat;
import static dev.muster.core.spec.TestCluster.aCluster;
import static dev.muster.core.state.MemberStatus.DOWN;
import static dev.muster.core.state.MemberStatus.JOINING;
import static dev.muster.core.state.MemberStatus.REMOVED;
import static dev.muster.core.state.MemberStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.exchange.Refusal;
import dev.muster.core.state.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** "Membership Lifecycle" and "Member States": from joining to removed, and never back. */
class MembershipLifecycleSpecTest {

    @Test
    void aGracefulLifeGoesThroughAllItsStations() {
        TestCluster cluster = aCluster("a", "b").allUp();
        NodeId c = cluster.add("c").joinSeeds().id();
        cluster.runUntil(() -> cluster.node("a").status("c") == UP);
        cluster.node("b").leave("c");
        cluster.runUntil(() -> cluster.node("a").status("c") == REMOVED);

        List<String> stations = cluster.node("a").events(ClusterEvent.MemberEvent.class).stream()
                .filter(event -> event.member().id().equals(c))
                .map(event -> event.getClass().getSimpleName())
                .toList();
        assertThat(stations).containsExactly("MemberJoined", "MemberUp", "MemberLeft", "MemberExited", "MemberRemoved");
    }

    @Test
    void aJoiningMemberIsMovedUpOnlyWhenAllHaveSeenIt() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.runFor(Duration.ofSeconds(5));
        cluster.node("c").fallAsleep();

        cluster.add("d").joinSeeds();
        cluster.runFor(Duration.ofSeconds(2));
        assertThat(cluster.node("a")).sees("d", JOINING);

        cluster.node("c").wakeUp();
        cluster.runFor(Duration.ofSeconds(5));
        assertThat(cluster.node("a")).sees("d", UP);
    }

    @Test
    void nobodyBecomesUpBeforeThereAreEnoughMembers() {
        TestCluster cluster =
                aCluster("a", "b", "c").with(s -> s.withLifecycle(s.lifecycle().withMinNrOfMembers(3)));
        cluster.node("a").joinSeeds();
        cluster.node("b").joinSeeds();
        cluster.runFor(Duration.ofSeconds(20));
        assertThat(cluster.node("a")).sees("a", JOINING).sees("b", JOINING);

        cluster.node("c").joinSeeds();
        cluster.runFor(Duration.ofSeconds(5));
        assertThat(cluster.node("a")).sees("a", UP).sees("b", UP).sees("c", UP);
    }

    @Test
    void nobodyBecomesUpBeforeARoleHasEnoughMembers() {
        TestCluster cluster = aCluster("a", "b")
                .with(s -> s.withLifecycle(s.lifecycle().withMinNrOfMembersPerRole(new TreeMap<>(Map.of("back", 1)))))
                .with("b", s -> s.withJoin(s.join().withRoles(List.of("back"))));
        cluster.node("a").joinSeeds();
        cluster.runFor(Duration.ofSeconds(20));
        assertThat(cluster.node("a")).sees("a", JOINING);

        cluster.node("b").joinSeeds();
        cluster.runFor(Duration.ofSeconds(5));
        assertThat(cluster.node("a")).sees("a", UP).sees("b", UP);
    }

    @Test
    void upNumbersTellTheAge() {
        TestCluster cluster = aCluster("m", "z").allUp();
        cluster.add("a").joinSeeds();
        cluster.runUntil(() -> cluster.node("z").status("a") == UP);

        assertThat(cluster.node("z").member("m").orElseThrow().upNumber()).isEqualTo(1);
        assertThat(cluster.node("z").member("z").orElseThrow().upNumber()).isEqualTo(2);
        assertThat(cluster.node("z").member("a").orElseThrow().upNumber()).isEqualTo(3);
    }

    @Test
    void aNodeThatFindsItselfDownStopsAndIsQuarantinedByTheOthers() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();

        cluster.node("a").down("c");
        cluster.runFor(Duration.ofSeconds(5));

        assertThat(cluster.node("c")).hasStopped();
        assertThat(cluster.node("c").stopReason()).isEqualTo("this node was declared down; restart it to join again");
        assertThat(cluster.node("a").quarantined())
                .containsExactly(cluster.node("c").id());
        assertThat(cluster.node("b").quarantined())
                .containsExactly(cluster.node("c").id());
    }

    @Test
    void aRemovedNodeThatMissedItLearnsOfItWhenItSpeaks() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.split("c");
        cluster.runFor(Duration.ofSeconds(10));
        cluster.node("a").down("c");
        cluster.runFor(Duration.ofSeconds(10));
        assertThat(cluster.node("a")).sees("c", REMOVED);
        assertThat(cluster.node("b")).sees("c", REMOVED);
        assertThat(cluster.node("a").quarantined())
                .containsExactly(cluster.node("c").id());
        assertThat(cluster.node("c")).isRunning().sees("c", UP).sees("a", UP);

        cluster.heal();
        cluster.runFor(Duration.ofSeconds(5));

        assertThat(cluster.node("c")).hasStopped();
        assertThat(cluster.node("c").stopReason())
                .startsWith("this node was removed from the cluster, as ")
                .endsWith(" says; restart it to join again");
        assertThat(cluster.node("a")).isRunning().hasConverged();
    }

    @Test
    void aNodeThatOnlyADeadMemberKnewFindsOutAndStops() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        TestNode d = cluster.add("d");
        cluster.lose(message -> message instanceof GossipMessage.GossipState gossip
                && gossip.state().members().has(d.id())
                && !gossip.to().equals(d.id()));
        d.joinTo("a");
        cluster.runUntil(() -> d.status("d") == JOINING);
        cluster.crash("a");
        cluster.lose(message -> false);

        cluster.runFor(Duration.ofSeconds(14));
        assertThat(d).isRunning();
        cluster.runFor(Duration.ofSeconds(10));

        assertThat(d).hasStopped();
        assertThat(d.stopReason())
                .startsWith("nobody in the cluster knows this node, as ")
                .endsWith(" says; restart it to join again");
        assertThat(cluster.node("b")).isRunning().sees("d", REMOVED);
    }

    /** Whom it asks in vain is cut off from those who let it in; nobody has to stop over that. */
    @Test
    void aNodeThatSomeKnowAndOneDoesNotKeepsRunning() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.split("c");
        cluster.runFor(Duration.ofSeconds(10));
        TestNode d = cluster.add("d").joinSeeds();
        cluster.runFor(Duration.ofMinutes(2));

        assertThat(d.snapshot().refusals()).containsKey(Refusal.WITHOUT_ME);
        assertThat(d).isRunning();
    }

    @Test
    void aRestartedNodeIsANewMemberAndItsOldSelfIsRemovedWithoutHelp() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.runFor(Duration.ofSeconds(5));
        NodeId old = cluster.node("c").id();

        cluster.restart("c").joinSeeds();
        cluster.runUntil(
                () -> cluster.node("a").status("c") == UP && cluster.node("b").status("c") == UP);

        assertThat(cluster.node("a").state().members().has(old)).isFalse();
        assertThat(cluster.node("a").state().tombstones().has(old)).isTrue();
        assertThat(cluster.node("a").state().members().at(address("c"))).hasSize(1);
    }

    @Test
    void whoOnlyPretendsToBeANewIncarnationHarmsNobody() {
        TestCluster cluster = aCluster("a", "b").allUp();
        NodeId pretender = new NodeId(address("b"), 4711);

        cluster.node("a").hears(pretender, new JoinMessage.Join(List.of(), "1", JoinConfiguration.UNKNOWN));
        cluster.runFor(Duration.ofSeconds(10));

        assertThat(cluster.node("a")).sees("b", UP).reaches("b");
        assertThat(cluster.node("b")).isRunning();
    }

    @Test
    void aRemovedUidNeverComesBack() {
        TestCluster cluster = aCluster("a", "b").allUp();
        cluster.node("a").down("b");
        cluster.runFor(Duration.ofSeconds(5));
        NodeId removed = cluster.node("b").id();

        cluster.node("a").hears(removed, new JoinMessage.Join(List.of(), "1", JoinConfiguration.UNKNOWN));
        cluster.runFor(Duration.ofSeconds(5));

        assertThat(cluster.node("a")).sees("b", REMOVED);
        assertThat(cluster.node("a").snapshot().refusals()).containsEntry(Refusal.UID_NOT_ACCEPTED, 1L);
    }

    @Test
    void tombstonesAreLetGoWhenTheyAreOldAndKnownToAll() {
        TestCluster cluster = aCluster("a", "b", "c")
                .with(s -> s.withLifecycle(s.lifecycle().withTombstoneRetention(Duration.ofSeconds(60))))
                .allUp();
        cluster.node("a").leave("c");
        cluster.runUntil(() -> cluster.node("b").status("c") == REMOVED);
        cluster.runFor(Duration.ofSeconds(55));
        assertThat(cluster.node("b").state().tombstones().size()).isEqualTo(1);

        cluster.runFor(Duration.ofSeconds(10));
        assertThat(cluster.node("a").state().tombstones().size()).isZero();
        assertThat(cluster.node("b").state().tombstones().size()).isZero();
    }

    @Test
    void aNodeThatWasFrozenForLongerThanTombstonesAreKeptStops() {
        TestCluster cluster = aCluster("a", "b")
                .with(s -> s.withLifecycle(s.lifecycle().withTombstoneRetention(Duration.ofSeconds(60))))
                .allUp();
        cluster.node("b").fallAsleep();
        cluster.runFor(Duration.ofSeconds(62));
        cluster.node("b").wakeUp();
        cluster.runFor(Duration.ofSeconds(1));

        assertThat(cluster.node("b")).hasStopped();
        assertThat(cluster.node("b").stopReason()).contains("held up for longer than removed nodes are remembered");
        assertThat(cluster.node("a").status("b")).isNotEqualTo(DOWN);
    }
}
