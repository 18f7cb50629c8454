package dev.muster.core.spec;

import static dev.muster.core.Nodes.address;
import static dev.muster.core.spec.NodeAssert.assertThat;
import static dev.muster.core.spec.TestCluster.aCluster;
import static dev.muster.core.state.MemberStatus.REMOVED;
import static dev.muster.core.state.MemberStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.state.NodeAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** "User Actions": join, leave and down, on exactly one incarnation each. */
class UserActionsSpecTest {

    @Test
    void anyMemberCanTellAnyOtherToLeave() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();

        cluster.node("b").leave("c");
        cluster.runUntil(() -> cluster.node("a").status("c") == REMOVED);

        assertThat(cluster.node("b").events(ClusterEvent.CommandCarriedOut.class))
                .containsExactly(new ClusterEvent.CommandCarriedOut(
                        new Command.Leave(address("c")), cluster.node("c").id()));
    }

    @Test
    void givingACommandTwiceDoesNoHarm() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();

        cluster.node("b").leave("c").leave("c");
        cluster.node("a").leave("c");
        cluster.runUntil(() -> cluster.node("a").status("c") == REMOVED);
        cluster.node("a").down("b").down("b");
        cluster.runUntil(() -> cluster.node("a").status("b") == REMOVED);

        assertThat(cluster.node("a").events(ClusterEvent.MemberRemoved.class)).hasSize(2);
    }

    @Test
    void downRemovesAMemberThatIsGone() {
        TestCluster cluster = aCluster("a", "b", "c").allUp();
        cluster.crash("c");
        cluster.runFor(Duration.ofSeconds(10));
        assertThat(cluster.node("a")).sees("c", UP);

        cluster.node("b").down("c");
        cluster.runFor(Duration.ofSeconds(3));

        assertThat(cluster.node("a")).sees("c", REMOVED).hasConverged();
    }

    @Test
    void aNodeCanDeclareItselfDown() {
        TestCluster cluster = aCluster("a", "b").allUp();

        cluster.node("b").down("b");
        assertThat(cluster.node("b")).hasStopped();
        cluster.runFor(Duration.ofSeconds(5));
        assertThat(cluster.node("a")).sees("b", REMOVED);
    }

    @Test
    void exactlyOneIncarnationCanBeNamed() {
        TestCluster cluster = aCluster("a", "b").allUp();

        cluster.node("a").give(new Command.DownIncarnation(cluster.node("b").id()));
        cluster.runFor(Duration.ofSeconds(5));

        assertThat(cluster.node("b")).hasStopped();
    }

    @Test
    void aNodeThatIsNoMemberRefusesToLeaveOrDown() {
        TestCluster cluster = aCluster("a");

        cluster.node("a").leave("a").down("a");

        assertThat(cluster.node("a").events(ClusterEvent.CommandRefused.class))
                .extracting(ClusterEvent.CommandRefused::reason)
                .containsExactly("this node is no member of a cluster", "this node is no member of a cluster");
    }

    @Test
    void aMemberRefusesToJoinAgain() {
        TestCluster cluster = aCluster("a", "b").allUp();

        cluster.node("b").joinSeeds().joinTo("a");

        assertThat(cluster.node("b").events(ClusterEvent.CommandRefused.class))
                .extracting(ClusterEvent.CommandRefused::reason)
                .containsExactly("this node is a member already", "this node is a member already");
    }

    @Test
    void anotherSystemCannotBeJoined() {
        TestCluster cluster = aCluster("a");

        cluster.node("a").give(new Command.JoinTo(new NodeAddress("muster", "other", "b", 1)));

        assertThat(cluster.node("a").events(ClusterEvent.CommandRefused.class))
                .extracting(ClusterEvent.CommandRefused::reason)
                .containsExactly("muster://other@b:1 is another system than muster://test@a:2552");
    }
}
