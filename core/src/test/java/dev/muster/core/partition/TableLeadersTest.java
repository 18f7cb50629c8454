package dev.muster.core.partition;

import static dev.muster.core.partition.KeeperTalk.ELSE;
import static dev.muster.core.partition.KeeperTalk.MUSTER;
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

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import dev.muster.core.state.TableDigest;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** When somebody may write into the table, and when newcomers may come up with what was written. */
class TableLeadersTest {
    /** Hosts that did not know of it yet have not waited for it before they said that all know of their move. */
    @Test
    void whoIsNewComesUpAndSendsOnlyWithTheTableOfTheTimeWhenAllKnowIt() {
        List<Member> members = ups(4);
        KeeperWorld world = new KeeperWorld(state(members.subList(0, 3)), 28, 0);
        world.at(node(3)).want(path("a"), spec(1), world.now());
        world.pass(2 * SECOND);
        ClusterState joining = state(with(members, MemberStatus.JOINING, 4));
        Member newcomer = joining.members().find(node(4)).orElseThrow();
        world.become(joining);
        world.pass(SECOND);
        assertThat(world.mayRoute(node(4))).isFalse();
        assertThat(world.mayRoute(node(1))).isTrue();
        assertThat(world.at(node(4)).table()).isEqualTo(world.at(node(1)).table());
        // All have the table, and the leader writes another row before the newcomer is known to all.
        world.deafen(node(4));
        world.at(node(3)).want(path("b"), spec(1), world.now());
        world.pass(SECOND);
        assertThat(world.at(node(1)).mayComeUp(joining, newcomer)).isFalse();
        world.deafen(null);
        world.pass(2 * SECOND);
        assertThat(world.at(node(1)).mayComeUp(joining, newcomer)).isTrue();
        world.become(state(members));
        world.pass(SECOND);
        assertThat(world.mayRoute(node(4))).isTrue();
    }

    /** What the leader before wrote may have come only to those of whom the next one has not heard. */
    @Test
    void whoIsNewComesUpOnlyWithWhatAllHave() {
        List<Member> members = ups(4);
        KeeperWorld world = new KeeperWorld(state(members.subList(0, 3)), 28, 0);
        world.at(node(3)).want(path("a"), spec(1), world.now());
        world.pass(2 * SECOND);
        ClusterState joining = state(with(members, MemberStatus.JOINING, 4).subList(1, 4));
        Member newcomer = joining.members().find(node(4)).orElseThrow();
        world.deafen(node(3));
        world.become(joining);
        world.pass(5 * SECOND);
        assertThat(world.at(node(2)).isInformed(newcomer)).isTrue();
        assertThat(world.at(node(2)).mayComeUp(joining, newcomer)).isFalse();
        world.deafen(null);
        world.pass(5 * SECOND);
        assertThat(world.at(node(2)).mayComeUp(joining, newcomer)).isTrue();
    }

    /** Node 1 has written something of which node 2 has not heard, and is on its way out, so that node 2 leads. */
    private static KeeperWorld ledByOneWithAnOlderTable(ClusterState next) {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 28, 0);
        world.at(node(3)).want(path("a"), spec(1), world.now());
        world.pass(30 * SECOND); // node 2 has heard now and then that the others have what it has
        world.deafen(node(2));
        world.at(node(3)).want(path("b"), spec(1), world.now());
        world.pass(SECOND / 4);
        world.deafen(null);
        assertThat(world.at(node(3)).table().find(path("b"))).isPresent();
        assertThat(world.at(node(2)).table().find(path("b"))).isEmpty();
        assertThat(world.at(node(2)).hasConverged(state(ups(3)))).isTrue();
        world.become(next);
        return world;
    }

    @Test
    void whatWasHeardBeforeThisNodeLedLetsNobodyComeUp() {
        ClusterState joining = state(with(with(ups(4), MemberStatus.JOINING, 4), MemberStatus.EXITING, 1));
        Member newcomer = joining.members().find(node(4)).orElseThrow();
        KeeperWorld world = ledByOneWithAnOlderTable(joining);
        PartitionKeeper leader = world.at(node(2));
        TableMessage status =
                new TableMessage.TableStatus(node(2), leader.table().digest(), false);
        leader.onMessage(joining, node(4), status, world.now(), new Effects());
        assertThat(leader.mayComeUp(joining, newcomer)).isFalse();

        leader.tick(joining, it -> false, world.now(), new Effects());
        assertThat(leader.mayComeUp(joining, newcomer)).isFalse();

        world.pass(SECOND / 4);
        assertThat(leader.mayComeUp(joining, newcomer)).isTrue();
        assertThat(world.at(node(4)).table().find(path("b"))).isPresent();
    }

    @Test
    void whatWasHeardBeforeThisNodeLedDoesNotLetItWrite() {
        ClusterState exiting = state(with(ups(3), MemberStatus.EXITING, 1));
        KeeperWorld world = ledByOneWithAnOlderTable(exiting);
        PartitionKeeper leader = world.at(node(2));
        leader.want(path("c"), spec(1), world.now());
        leader.tick(exiting, it -> true, world.now(), new Effects());
        assertThat(leader.table().find(path("c"))).isEmpty();

        world.pass(2 * SECOND);
        assertThat(world.table().find(path("c")).orElseThrow().epoch())
                .isGreaterThan(world.table().find(path("b")).orElseThrow().epoch());
    }

    /** It asks in one go, because nothing goes on before all have answered. */
    @Test
    void inALargeClusterTheNextLeaderWritesAsSoonAsAllHaveAnswered() {
        KeeperWorld world = new KeeperWorld(state(ups(200)), 28, 0);
        world.at(node(3)).want(path("a"), spec(1), world.now());
        world.pass(5 * SECOND);
        world.become(state(ups(200).subList(1, 200)));
        world.at(node(2)).want(path("b"), spec(1), world.now());
        world.pass(1);
        assertThat(world.at(node(2)).table().find(path("b"))).isPresent();
    }

    /** Members of other systems lead the cluster, but never the table. */
    @Test
    void theLeaderOfTheTableHasOne() {
        ClusterState state = state(List.of(up(1, ELSE), up(2, MUSTER), up(3, MUSTER)));
        assertThat(TableMembers.leader(state, node(3))).contains(node(2));
        KeeperWorld world = new KeeperWorld(state, 9, 0);
        world.at(node(3)).want(path("a"), spec(3), world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "a")).isEqualTo(nodes(2, 3));
        assertThat(world.table().find(path("a")).orElseThrow().writer()).isEqualTo(node(2));
    }

    @Test
    void nothingIsWrittenWithoutConvergence() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 7, 0);
        world.converged(false);
        world.at(node(2)).want(path("a"), spec(1), world.now());
        world.pass(5 * SECOND);
        assertThat(world.table().isEmpty()).isTrue();
        world.converged(true);
        world.pass(2 * SECOND);
        assertThat(instances(world, "a")).hasSize(1);
    }

    /** A leader that has gone cannot tell anybody what it wrote last. */
    @Test
    void aLeaderThatLeavesGoesOnlyOnceAllHaveItsLastRows() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 20, 0);
        world.at(node(3)).want(path("only"), spec(1), world.now());
        world.pass(2 * SECOND);
        ClusterState leaving = state(with(ups(3), MemberStatus.LEAVING, 1));
        world.become(leaving);
        world.pass(1);
        assertThat(world.at(node(1)).leftOn(leaving, node(1))).isEmpty();
        world.deafen(node(3));
        world.at(node(2)).want(path("other"), spec(1), world.now());
        world.pass(5 * SECOND);
        assertThat(world.at(node(1)).table().find(path("other"))).isPresent();
        assertThat(world.at(node(1)).mayGo(leaving, node(1), world.now())).isFalse();

        world.pass(60 * SECOND);
        assertThat(world.at(node(1)).mayGo(leaving, node(1), world.now()))
                .as("when its time is up")
                .isTrue();
    }

    @Test
    void aLeaderThatLeavesAMixedClusterSaysSoOnlyOnceAllHaveItsLastRows() {
        List<Member> mixed = ups(3);
        mixed.add(up(4, ELSE));
        ClusterState state = state(mixed);
        KeeperWorld world = new KeeperWorld(state, 20, 0);
        world.at(node(3)).want(path("only"), spec(1), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("only")).isEqualTo(nodes(1));
        world.at(node(1)).depart(node(1), world.now());
        world.pass(1);
        assertThat(world.at(node(1)).leftOn(state, node(1))).isEmpty();
        world.deafen(node(3));
        world.at(node(2)).want(path("other"), spec(1), world.now());
        world.pass(5 * SECOND);
        assertThat(world.at(node(1)).departing(state, world.now())).isEmpty();
        world.deafen(null);
        world.pass(2 * SECOND);
        assertThat(world.at(node(1)).departing(state, world.now())).containsExactly(node(1));
    }

    /** Its gate must know that it was here: somebody may wait to hear from it that it has ended. */
    @Test
    void aRowThatIsWrittenOverInTheMomentInWhichItComesIsSeenToo() {
        ClusterState state = state(with(ups(2), MemberStatus.EXITING, 1)); // so node 2 leads
        PartitionSpec spec = new PartitionSpec(1, "", HandoffPolicy.singleton());
        PartitionKeeper leader = new PartitionKeeper(node(2), PartitionSettings.defaults(), new SplittableRandom(1));
        leader.want(path("a"), spec, 1);
        leader.tick(state, it -> true, 1, new Effects());
        leader.end(path("a"), 1);
        PartitionEntry row = new PartitionEntry(path("a"), 1, node(1), spec, nodes(2), false);
        TableDigest digest = PartitionTable.EMPTY.merge(List.of(row)).digest();
        Effects effects = new Effects();
        leader.onMessage(
                state, node(1), new TableMessage.TableRows(node(2), digest, List.of(row), List.of()), 2, effects);
        leader.tick(state, it -> true, 2, effects);

        PartitionEntry deleted = leader.table().row(path("a"));
        assertThat(deleted.isDeleted()).isTrue();
        assertThat(effects.list())
                .containsSubsequence(new Effect.FollowRow(row), new Effect.FollowRow(deleted))
                .contains(new Effect.PublishEvent(new ClusterEvent.PartitionChanged(row)));
    }
}
