package dev.muster.core.spec;

import static dev.muster.core.spec.TestCluster.aCluster;
import static dev.muster.core.state.MemberStatus.REMOVED;
import static dev.muster.core.state.VectorClock.Relation.AFTER;
import static dev.muster.core.state.VectorClock.Relation.CONCURRENT;
import static dev.muster.core.state.VectorClock.Relation.SAME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.state.VectorClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** "Vector Clocks": every update to the state comes with an update of its version. */
class VectorClocksSpecTest {

    @Test
    void whoChangesTheStateCountsUpItsOwnEntryByOne() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        TestNode b = cluster.node("b");
        VectorClock before = b.state().version();

        b.leave("c");

        assertThat(b.state().version()).isEqualTo(before.increment(b.id().clockKey()));
        assertThat(b.state().version().relationTo(before)).isEqualTo(AFTER);
    }

    @Test
    void changesOnDifferentNodesConflictUntilTheyAreMerged() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.lose(message -> message instanceof GossipMessage);
        cluster.node("a").leave("c");
        cluster.node("b").down("c");
        VectorClock one = cluster.node("a").state().version();
        VectorClock other = cluster.node("b").state().version();
        assertThat(one.relationTo(other)).isEqualTo(CONCURRENT);

        cluster.lose(message -> false);
        cluster.runFor(Duration.ofSeconds(5));

        assertThat(cluster.node("a")
                        .state()
                        .version()
                        .relationTo(cluster.node("b").state().version()))
                .isEqualTo(SAME);
    }

    @Test
    void theEntryOfARemovedNodeIsDropped() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        String key = cluster.node("c").id().clockKey();
        cluster.node("c").leave("c");
        assertThat(cluster.node("c").state().version().contains(key)).isTrue();

        cluster.runUntil(() ->
                cluster.node("a").status("c") == REMOVED && cluster.node("b").status("c") == REMOVED);

        assertThat(cluster.node("a").state().version().contains(key)).isFalse();
        assertThat(cluster.node("b").state().version().contains(key)).isFalse();
    }
}
