package dev.muster.core.partition;

import static dev.muster.core.partition.KeeperTalk.BACKEND;
import static dev.muster.core.partition.KeeperTalk.ELSE;
import static dev.muster.core.partition.KeeperTalk.MUSTER;
import static dev.muster.core.partition.KeeperTalk.alone;
import static dev.muster.core.partition.KeeperTalk.instances;
import static dev.muster.core.partition.KeeperTalk.node;
import static dev.muster.core.partition.KeeperTalk.nodes;
import static dev.muster.core.partition.KeeperTalk.path;
import static dev.muster.core.partition.KeeperTalk.spec;
import static dev.muster.core.partition.KeeperTalk.state;
import static dev.muster.core.partition.KeeperTalk.up;
import static dev.muster.core.partition.KeeperTalk.ups;
import static dev.muster.core.partition.KeeperTalk.with;
import static dev.muster.core.partition.KeeperWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.Command;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import dev.muster.core.state.PartitionSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who leaves hands over what others can host, and goes only then or when its time is up. */
class LeavingMembersTest {
    @Test
    void whoLeavesHandsOverWhatItHas() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 20, 0);
        world.at(node(3)).want(path("only"), new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.at(node(3)).want(path("two"), spec(2), world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "two")).isEqualTo(nodes(2, 3));
        ClusterState leaving = state(with(ups(3), MemberStatus.LEAVING, 1));
        assertThat(world.at(node(1)).leftOn(leaving, node(1))).containsExactly(path("only"));
        assertThat(world.at(node(1)).mayGo(leaving, node(1), world.now())).isFalse();
        world.become(leaving);
        world.pass(SECOND);
        assertThat(world.moves()).containsExactly("only: " + node(1) + " to " + node(2));
        assertThat(world.running("only")).isEqualTo(nodes(2));
        assertThat(world.at(node(2)).mayGo(leaving, node(1), world.now())).isTrue();
        PartitionEntry row = world.table().find(path("only")).orElseThrow();
        assertThat(row.move().orElseThrow().stage()).isEqualTo(PartitionMove.Stage.DONE);
        assertThat(row.epoch()).isGreaterThan(row.move().orElseThrow().id());
    }

    /** In a cluster with others than Muster it says so among those who have a table, whoever leads that. */
    @Test
    void whoDrainsIsEmptiedAlsoByTheNextLeader() {
        List<Member> mixed = ups(4);
        mixed.add(up(5, ELSE));
        KeeperWorld world = new KeeperWorld(state(mixed), 24, 0);
        world.at(node(3)).want(path("only"), new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.at(node(3)).want(path("two"), spec(2), world.now());
        world.pass(2 * SECOND);
        NodeId draining = instances(world, "two").stream()
                .filter(it -> it.compareTo(node(2)) > 0)
                .findFirst()
                .orElseThrow();
        ClusterState state = state(mixed);
        assertThat(world.at(draining).handsOverFirst(state, draining)).isTrue();
        assertThat(world.at(draining).handsOverFirst(state(ups(4)), draining)).isFalse();
        assertThat(world.at(draining).handsOverFirst(state, node(5))).isFalse();

        world.converged(false);
        world.at(draining).depart(draining, world.now());
        world.pass(2 * SECOND);
        assertThat(world.at(draining).departing(state, world.now())).isEmpty();
        mixed.remove(0);
        world.become(state(mixed));
        world.converged(true);
        world.pass(5 * SECOND);

        assertThat(instances(world, "two")).hasSize(2).doesNotContain(draining);
        assertThat(world.at(draining).departing(state(mixed), world.now())).containsExactly(draining);
        // And stays so as long as it has not left; then it may host again.
        assertThat(world.at(node(2))
                        .migrationPlan(state(mixed), new Command.Migrate(path("two"), draining.address()))
                        .moves())
                .isEmpty();
        world.pass(6 * SECOND);
        assertThat(world.at(node(2))
                        .migrationPlan(state(mixed), new Command.Migrate(path("two"), draining.address()))
                        .moves())
                .hasSize(1);
    }

    @Test
    void whoLeavesGoesAllTheSameWhenItsTimeIsUp() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 21, 0);
        world.movesEnd(false);
        world.at(node(3)).want(path("only"), spec(1), world.now());
        world.pass(2 * SECOND);
        ClusterState leaving = state(with(ups(3), MemberStatus.LEAVING, 1));
        world.become(leaving);
        world.pass(59 * SECOND);
        assertThat(world.at(node(2)).leftOn(leaving, node(1))).containsExactly(path("only"));
        assertThat(world.at(node(2)).mayGo(leaving, node(1), world.now())).isFalse();
        world.pass(2 * SECOND);
        assertThat(world.at(node(2)).mayGo(leaving, node(1), world.now())).isTrue();
        assertThat(world.at(node(2)).leftOn(leaving, node(1))).containsExactly(path("only"));
    }

    /** It passes on what its instance has not come to when it hears of the row, and not before. */
    @Test
    void whoLeavesGoesOnlyOnceItKnowsThatItHasNothingLeft() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 25, 0);
        world.at(node(3)).want(path("three"), spec(3), world.now());
        world.pass(2 * SECOND);
        ClusterState leaving = state(with(ups(3), MemberStatus.LEAVING, 3));
        world.deafen(node(3));
        world.become(leaving);
        world.pass(2 * SECOND);
        assertThat(world.at(node(1)).leftOn(leaving, node(3))).isEmpty();
        assertThat(world.at(node(1)).mayGo(leaving, node(3), world.now())).isFalse();
        // What is written after that need not be known to it.
        world.deafen(null);
        world.pass(2 * SECOND);
        assertThat(world.at(node(1)).mayGo(leaving, node(3), world.now())).isTrue();
        world.deafen(node(3));
        world.at(node(2)).want(path("other"), spec(1), world.now());
        world.pass(2 * SECOND);
        assertThat(world.at(node(1)).table().find(path("other"))).isPresent();
        assertThat(world.at(node(1)).mayGo(leaving, node(3), world.now())).isTrue();
    }

    @Test
    void whatNobodyElseCanHostHoldsNobodyUp() {
        KeeperWorld world = new KeeperWorld(state(List.of(up(1, BACKEND), up(2, MUSTER))), 22, 0);
        world.at(node(2)).want(path("a"), new PartitionSpec(1, "backend", HandoffPolicy.stateless()), world.now());
        world.pass(2 * SECOND);
        ClusterState leaving =
                state(List.of(new Member(node(1), MemberStatus.LEAVING, 1, BACKEND, "1"), up(2, MUSTER)));
        world.become(leaving);
        world.pass(SECOND);
        assertThat(world.at(node(2)).mayGo(leaving, node(1), world.now())).isTrue();
    }

    @Test
    void whoLeavesWaitsForThoseWhoAreAboutToComeUp() {
        KeeperWorld world = new KeeperWorld(state(ups(1)), 22, 0);
        world.at(node(1)).want(path("only"), spec(1), world.now());
        world.pass(2 * SECOND);
        ClusterState alone = state(with(ups(1), MemberStatus.LEAVING, 1));
        assertThat(world.at(node(1)).mayGo(alone, node(1), world.now())).isTrue();
        ClusterState before = state(with(with(ups(2), MemberStatus.LEAVING, 1), MemberStatus.WEAKLY_UP, 2));
        assertThat(world.at(node(1)).leftOn(before, node(1))).containsExactly(path("only"));
        assertThat(world.at(node(1)).mayGo(before, node(1), world.now())).isFalse();
    }

    /** A member that leaves hands over to one that has just come, and to one that has much already. */
    @Test
    void aDrainAsksNoMoreOfANewcomerEither() {
        KeeperWorld world = new KeeperWorld(state(ups(2)), 27, 0);
        for (int i = 0; i < 40; i++) {
            world.at(node(1)).want(path("p" + i), spec(1), world.now());
        }
        world.pass(2 * SECOND);
        List<Member> leaving = new ArrayList<>(ups(3));
        leaving.set(1, leaving.get(1).withStatus(MemberStatus.LEAVING));
        world.movesEnd(false);
        world.become(state(leaving));
        world.pass(2 * SECOND);
        assertThat(world.moves().stream().filter(it -> it.endsWith("to " + node(3))))
                .hasSize(1);
        assertThat(world.moves()).allMatch(it -> it.contains(node(2) + " to "));
    }

    /** It has no time left, and the other one serves as long as there is nobody to take over. */
    @Test
    void whereAllAreGoingNobodyIsWrittenDownWhoShutsDownAlreadyBesideOneThatLeaves() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 9, 0);
        world.at(node(3)).want(path("several"), spec(3), world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "several")).hasSize(3);
        world.movesEnd(false);
        List<Member> going = with(with(ups(3), MemberStatus.EXITING, 2), MemberStatus.LEAVING, 3);
        world.become(state(going.subList(1, 3)));
        world.pass(2 * SECOND);
        assertThat(instances(world, "several")).isEqualTo(nodes(3));
    }
}
