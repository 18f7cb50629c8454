package dev.muster.core.partition;

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

import dev.muster.core.exchange.Command;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Moves as the leader sees them: which begin, and what becomes of them when hosts go or say no. */
class MovesInTheTableTest {
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
    static KeeperWorld moving() {
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
}
