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
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Hosts that go in the middle of a move, or with no time left for one. */
class HostsThatGoTest {
    private static final PartitionPath PATH = new PartitionPath("one");
    private static final ClusterState FOUR = members(1, 2, 3, 4);

    private static KeeperWorld hosted(HandoffPolicy policy, int instances) {
        KeeperWorld world = new KeeperWorld(FOUR, 6, 0);
        world.movesEnd(false);
        world.at(node(3)).want(PATH, new PartitionSpec(instances, "", policy), world.now());
        world.pass(2 * SECOND);
        return world;
    }

    /** On the way from node 1 to node 2. */
    private static KeeperWorld moving(HandoffPolicy policy) {
        KeeperWorld world = hosted(policy, 1);
        assertThat(row(world).instances()).containsExactly(node(1));
        Command.Migrate migrate = new Command.Migrate(PATH, node(2).address());
        assertThat(world.at(node(3)).migrate(FOUR, migrate, world.now())).isEmpty();
        world.pass(2 * SECOND);
        assertThat(pending(world).map(PartitionMove::to)).contains(node(2));
        return world;
    }

    private static PartitionEntry row(KeeperWorld world) {
        return world.table().find(PATH).orElseThrow();
    }

    private static Optional<PartitionMove> pending(KeeperWorld world) {
        return row(world).pending();
    }

    // ---- With no time left to hand over.

    /** It works on until its host goes, and that may hear last of all that somebody else has begun. */
    @Test
    void theOnlyInstanceStaysOnAHostThatHadNoTimeToHandItOver() {
        KeeperWorld world = hosted(HandoffPolicy.stateless(), 1);
        PartitionEntry before = row(world);
        world.become(with(FOUR, MemberStatus.EXITING, 1));
        world.pass(5 * SECOND);
        assertThat(row(world)).isEqualTo(before);

        world.become(members(2, 3, 4));
        world.pass(SECOND);
        assertThat(world.running("one")).hasSize(1).doesNotContain(node(1));
    }

    @Test
    void oneOfSeveralIsReplacedAtOnce() {
        KeeperWorld world = hosted(HandoffPolicy.stateless(), 2);
        NodeId first = row(world).instances().get(0);
        world.become(with(FOUR, MemberStatus.EXITING, (int) first.uid()));
        world.pass(5 * SECOND);

        assertThat(world.running("one")).hasSize(2).doesNotContain(first);
    }

    @Test
    void aMoveFromSuchAHostIsNotCalledOffBeforeThatHasGone() {
        KeeperWorld world = moving(HandoffPolicy.ordered());
        PartitionEntry before = row(world);
        world.become(with(members(1, 3, 4), MemberStatus.EXITING, 1));
        world.at(node(1)).report(PATH, before.epoch(), "the new host has gone", world.now());
        world.pass(5 * SECOND);
        assertThat(row(world)).isEqualTo(before);

        world.become(members(3, 4));
        world.pass(SECOND);
        assertThat(pending(world)).isEmpty();
        assertThat(world.running("one")).hasSize(1);
    }

    @Test
    void aMoveToSuchAHostIsNotCompletedAndTheOldHostGoesOnWhenThatHasGone() {
        KeeperWorld world = moving(HandoffPolicy.ordered());
        PartitionEntry before = row(world);
        world.become(with(FOUR, MemberStatus.EXITING, 2));
        world.at(node(1)).report(PATH, before.epoch(), "", world.now());
        world.pass(5 * SECOND);
        assertThat(row(world)).isEqualTo(before);

        world.become(members(1, 3, 4));
        world.pass(SECOND);
        assertThat(pending(world)).isEmpty();
        assertThat(row(world).instances()).containsExactly(node(1));
    }

    /** Nobody sends to a host that is gone, so nobody would find the new one as long as the row names the old one. */
    @Test
    void ifTheOldHostIsLostNobodyWaitsForANewOneThatIsGoing() {
        KeeperWorld world = moving(HandoffPolicy.ordered());
        world.become(with(members(2, 3, 4), MemberStatus.EXITING, 2));
        world.pass(SECOND);

        assertThat(row(world).instances()).hasSize(1).doesNotContain(node(1), node(2));
    }

    // ---- Begun anew.

    /** The lost host may have acted under the epoch of its move, so whoever goes on for it needs a later one. */
    @Test
    void whatCallsAMoveOffDoesNotBeginTheNext() {
        KeeperWorld world = moving(HandoffPolicy.singleton());
        long lost = row(world).epoch();
        world.become(with(members(1, 3, 4), MemberStatus.LEAVING, 1));
        world.pass(5 * SECOND);

        assertThat(pending(world).map(PartitionMove::id))
                .as("the move of who leaves, by a row after the one that calls the other off")
                .contains(lost + 2);
    }

    @Test
    void beforeThatItGoesOnWithoutThoseThatHaveGone() {
        KeeperWorld world = hosted(HandoffPolicy.stateless(), 3);
        world.movesEnd(true);
        assertThat(row(world).instances()).containsExactly(node(1), node(2), node(3));
        world.become(with(members(1, 3), MemberStatus.LEAVING, 1, 3));
        world.pass(2 * SECOND);
        assertThat(row(world).instances()).containsExactly(node(1), node(3));
    }

    /** What it knows would be lost if it ended here before anybody could take it over. */
    @Test
    void whoLeavesKeepsTheOnlyInstanceUntilSomebodyIsUp() {
        KeeperWorld world = new KeeperWorld(members(1), 6, 0);
        world.at(node(1)).want(PATH, new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.pass(2 * SECOND);
        ClusterState leaving = with(members(1, 2), MemberStatus.LEAVING, 1);
        world.become(with(leaving, MemberStatus.JOINING, 2));
        world.pass(2 * SECOND);
        assertThat(row(world).instances()).containsExactly(node(1));
        world.become(leaving);
        world.pass(2 * SECOND);
        assertThat(row(world).instances()).containsExactly(node(2));
        assertThat(world.moves()).hasSize(1);
    }
}
