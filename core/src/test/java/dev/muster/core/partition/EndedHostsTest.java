package dev.muster.core.partition;

import static dev.muster.core.partition.KeeperWorld.SECOND;
import static dev.muster.core.partition.KeeperWorld.members;
import static dev.muster.core.partition.KeeperWorld.node;
import static dev.muster.core.partition.KeeperWorld.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.Command;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A partition that must be alone is ended and wanted again. The instance before may still be at its last message, so
 * the next one waits for that in the same place, which is node 3 here; left to itself it would begin on node 1.
 */
class EndedHostsTest {
    private static final PartitionPath PATH = new PartitionPath("one");
    private static final ClusterState FOUR = members(1, 2, 3, 4);

    private static KeeperWorld onNode3(HandoffPolicy policy) {
        KeeperWorld world = new KeeperWorld(FOUR, 8, 0);
        want(world, policy, 2);
        world.pass(2 * SECOND);
        assertThat(world.running("one")).containsExactly(node(1));
        migrate(world);
        world.pass(2 * SECOND);
        assertThat(world.running("one")).containsExactly(node(3));
        return world;
    }

    private static void want(KeeperWorld world, HandoffPolicy policy, int who) {
        world.at(node(who)).want(PATH, new PartitionSpec(1, "", policy), world.now());
    }

    private static void migrate(KeeperWorld world) {
        Command.Migrate migrate = new Command.Migrate(PATH, node(3).address());
        assertThat(world.at(node(2)).migrate(FOUR, migrate, world.now())).isEmpty();
    }

    @Test
    void itBeginsAgainWhereItEnded() {
        KeeperWorld world = onNode3(HandoffPolicy.singleton());
        world.at(node(2)).end(PATH, world.now());
        want(world, HandoffPolicy.singleton(), 2);
        world.pass(2 * SECOND);

        assertThat(world.running("one")).containsExactly(node(3));
    }

    @Test
    void oneThatNeedNotBeAloneBeginsAnywhere() {
        KeeperWorld world = onNode3(HandoffPolicy.stateless());
        world.at(node(2)).end(PATH, world.now());
        want(world, HandoffPolicy.stateless(), 2);
        world.pass(2 * SECOND);

        assertThat(world.running("one")).containsExactly(node(1));
    }

    /** The row has nobody for as long as the one who has gone might be at work. */
    @Test
    void itBeginsThereAlsoWhenItHadToWaitForAnybodyElse() {
        KeeperWorld world = onNode3(HandoffPolicy.singleton());
        world.become(members(1, 2, 3));
        world.at(node(2)).end(PATH, world.now());
        want(world, HandoffPolicy.singleton(), 2);
        world.pass(2 * SECOND);
        assertThat(world.table().find(PATH).orElseThrow().instances()).isEmpty();

        world.pass(2 * SECOND);
        assertThat(world.running("one")).containsExactly(node(3));
    }

    @Test
    void theNextLeaderKnowsWhereItEnded() {
        KeeperWorld world = onNode3(HandoffPolicy.singleton());
        world.at(node(2)).end(PATH, world.now());
        world.pass(SECOND);
        world.become(members(2, 3, 4));
        want(world, HandoffPolicy.singleton(), 2);
        world.pass(5 * SECOND);

        assertThat(world.running("one")).containsExactly(node(3));
    }

    /** Only those two could say at which of them it is at work, and nobody asks them after the end. */
    @Test
    void oneThatMovesEndsWhenItHasMoved() {
        KeeperWorld world = new KeeperWorld(FOUR, 8, 0);
        world.movesEnd(false);
        want(world, HandoffPolicy.singleton(), 2);
        world.pass(2 * SECOND);
        migrate(world);
        world.pass(SECOND);
        long move =
                world.table().find(PATH).orElseThrow().pending().orElseThrow().id();
        world.at(node(2)).end(PATH, world.now());
        want(world, HandoffPolicy.singleton(), 2);
        world.pass(5 * SECOND);
        assertThat(world.table().find(PATH).orElseThrow().pending()).isPresent();

        world.at(node(1)).report(PATH, move, "", world.now());
        world.pass(2 * SECOND);

        assertThat(world.running("one")).containsExactly(node(3));
        assertThat(world.table().find(PATH).orElseThrow().epoch()).isGreaterThan(move + 2);
    }

    // ---- Where it may not begin again.

    private static final PartitionSpec OF_X = new PartitionSpec(1, "x", HandoffPolicy.singleton());
    private static final PartitionSpec OF_Y = new PartitionSpec(1, "y", HandoffPolicy.singleton());

    /** It was on node 3, and is wanted on node 4 now. */
    private static KeeperWorld wantedWithAnotherRole() {
        KeeperWorld world = new KeeperWorld(KeeperWorld.withRoles("", "", "x", "y"), 1, 0);
        world.at(node(2)).want(PATH, OF_X, world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("one")).containsExactly(node(3));
        world.at(node(2)).end(PATH, world.now());
        world.at(node(2)).want(PATH, OF_Y, world.now());
        world.pass(60 * SECOND);
        return world;
    }

    @Test
    void withAnotherRoleItBeginsElsewhereOnceTheOneBeforeSaysThatItIsGone() {
        KeeperWorld world = wantedWithAnotherRole();
        assertThat(world.running("one")).isEmpty();
        ClusterState state = KeeperWorld.withRoles("", "", "x", "y");
        assertThat(world.at(node(1)).explain(state, true, PATH, world.now()))
                .contains("it has ended before, and waits until its instance on " + node(3)
                        + " has finished its last message");

        world.hasEnded(3, PATH);
        world.pass(SECOND);
        assertThat(world.running("one")).containsExactly(node(4));
    }

    @Test
    void whatWasGoneBeforeAnybodyWantedItAgainIsSaidThen() {
        KeeperWorld world = new KeeperWorld(KeeperWorld.withRoles("", "", "x", "y"), 1, 0);
        world.at(node(2)).want(PATH, OF_X, world.now());
        world.pass(2 * SECOND);
        world.at(node(2)).end(PATH, world.now());
        world.pass(SECOND);
        world.hasEnded(3, PATH);
        world.pass(3600 * SECOND);
        world.at(node(2)).want(PATH, OF_Y, world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("one")).containsExactly(node(4));
    }

    @Test
    void theNextLeaderHearsThatItIsGone() {
        KeeperWorld world = wantedWithAnotherRole();
        world.deafen(node(1));
        world.hasEnded(3, PATH);
        world.pass(2 * SECOND);
        assertThat(world.running("one")).isEmpty();

        world.deafen(null);
        world.become(KeeperWorld.with(FOUR, MemberStatus.DOWN, 1)); // node 2 leads
        world.pass(SECOND);
        assertThat(world.running("one")).isEmpty(); // there is no role y among these
        world.become(KeeperWorld.withRoles("", "", "x", "y"));
        world.pass(2 * SECOND);
        assertThat(world.running("one")).containsExactly(node(4));
    }

    /** It could not start there once, so it is not to begin there now; but the one before may be at work there. */
    @Test
    void aHostThatHadFailedIsWaitedForToo() {
        KeeperWorld world = new KeeperWorld(KeeperWorld.withRoles("", "", "x", ""), 1, 0);
        world.at(node(2)).want(PATH, OF_X, world.now());
        world.pass(2 * SECOND);
        world.cannotStart(3, PATH, "its database was away"); // its gate tries again, and then it starts
        world.pass(3 * SECOND);
        world.at(node(2)).end(PATH, world.now());
        world.pass(SECOND);
        world.become(KeeperWorld.withRoles("", "", "x", "x"));
        world.at(node(2)).want(PATH, OF_X, world.now());
        world.pass(SECOND);
        assertThat(world.running("one")).isEmpty();

        world.hasEnded(3, PATH);
        world.pass(SECOND);
        assertThat(world.running("one")).containsExactly(node(4));
    }

    /** What node 1 wrote last comes to node 2 only when that leads. */
    @Test
    void whoLeadsWhenItHearsOfTheEndKnowsWhereItEnded() {
        for (int seed = 0; seed < 5; seed++) {
            KeeperWorld world = new KeeperWorld(members(1, 2), seed, 0);
            want(world, HandoffPolicy.singleton(), 2);
            world.pass(2 * SECOND);
            assertThat(world.running("one")).containsExactly(node(1));
            world.deafen(node(2));
            world.at(node(2)).end(PATH, world.now());
            want(world, HandoffPolicy.singleton(), 2);
            world.pass(SECOND / 4);
            assertThat(world.at(node(1)).table().row(PATH).isDeleted()).isTrue();

            world.deafen(null);
            world.become(with(members(1, 2), MemberStatus.EXITING, 1));
            world.pass(3 * SECOND);
            assertThat(world.running("one")).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void whatIsSaidOfAnEarlierEndDoesNotCount() {
        EndedHosts ended = new EndedHosts();
        PartitionTable table = PartitionTable.EMPTY;
        for (int i = 0; i < 2; i++) {
            for (boolean isDeleted : new boolean[] {false, true}) {
                table = table.merge(List.of(new PartitionEntry(
                        PATH,
                        table.revision() + 1,
                        node(1),
                        OF_X,
                        isDeleted ? List.of() : List.of(node(3)),
                        isDeleted)));
                ended.follow(table);
            }
        }
        assertThat(ended.isOver(PATH, node(3), 2)).isFalse();
        assertThat(ended.of(PATH)).containsExactly(node(3));
        assertThat(ended.isOver(PATH, node(2), 4)).isFalse();
        assertThat(ended.isOver(PATH, node(3), 4)).isTrue();
        assertThat(ended.isOver(PATH, node(3), 4)).isFalse();
        assertThat(ended.of(PATH)).isEmpty();
    }

    /** Its end and that it is wanted again may come in one. */
    @Test
    void anEndThatWasNotSeenIsKnownByTheRowThatFollows() {
        EndedHosts ended = new EndedHosts();
        PartitionTable table = PartitionTable.EMPTY.merge(
                List.of(new PartitionEntry(PATH, 1, node(1), OF_X, List.of(node(3)), false)));
        ended.follow(table);
        ended.follow(table.merge(List.of(new PartitionEntry(PATH, 3, node(1), OF_Y, List.of(), false))));
        assertThat(ended.of(PATH)).containsExactly(node(3));
        assertThat(ended.isOver(PATH, node(3), 2)).isTrue();
    }

    /** It was not heard to have finished: it may have been removed because it was cut off in the middle. */
    @Test
    void aHostThatMayNotBeginAgainIsWaitedForUntilItHasBeenGoneForTheMargin() {
        KeeperWorld world = endedOnNode3ThatLeaves();
        world.become(with(FOUR, MemberStatus.EXITING, 3));
        world.pass(SECOND);
        world.become(members(1, 2, 4));
        long margin = PartitionSettings.defaults().downRemovalMargin().toNanos();
        world.pass(margin - 1);
        assertThat(world.running("one")).isEmpty();

        world.pass(SECOND);
        assertThat(world.running("one")).containsExactly(node(1));
    }

    @Test
    void theNextLeaderWaitsForTheMarginOfThatHostToo() {
        KeeperWorld world = endedOnNode3ThatLeaves();
        world.become(with(FOUR, MemberStatus.EXITING, 3));
        world.pass(SECOND);
        world.become(members(1, 2, 4));
        world.pass(SECOND);
        world.become(with(members(1, 2, 4), MemberStatus.EXITING, 1));
        world.pass(SECOND);
        assertThat(world.running("one")).isEmpty();

        world.pass(SECOND);
        assertThat(world.running("one")).containsExactly(node(2));
    }

    @Test
    void aHostThatHasGoneAfterItSaidThatItHadFinishedIsNotWaitedFor() {
        KeeperWorld world = endedOnNode3ThatLeaves();
        world.become(with(FOUR, MemberStatus.EXITING, 3));
        world.hasEnded(3, PATH);
        world.pass(1);
        assertThat(world.running("one")).containsExactly(node(1));

        world.become(members(1, 2, 4));
        world.at(node(2)).want(new PartitionPath("other"), OF_ALL, world.now());
        world.pass(1);
        assertThat(world.running("other")).as("and nothing else waits").isNotEmpty();
    }

    private static final PartitionSpec OF_ALL = new PartitionSpec(1, "", HandoffPolicy.singleton());

    private static KeeperWorld endedOnNode3ThatLeaves() {
        KeeperWorld world = onNode3(HandoffPolicy.singleton());
        world.at(node(2)).end(PATH, world.now());
        world.pass(SECOND);
        world.become(with(FOUR, MemberStatus.LEAVING, 3));
        want(world, HandoffPolicy.singleton(), 2);
        world.pass(10 * SECOND);
        assertThat(world.running("one")).isEmpty();
        return world;
    }
}
