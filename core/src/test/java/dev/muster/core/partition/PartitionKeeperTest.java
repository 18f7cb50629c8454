package dev.muster.core.partition;

import static dev.muster.core.partition.KeeperWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.TableDigest;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionKeeperTest {
    private static final List<String> MUSTER = List.of("dc-default", "muster-1");
    private static final List<String> BACKEND = List.of("backend", "dc-default", "muster-1");
    private static final List<String> ELSE = List.of("dc-default");

    private static NodeId node(int number) {
        return new NodeId(new NodeAddress("muster", "test", String.format("n%03d", number), 1), number);
    }

    private static Member up(int number, List<String> roles) {
        return new Member(node(number), MemberStatus.UP, number, roles, "1");
    }

    private static List<Member> ups(int count) {
        List<Member> members = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            members.add(up(i, MUSTER));
        }
        return members;
    }

    private static ClusterState state(List<Member> members) {
        return state(members, Tombstones.NONE);
    }

    private static ClusterState state(List<Member> members, Tombstones tombstones) {
        return ClusterState.of(
                Members.of(members),
                tombstones,
                Reachability.ALL_REACHABLE,
                VectorClock.of(new String[0], new long[0]),
                SeenSet.NOBODY);
    }

    private static PartitionSpec spec(int instances) {
        return new PartitionSpec(instances, "", HandoffPolicy.stateless());
    }

    private static PartitionPath path(String text) {
        return new PartitionPath(text);
    }

    private static List<NodeId> nodes(int... numbers) {
        List<NodeId> nodes = new ArrayList<>();
        for (int number : numbers) {
            nodes.add(node(number));
        }
        return nodes;
    }

    private static List<NodeId> instances(KeeperWorld world, String path) {
        return world.table().find(path(path)).map(PartitionEntry::instances).orElse(List.of());
    }

    @Test
    void withoutPartitionsNothingIsSaid() {
        KeeperWorld world = new KeeperWorld(state(ups(5)), 1, 0);
        world.pass(60 * SECOND);
        assertThat(world.messages()).isZero();
        assertThat(world.at(node(3)).nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.3})
    void whatAnyMemberWantsAllHave(double loss) {
        KeeperWorld world = new KeeperWorld(state(ups(5)), 2, loss);
        world.at(node(4)).want(path("a"), spec(2), world.now());
        world.at(node(2)).want(path("b"), spec(3), world.now());
        world.pass(20 * SECOND);
        assertThat(instances(world, "a")).hasSize(2);
        assertThat(instances(world, "b")).hasSize(3);
        assertThat(world.running("a")).containsExactlyInAnyOrderElementsOf(instances(world, "a"));
        assertThat(world.running("b")).containsExactlyInAnyOrderElementsOf(instances(world, "b"));
        assertThat(world.at(node(1)).hasConverged(state(ups(5)))).isTrue();
    }

    @Test
    void theExampleOfTheSpecification() {
        KeeperWorld world = new KeeperWorld(state(ups(10)), 3, 0);
        world.at(node(1)).want(path("A"), spec(4), world.now());
        world.at(node(1)).want(path("B"), spec(3), world.now());
        world.at(node(1)).want(path("C"), spec(5), world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "A")).isEqualTo(nodes(1, 2, 3, 4));
        assertThat(instances(world, "B")).isEqualTo(nodes(5, 6, 7));
        assertThat(instances(world, "C")).isEqualTo(nodes(8, 9, 10, 1, 2));
    }

    @Test
    void whoJoinsGetsTheTable() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 4, 0);
        world.at(node(1)).want(path("a"), spec(5), world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "a")).hasSize(3);
        world.become(state(ups(6)));
        world.pass(5 * SECOND);
        assertThat(instances(world, "a")).hasSize(5);
        assertThat(world.running("a")).hasSize(5);
    }

    @Test
    void whenAHostGoesItsInstancesRunElsewhere() {
        KeeperWorld world = new KeeperWorld(state(ups(4)), 5, 0);
        world.at(node(1)).want(path("a"), spec(2), world.now());
        world.pass(2 * SECOND);
        long epoch = world.table().find(path("a")).orElseThrow().epoch();
        List<Member> left = new ArrayList<>(ups(4));
        left.remove(0);
        world.become(state(left));
        world.pass(SECOND / 10);
        assertThat(instances(world, "a")).isEqualTo(nodes(2, 3));
        assertThat(world.running("a")).isEqualTo(nodes(2, 3));
        assertThat(world.table().find(path("a")).orElseThrow().epoch()).isGreaterThan(epoch);
    }

    @Test
    void oneThatMustBeAloneWaitsUntilTheOldOneHasSurelyEnded() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 6, 0);
        world.at(node(3)).want(path("only"), new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("only")).isEqualTo(nodes(1));
        world.become(state(ups(3).subList(1, 3)));
        world.pass(2 * SECOND + SECOND / 2);
        assertThat(world.running("only")).isEmpty();
        world.pass(SECOND);
        assertThat(world.running("only")).isEqualTo(nodes(2));
    }

    /** Each instance that is lost waits for its own host, whoever else lives; what is wanted besides does not wait. */
    @Test
    void ofSeveralThatMustBeAloneOnlyTheLostOneWaits() {
        KeeperWorld world = new KeeperWorld(state(ups(5)), 6, 0);
        world.at(node(5)).want(path("a"), alone(3), world.now());
        world.at(node(5)).want(path("b"), spec(5), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("a")).isEqualTo(nodes(1, 2, 3));
        world.become(state(ups(5).subList(1, 5)));
        world.pass(SECOND);
        assertThat(instances(world, "a")).isEqualTo(nodes(2, 3));
        assertThat(world.at(node(2)).explain(state(ups(5).subList(1, 5)), true, path("a"), world.now()))
                .contains("an instance waits for the down-removal-margin, because " + node(1)
                        + " may not know yet that it was removed");
        world.become(state(ups(5).subList(2, 5)));
        world.pass(SECOND + SECOND / 2);
        assertThat(instances(world, "a")).isEqualTo(nodes(3));
        world.pass(SECOND);
        assertThat(world.running("a")).as("the first has been waited for").hasSize(2);
        world.pass(SECOND);
        assertThat(world.running("a")).isEqualTo(nodes(3, 4, 5));
    }

    @Test
    void growthDoesNotWaitForThoseThatAreGone() {
        KeeperWorld world = new KeeperWorld(state(ups(6)), 6, 0);
        world.at(node(5)).want(path("a"), alone(2), world.now());
        world.at(node(5)).want(path("b"), alone(1), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("a")).isEqualTo(nodes(1, 2));
        List<Member> left = new ArrayList<>(ups(6));
        left.remove(1);
        world.become(state(left));
        world.at(node(5)).want(path("a"), alone(4), world.now());
        world.at(node(5)).want(path("b"), alone(2), world.now());
        world.pass(SECOND);
        assertThat(world.running("a")).as("one waits").hasSize(3);
        assertThat(world.running("b")).as("nothing of it was lost").hasSize(2);
        world.at(node(5)).want(path("a"), alone(1), world.now());
        world.pass(SECOND);
        assertThat(world.running("a"))
                .as("who lives is not ended for one that is lost")
                .hasSize(1);
    }

    @Test
    void whatLoadHadDecidedIsThereAgainAfterTheMargin() {
        KeeperWorld world = new KeeperWorld(state(ups(5)), 6, 0);
        world.at(node(5)).want(path("a"), alone(3), world.now());
        world.pass(2 * SECOND);
        world.at(node(5)).want(path("a"), new PartitionSpec(1, 4, 0, "", HandoffPolicy.singleton()), world.now());
        world.pass(SECOND);
        world.become(state(ups(5).subList(1, 5)));
        world.pass(2 * SECOND);
        assertThat(world.running("a")).isEqualTo(nodes(2, 3));
        world.pass(2 * SECOND);
        assertThat(world.running("a")).hasSize(3);
    }

    /** The leader goes as well, when the row does not tell any more whom to wait for. */
    @Test
    void theNextLeaderWaitsTooForWhoWasLost() {
        KeeperWorld world = new KeeperWorld(state(ups(5)), 6, 0);
        world.at(node(5)).want(path("b"), spec(2), world.now());
        world.pass(2 * SECOND);
        world.at(node(5)).want(path("c"), alone(2), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("c")).isEqualTo(nodes(3, 4));
        List<Member> left = new ArrayList<>(ups(5));
        left.remove(2);
        world.become(state(left));
        world.pass(SECOND);
        assertThat(instances(world, "c")).isEqualTo(nodes(4));
        left.remove(0);
        world.become(state(left));
        world.pass(SECOND + SECOND / 2);
        assertThat(world.running("c")).isEqualTo(nodes(4));
        world.pass(SECOND);
        assertThat(world.running("c")).hasSize(2);
    }

    private static PartitionSpec alone(int instances) {
        return new PartitionSpec(instances, "", HandoffPolicy.singleton());
    }

    @Test
    void oneThatMustBeAloneStaysOnAHostThatGoesWithoutHandingOver() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 6, 0);
        world.at(node(3)).want(path("only"), new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.at(node(3)).want(path("other"), spec(1), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("other")).isEqualTo(nodes(2));
        world.become(state(with(ups(3), MemberStatus.EXITING, 1, 2)));
        world.pass(2 * SECOND);
        assertThat(world.running("only")).isEqualTo(nodes(1));
        world.become(state(with(ups(3), MemberStatus.DOWN, 1, 2)));
        world.pass(2 * SECOND);
        assertThat(world.running("only")).isEqualTo(nodes(1));
        assertThat(world.running("other")).contains(node(3)); // who is down is told nothing
        assertThat(world.moves()).isEmpty();
    }

    private static List<Member> with(List<Member> members, MemberStatus status, int... numbers) {
        List<NodeId> chosen = nodes(numbers);
        return members.stream()
                .map(it -> chosen.contains(it.id()) ? new Member(it.id(), status, it.upNumber(), MUSTER, "1") : it)
                .toList();
    }

    @Test
    void nodesThatWantDifferentThingsDoNotTakeTurns() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 26, 0);
        world.at(node(1)).want(path("a"), spec(2), world.now());
        world.pass(2 * SECOND);
        world.at(node(2)).end(path("a"), world.now());
        world.at(node(3)).want(path("a"), spec(3), world.now());
        world.at(node(1)).want(path("b"), spec(1), world.now());
        world.at(node(2)).want(path("b"), spec(2), world.now());
        world.pass(10 * SECOND);
        PartitionTable table = world.table();
        world.pass(10 * SECOND);
        assertThat(world.table()).isSameAs(table);
    }

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

    // ---- Moves.

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

    /** It may be at work all the same, and not know that nobody counts on it any more. */
    @Test
    void whatAMemberHadThatWentBeforeItHadHandedOverWaitsForTheMargin() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 27, 0);
        world.movesEnd(false);
        world.at(node(3)).want(path("only"), new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "only")).isEqualTo(nodes(1));
        world.become(state(with(ups(3), MemberStatus.LEAVING, 1)));
        world.pass(61 * SECOND);
        world.become(state(with(ups(3), MemberStatus.EXITING, 1)));
        world.pass(SECOND);
        world.become(state(ups(3).subList(1, 3)));
        world.pass(5 * SECOND / 2);
        assertThat(world.running("only")).isEmpty();
        world.pass(SECOND);
        assertThat(world.running("only")).hasSize(1);
    }

    /** It leads as soon as it is up, because of its address, and has not seen anybody go. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneThatComesAfterAHostHasGoneWaitsForTheMarginToo(boolean isRowEmptied) {
        KeeperWorld world = new KeeperWorld(state(ups(3).subList(1, 3)), 28, 0);
        world.at(node(3)).want(path("only"), new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "only")).isEqualTo(nodes(2));
        world.converged(isRowEmptied);
        world.become(state(ups(3).subList(2, 3)));
        world.pass(SECOND / 2);
        assertThat(instances(world, "only")).isEqualTo(isRowEmptied ? List.of() : nodes(2));
        world.become(state(List.of(up(1, MUSTER), up(3, MUSTER))));
        world.converged(true);
        world.pass(2 * SECOND);
        assertThat(world.running("only")).doesNotContain(node(1), node(3));
        world.pass(2 * SECOND);
        assertThat(world.running("only")).containsAnyOf(node(1), node(3));
    }

    /** All who had the table are gone, so nobody can tell whether the partition is new. */
    @Test
    void whereSomebodyHasGoneBeforeAnybodyCameNewPartitionsWaitForTheMargin() {
        KeeperWorld world = new KeeperWorld(state(ups(2), Tombstones.NONE.with(node(3), 1)), 28, 0);
        world.at(node(2)).want(path("only"), new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.at(node(2)).want(path("any"), spec(1), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("only")).isEmpty();
        assertThat(world.running("any")).hasSize(1);
        world.pass(2 * SECOND);
        assertThat(world.running("only")).hasSize(1);
    }

    @Test
    void whoIsTheLastOneLeftWaitsForTheMarginToo() {
        KeeperWorld world = new KeeperWorld(state(ups(1), Tombstones.NONE.with(node(3), 1)), 28, 0);
        world.at(node(1)).want(path("only"), new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("only")).isEmpty();
        world.pass(2 * SECOND);
        assertThat(world.running("only")).hasSize(1);
    }

    @Test
    void inAYoungClusterNewPartitionsWaitForNobody() {
        KeeperWorld world = new KeeperWorld(state(ups(2)), 28, 0);
        world.at(node(2)).want(path("only"), new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("only")).hasSize(1);
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

    /** The old host may have handed over to it and not have been heard, so it may be at work without knowing it. */
    @Test
    void whenTheNewHostGoesTheOldOneGoesOnAfterTheMargin() {
        KeeperWorld world = moving();
        long before = world.table().find(path("only")).orElseThrow().epoch();
        world.become(state(List.of(up(1, MUSTER), up(3, MUSTER))));
        world.pass(5 * SECOND / 2);
        assertThat(pendingOf(world, "only")).isPresent();
        world.pass(SECOND);
        assertThat(instances(world, "only")).isEqualTo(nodes(1));
        PartitionEntry row = world.table().find(path("only")).orElseThrow();
        assertThat(row.move()).isEmpty();
        assertThat(row.epoch()).isGreaterThan(before);
    }

    /** Its time to drain was up before the move was over. */
    @Test
    void whenTheNewHostLeavesInTheMiddleTheMarginIsWaitedForToo() {
        KeeperWorld world = moving();
        world.become(state(with(ups(3), MemberStatus.EXITING, 2)));
        world.pass(SECOND);
        world.become(state(List.of(up(1, MUSTER), up(3, MUSTER))));
        world.pass(5 * SECOND / 2);
        assertThat(pendingOf(world, "only")).isPresent();
        world.pass(SECOND);
        assertThat(pendingOf(world, "only")).isEmpty();
    }

    @Test
    void whenTheNewHostGoesAlsoALeaderThatComesAfterThatWaitsForTheMargin() {
        KeeperWorld world = moving();
        world.converged(false);
        world.become(state(List.of(up(1, MUSTER), up(3, MUSTER))));
        world.pass(SECOND / 10);
        Member first = new Member(node(0), MemberStatus.UP, 9, MUSTER, "1");
        world.become(state(List.of(first, up(1, MUSTER), up(3, MUSTER))));
        world.converged(true);
        world.pass(2 * SECOND);
        assertThat(pendingOf(world, "only")).isPresent();
        world.pass(2 * SECOND);
        assertThat(pendingOf(world, "only")).isEmpty();
    }

    @Test
    void whenTheNewHostGoesAndTheOldOneSaysThatItHasKeptAllItGoesOnAtOnce() {
        KeeperWorld world = moving();
        long move = pendingOf(world, "only").orElseThrow().id();
        world.become(state(List.of(up(1, MUSTER), up(3, MUSTER))));
        world.at(node(1)).report(path("only"), move, "the new host has gone", world.now());
        world.pass(SECOND);
        assertThat(pendingOf(world, "only")).isEmpty();
        assertThat(instances(world, "only")).isEqualTo(nodes(1));
    }

    private static Optional<PartitionMove> pendingOf(KeeperWorld world, String path) {
        return world.table().find(path(path)).flatMap(PartitionEntry::pending);
    }

    /** A singleton on the way from the first node to the second, which never says that it has arrived. */
    private static KeeperWorld moving() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 23, 0);
        world.at(node(3)).want(path("only"), new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "only")).isEqualTo(nodes(1));
        world.movesEnd(false);
        assertThat(world.at(node(3))
                        .migrate(state(ups(3)), new Command.Migrate(path("only"), node(2).address()), world.now()))
                .isEmpty();
        world.pass(2 * SECOND);
        assertThat(world.table().find(path("only")).flatMap(PartitionEntry::pending))
                .isPresent();
        return world;
    }

    @Test
    void whenTheOldHostGoesTheNewOneTakesOverAfterTheMargin() {
        KeeperWorld world = moving();
        world.become(state(ups(3).subList(1, 3)));
        world.pass(2 * SECOND);
        assertThat(instances(world, "only")).isEqualTo(nodes(1));
        world.pass(2 * SECOND);
        assertThat(instances(world, "only")).isEqualTo(nodes(2));
        assertThat(world.running("only")).isEqualTo(nodes(2));
    }

    @Test
    void whenBothGoSomebodyElseBeginsAnew() {
        KeeperWorld world = moving();
        world.become(state(ups(3).subList(2, 3)));
        world.pass(5 * SECOND);
        assertThat(world.running("only")).isEqualTo(nodes(3));
    }

    /** The first node leads and hosts; whoever leads after it knows of the move from the table, and of its end anew. */
    @Test
    void theNextLeaderGoesOnWithPendingMoves() {
        KeeperWorld world = new KeeperWorld(state(ups(4)), 24, 0);
        world.at(node(1)).want(path("a"), spec(1), world.now());
        world.at(node(1)).want(path("b"), spec(1), world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "b")).isEqualTo(nodes(2));
        world.movesEnd(false);
        assertThat(world.at(node(4))
                        .migrate(state(ups(4)), new Command.Migrate(path("b"), node(3).address()), world.now()))
                .isEmpty();
        world.pass(2 * SECOND);
        long move = world.table()
                .find(path("b"))
                .orElseThrow()
                .pending()
                .orElseThrow()
                .id();
        world.become(state(ups(4).subList(1, 4)));
        world.at(node(2)).report(path("b"), move, "", world.now());
        world.pass(SECOND);
        assertThat(instances(world, "b")).isEqualTo(nodes(3));
        assertThat(world.table().find(path("b")).orElseThrow().writer()).isEqualTo(node(2));
    }

    @Test
    void onlyTheOldHostIsBelieved() {
        KeeperWorld world = moving();
        long move = world.table()
                .find(path("only"))
                .orElseThrow()
                .pending()
                .orElseThrow()
                .id();
        world.at(node(3)).report(path("only"), move, "", world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "only")).isEqualTo(nodes(1));
        world.at(node(1)).report(path("only"), move - 1, "", world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "only")).isEqualTo(nodes(1));
        world.at(node(1)).report(path("only"), move, "", world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "only")).isEqualTo(nodes(2));
    }

    @Test
    void aMoveThatFailsIsCalledOff() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 25, 0);
        world.at(node(3)).want(path("a"), spec(1), world.now());
        world.pass(2 * SECOND);
        world.movesFail("no room");
        assertThat(world.at(node(1))
                        .migrate(state(ups(3)), new Command.Migrate(path("a"), node(3).address()), world.now()))
                .isEmpty();
        world.pass(2 * SECOND);
        assertThat(world.moves()).hasSize(1);
        assertThat(instances(world, "a")).isEqualTo(nodes(1));
        assertThat(world.table().find(path("a")).orElseThrow().move()).isEmpty();
    }

    /** A leaver whose partition cannot start elsewhere does not try so all the time. */
    @Test
    void aMoveThatFailsIsTriedAgainAfterARest() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 28, 0);
        world.at(node(3)).want(path("a"), spec(1), world.now());
        world.pass(2 * SECOND);
        world.movesFail("no room");
        world.become(state(with(ups(3), MemberStatus.LEAVING, 1)));
        world.pass(4 * SECOND);
        assertThat(world.moves()).hasSize(1);
        world.pass(8 * SECOND);
        assertThat(world.moves()).hasSize(3);
    }

    @Test
    void migrationsThatCannotBeAreRefused() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 26, 0);
        world.at(node(1)).want(path("a"), spec(1), world.now());
        world.pass(2 * SECOND);
        PartitionKeeper keeper = world.at(node(2));
        assertThat(keeper.migrate(state(ups(3)), new Command.Migrate(path("b"), node(1).address()), world.now()))
                .contains("there is no partition b; the table has 1");
        assertThat(keeper.migrate(state(ups(3)), new Command.Migrate(path("a"), node(9).address()), world.now()))
                .contains("there is no member at " + node(9).address());
        assertThat(keeper.migrate(state(ups(3)), new Command.Migrate(path("a"), node(1).address()), world.now())
                        .orElseThrow())
                .isEqualTo("a is there already, on " + node(1));
    }

    @Test
    void ofSeveralInstancesTheOneThatIsNamedMoves() {
        KeeperWorld world = new KeeperWorld(state(ups(4)), 26, 0);
        world.at(node(1)).want(path("a"), spec(2), world.now());
        world.pass(2 * SECOND);
        assertThat(world.at(node(3)).migrate(state(ups(4)), from(2, 4), world.now()))
                .isEmpty();
        world.pass(2 * SECOND);
        assertThat(instances(world, "a")).isEqualTo(nodes(1, 4));
        assertThat(world.refusals()).isEmpty();
        assertThat(world.at(node(3)).migrate(state(ups(4)), from(2, 3), world.now()))
                .contains(node(2).address() + " hosts no instance of a; name one of [" + node(1).address() + ", "
                        + node(4).address() + "]");
    }

    private static Command.Migrate from(int from, int to) {
        return new Command.Migrate(
                path("a"), node(to).address(), Optional.of(node(from).address()));
    }

    /** Who asked saw another row than the leader when it asks. */
    @Test
    void whoWantedAMoveIsToldThatTheLeaderRefusesIt() {
        KeeperWorld world = new KeeperWorld(state(ups(4)), 26, 0);
        world.at(node(1)).want(path("a"), spec(1), world.now());
        world.pass(2 * SECOND);
        assertThat(world.at(node(1)).migrate(state(ups(4)), from(1, 2), world.now()))
                .isEmpty();
        assertThat(world.at(node(3)).migrate(state(ups(4)), from(1, 4), world.now()))
                .isEmpty();
        world.pass(10 * SECOND);
        assertThat(world.refusals()).hasSize(1);
        assertThat(world.refusals().get(0)).startsWith(node(3) + ": ").contains("hosts no instance of a");
    }

    /** Beyond 32 members only the leader hears of all. */
    @ParameterizedTest
    @ValueSource(ints = {32, 33})
    void whoKnowsTheLoadOfFewOnlySaysSo(int members) {
        KeeperWorld world = new KeeperWorld(state(ups(members)), 30, 0);
        world.at(node(1)).want(path("a"), spec(3), world.now());
        for (int i = 1; i <= members; i++) {
            world.at(node(i)).measured(0.5, 0, new TreeMap<>());
        }
        world.pass(10 * SECOND);
        String warning = "the plan of the leader of the table may be another";
        assertThat(world.at(node(1)).rebalancePlan(state(ups(members))).summary())
                .doesNotContain(warning);
        assertThat(world.at(node(2))
                        .rebalancePlan(state(ups(members)))
                        .summary()
                        .contains(warning))
                .isEqualTo(members > 32);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rebalancingMovesWithinItsBudgetAndThenRests(boolean movesEnd) {
        KeeperWorld world = new KeeperWorld(state(ups(2)), 27, 0);
        for (int i = 0; i < 300; i++) {
            world.at(node(1)).want(path("p" + i), spec(1), world.now());
        }
        world.pass(2 * SECOND);
        world.become(state(ups(3)));
        world.pass(3 * SECOND);
        assertThat(world.moves()).isEmpty();
        world.movesEnd(movesEnd);
        world.at(node(3)).rebalance(world.now());
        world.pass(5 * SECOND);
        assertThat(world.moves()).hasSize(movesEnd ? 100 : 1);
        world.at(node(3)).rebalance(world.now());
        world.pass(5 * SECOND);
        assertThat(world.moves()).hasSize(movesEnd ? 100 : 1);
        assertThat(world.at(node(1)).rebalancePlan(state(ups(3))).isEmpty()).isEqualTo(movesEnd);
    }

    @Test
    void whoHasNothingYetGetsOneFirstAndTwiceAsManyEachTimeAfter() {
        KeeperWorld world = new KeeperWorld(state(ups(2)), 27, 0);
        for (int i = 0; i < 150; i++) {
            world.at(node(1)).want(path("p" + i), spec(1), world.now());
        }
        world.pass(2 * SECOND);
        world.become(state(ups(3)));
        world.pass(SECOND);
        world.movesEnd(false);
        world.at(node(1)).rebalance(world.now());
        List<Integer> underWay = new ArrayList<>();
        for (int begun = 0; underWay.size() < 6; begun = world.moves().size()) {
            world.pass(SECOND);
            underWay.add(world.moves().size() - begun);
            reportMoves(world);
        }
        assertThat(underWay).containsExactly(1, 2, 4, 8, 10, 10);
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

    /** What is planned can be planned again; what somebody asked for, and what must go, does not wait for versions. */
    @Test
    void plannedMovesDoNotBeginWhileVersionsDiffer() {
        KeeperWorld world = new KeeperWorld(state(ups(2)), 27, 0);
        for (int i = 0; i < 120; i++) {
            world.at(node(1)).want(path("p" + i), spec(1), world.now());
        }
        world.pass(2 * SECOND);
        world.become(state(ups(3)));
        world.pass(SECOND);
        world.movesEnd(false);
        world.at(node(1)).rebalance(world.now());
        world.pass(SECOND);
        for (int i = 0; i < 4; i++) {
            reportMoves(world);
            world.pass(SECOND);
        }
        assertThat(world.moves()).hasSize(1 + 2 + 4 + 8 + 10);
        assertThat(world.at(node(1)).waitingMoves()).hasSize(15);
        PartitionPath waiting =
                world.at(node(1)).waitingMoves().iterator().next().path();
        List<Member> upgrading = new ArrayList<>(ups(3));
        upgrading.add(new Member(node(4), MemberStatus.UP, 4, MUSTER, "2"));
        assertThat(world.at(node(1))
                        .migrate(state(upgrading), new Command.Migrate(waiting, node(4).address()), world.now()))
                .isEmpty();
        world.become(state(upgrading));
        world.pass(SECOND);
        assertThat(world.at(node(1)).waitingMoves()).extracting(Move::to).containsExactly(node(4));

        endMoves(world);
        world.pass(2 * SECOND);
        assertThat(world.moves()).hasSize(26);
        assertThat(instances(world, waiting.text())).isEqualTo(nodes(4));
    }

    /** It may stay for months, while a team moves over node by node. */
    @Test
    void whatMembersRunThatAreNotMusterKeepsNothingFromMoving() {
        KeeperWorld world = new KeeperWorld(state(ups(1)), 30, 0);
        for (int i = 0; i < 4; i++) {
            world.at(node(1)).want(path("p" + i), spec(1), world.now());
        }
        world.pass(2 * SECOND);
        List<Member> mixed = new ArrayList<>(ups(2));
        mixed.add(new Member(node(3), MemberStatus.UP, 3, List.of("dc-default"), "2"));
        world.become(state(mixed));
        world.pass(SECOND);
        assertThat(world.at(node(1)).rebalancePlan(state(mixed)).moves()).hasSize(2);

        world.at(node(1)).rebalance(world.now());
        world.pass(5 * SECOND);

        assertThat(world.moves()).hasSize(2).allMatch(it -> it.endsWith("to " + node(2)));
    }

    private static void endMoves(KeeperWorld world) {
        world.movesEnd(true);
        reportMoves(world);
    }

    private static void reportMoves(KeeperWorld world) {
        for (PartitionEntry row : world.table().entries().values()) {
            row.pending().ifPresent(it -> world.at(it.from()).report(row.path(), it.id(), "", world.now()));
        }
    }

    @Test
    void theLeaderKnowsWhyAndTheOthersKnowWhomToAsk() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 29, 0);
        world.at(node(3)).want(path("a"), new PartitionSpec(1, 3, 2, "", HandoffPolicy.stateless()), world.now());
        world.pass(2 * SECOND);
        assertThat(why(world, ups(3), 1))
                .contains("wanted are 1 to 3 instances, and 2 are expected to be needed")
                .contains("this node decided last: ")
                .contains("a user expects to need 2");
        assertThat(why(world, ups(3), 2)).contains(node(1) + " knows the reason of the last change");
        List<Member> leaving = with(ups(3), MemberStatus.LEAVING, 2);
        world.become(state(leaving));
        world.pass(2 * SECOND);
        assertThat(why(world, leaving, 1))
                .contains("decided last: it moves from " + node(2) + " to " + node(3) + ": " + node(2) + " leaves");
        world.become(state(ups(3).subList(1, 3)));
        world.pass(2 * SECOND);
        assertThat(why(world, ups(3).subList(1, 3), 2)).contains(node(1) + " has gone");
    }

    private static String why(KeeperWorld world, List<Member> members, int who) {
        return String.join("; ", world.at(node(who)).explain(state(members), true, path("a"), world.now()));
    }

    @Test
    void reasons() {
        KeeperWorld world = moving();
        assertThat(world.at(node(1)).explain(state(ups(3)), true, path("only"), world.now()))
                .containsExactly(
                        "only is on " + node(1) + ", as " + node(1) + " wrote in epoch 2; wanted is 1 instance, handed "
                                + "over by the policy singleton (2b 3b 4a)",
                        "it is being handed over from " + node(1) + " to " + node(2) + ", move 2; the row changes when "
                                + node(1) + " says that it is done",
                        "as the leader of the table this node decided last: it moves from " + node(1) + " to " + node(2)
                                + ": a user asked for it",
                        node(1) + " leads the table, and nothing keeps it from writing");
        assertThat(world.at(node(1))
                        .explain(state(ups(3)), false, path("only/x"), world.now())
                        .get(0))
                .contains("cannot be beside only");
        assertThat(world.at(node(1)).explain(state(ups(3)), false, path("x"), world.now()))
                .containsExactly("there is no partition x; the table has 1");
    }

    /** The row does not say whether all senders have switched, so what is said of that holds before and after. */
    @Test
    void ofAMoveThatWasMadeIsSaidWhatStaysTrue() {
        assertThat(whyAfterAMove(HandoffPolicy.singleton(), ups(3)))
                .contains("it came from " + node(1) + " by move 2; what may still be sent there is forwarded");
        assertThat(whyAfterAMove(HandoffPolicy.disposable(), ups(3)))
                .contains("it came from " + node(1) + " by move 2; what was sent there before its sender had switched "
                        + "is dropped")
                .anyMatch(it -> it.endsWith("by the policy disposable (2c 3a 4b)"));
        HandoffPolicy nameless = new HandoffPolicy(
                HandoffPolicy.Migration.KEEP, HandoffPolicy.Arrival.PROCESS, HandoffPolicy.Update.DROP);
        assertThat(whyAfterAMove(nameless, ups(3).subList(1, 3)))
                .contains("it came from " + node(1) + " by move 2, and that node has gone")
                .anyMatch(it -> it.endsWith("by the policy 2a 3a 4b"));
    }

    private static List<String> whyAfterAMove(HandoffPolicy policy, List<Member> afterwards) {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 23, 0);
        world.at(node(3)).want(path("a"), new PartitionSpec(1, "", policy), world.now());
        world.pass(2 * SECOND);
        assertThat(world.at(node(3)).migrate(state(ups(3)), from(1, 2), world.now()))
                .isEmpty();
        world.pass(2 * SECOND);
        assertThat(instances(world, "a")).isEqualTo(nodes(2));
        world.become(state(afterwards));
        return world.at(node(3)).explain(state(afterwards), true, path("a"), world.now());
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

    @Test
    void onlyMembersOfTheRoleHost() {
        KeeperWorld world =
                new KeeperWorld(state(List.of(up(1, MUSTER), up(2, BACKEND), up(3, ELSE), up(4, BACKEND))), 8, 0);
        world.at(node(1)).want(path("a"), new PartitionSpec(3, "backend", HandoffPolicy.stateless()), world.now());
        world.at(node(1)).want(path("b"), spec(4), world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "a")).isEqualTo(nodes(2, 4));
        assertThat(instances(world, "b")).containsExactlyInAnyOrderElementsOf(nodes(1, 2, 4));
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
    void partitionsInsideEachOtherAreRefused() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 10, 0);
        world.at(node(2)).want(path("a/b"), spec(1), world.now());
        world.pass(2 * SECOND);
        world.at(node(3)).want(path("a"), spec(1), world.now());
        world.at(node(1)).want(path("a/b/c"), spec(1), world.now());
        world.pass(3 * SECOND);
        assertThat(world.refusals())
                .containsExactlyInAnyOrder(
                        "a: there is the partition a/b, and partitions do not lie inside each other; choose a path "
                                + "beside it",
                        "a/b/c: there is the partition a/b, and partitions do not lie inside each other; choose a path "
                                + "beside it");
        assertThat(world.table().size()).isEqualTo(1);
    }

    @Test
    void twoThatAreWantedAtOnceAreComparedToo() {
        KeeperWorld world = new KeeperWorld(state(ups(2)), 10, 0);
        world.converged(false);
        world.at(node(1)).want(path("a"), spec(1), world.now());
        world.pass(SECOND);
        world.at(node(1)).want(path("a/b"), spec(1), world.now());
        world.pass(SECOND);
        assertThat(world.refusals()).hasSize(1);
    }

    @Test
    void aPartitionEndsForAll() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 11, 0.2);
        world.at(node(2)).want(path("a"), spec(2), world.now());
        world.pass(10 * SECOND);
        world.at(node(3)).end(path("a"), world.now());
        world.pass(10 * SECOND);
        assertThat(world.table().find(path("a"))).isEmpty();
        assertThat(world.running("a")).isEmpty();
        world.at(node(3)).want(path("a"), spec(1), world.now());
        world.pass(10 * SECOND);
        assertThat(world.running("a")).hasSize(1);
    }

    @Test
    void whatIsWantedMayChange() {
        KeeperWorld world = new KeeperWorld(state(ups(5)), 12, 0);
        world.at(node(2)).want(path("a"), spec(4), world.now());
        world.pass(2 * SECOND);
        world.at(node(2)).want(path("a"), spec(2), world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "a")).isEqualTo(nodes(1, 2));
    }

    /** A table of any size costs a few bytes now and then while nothing changes. */
    @Test
    void manyRowsTravelInPartsAndThenRest() {
        KeeperWorld world = new KeeperWorld(state(ups(4)), 13, 0);
        for (int i = 0; i < 2_000; i++) {
            world.at(node(1)).want(path("p/" + i), spec(1), world.now());
        }
        world.pass(5 * SECOND);
        assertThat(world.table().size()).isEqualTo(2_000);
        world.become(state(ups(5)));
        world.pass(5 * SECOND);
        assertThat(world.at(node(5)).table()).isEqualTo(world.table());
        int before = world.messages();
        int events = world.events();
        world.pass(60 * SECOND);
        assertThat(world.messages() - before).isLessThan(5 * 61);
        assertThat(world.events()).isEqualTo(events);
    }

    @Test
    void inLargeClustersNewsIsPassedOn() {
        KeeperWorld world = new KeeperWorld(state(ups(100)), 14, 0.1);
        world.at(node(77)).want(path("a"), spec(3), world.now());
        world.pass(30 * SECOND);
        assertThat(instances(world, "a")).hasSize(3);
        assertThat(world.at(node(1)).hasConverged(state(ups(100)))).isTrue();
    }

    /** Two leaders wrote while they could not see each other; afterwards all have one table again. */
    @Test
    void twoTablesBecomeOne() {
        KeeperWorld world = new KeeperWorld(state(ups(2)), 15, 0);
        world.at(node(1)).want(path("a"), spec(1), world.now());
        world.pass(2 * SECOND);
        KeeperWorld elsewhere = new KeeperWorld(state(List.of(up(3, MUSTER), up(4, MUSTER))), 16, 0);
        elsewhere.at(node(3)).want(path("a"), spec(2), elsewhere.now());
        elsewhere.at(node(3)).want(path("b"), spec(1), elsewhere.now());
        elsewhere.pass(2 * SECOND);

        world.take(elsewhere);
        world.become(state(ups(4)));
        world.pass(5 * SECOND);
        assertThat(world.table().size()).isEqualTo(2);
        // Of equal epochs the higher writer's counts.
        assertThat(instances(world, "a")).hasSize(2);
        assertThat(world.running("a")).containsExactlyInAnyOrderElementsOf(instances(world, "a"));
        assertThat(world.running("b")).hasSize(1);
    }

    @Test
    void rowsThatNobodyCouldHaveWrittenAreIgnored() {
        KeeperWorld world = new KeeperWorld(state(ups(2)), 17, 0);
        PartitionEntry wild = new PartitionEntry(path("a"), 1L << 50, node(1), spec(1), nodes(1), false);
        world.at(node(2))
                .onMessage(
                        state(ups(2)),
                        node(1),
                        new TableMessage.TableRows(node(2), TableDigest.NONE, List.of(wild), List.of()),
                        world.now(),
                        new Effects());
        assertThat(world.at(node(2)).table().isEmpty()).isTrue();
    }

    /** The world fails if somebody wants to be woken in the past. */
    @Test
    void whoHasNothingLeftToAskForSleeps() {
        KeeperWorld world = new KeeperWorld(state(ups(2)), 18, 0);
        world.converged(false);
        world.at(node(1)).want(path("a"), spec(1), world.now());
        world.pass(SECOND);
        world.at(node(2)).want(path("a/b"), spec(1), world.now());
        world.pass(5 * SECOND);
        assertThat(world.refusals()).hasSize(1);
        assertThat(world.at(node(2)).nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatEndsMakesRoomForWhatLiesInside() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 19, 0);
        world.at(node(1)).want(path("a"), spec(1), world.now());
        world.pass(2 * SECOND);
        world.at(node(1)).end(path("a"), world.now());
        world.at(node(1)).want(path("a/b"), spec(1), world.now());
        world.pass(3 * SECOND);
        assertThat(world.refusals()).isEmpty();
        assertThat(instances(world, "a")).isEmpty();
        assertThat(world.running("a/b")).hasSize(1);
    }

    @Test
    void aNegativeMarginIsRefused() {
        assertThatThrownBy(() -> PartitionSettings.defaults().withDownRemovalMargin(Duration.ofSeconds(-1)))
                .hasMessage("down-removal-margin must not be negative, was PT-1S");
    }
}
