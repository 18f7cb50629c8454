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
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
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

    @Test
    void aHostThatMayNotBeginAgainIsWaitedForUntilItHasGone() {
        KeeperWorld world = onNode3(HandoffPolicy.singleton());
        world.at(node(2)).end(PATH, world.now());
        world.pass(SECOND);
        world.become(with(FOUR, MemberStatus.LEAVING, 3));
        want(world, HandoffPolicy.singleton(), 2);
        world.pass(10 * SECOND);
        assertThat(world.running("one")).isEmpty();

        world.become(with(FOUR, MemberStatus.EXITING, 3));
        world.pass(SECOND);
        world.become(members(1, 2, 4));
        world.pass(SECOND);
        assertThat(world.running("one")).containsExactly(node(1));
    }
}
