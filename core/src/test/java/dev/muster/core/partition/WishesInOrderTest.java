package dev.muster.core.partition;

import static dev.muster.core.partition.KeeperWorld.SECOND;
import static dev.muster.core.partition.KeeperWorld.members;
import static dev.muster.core.partition.KeeperWorld.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.Command;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What users want of one partition, sooner than the leader can write it. */
class WishesInOrderTest {
    private static final PartitionPath PATH = new PartitionPath("a");
    private static final PartitionSpec SINGLETON = new PartitionSpec(1, "", HandoffPolicy.singleton());

    private static PartitionSpec spec(int instances) {
        return new PartitionSpec(instances, "", HandoffPolicy.stateless());
    }

    private static KeeperWorld hosting(PartitionSpec spec) {
        KeeperWorld world = new KeeperWorld(members(1, 2, 3), 1, 0);
        world.at(node(2)).want(PATH, spec, world.now());
        world.pass(2 * SECOND);
        world.converged(false);
        return world;
    }

    private static void write(KeeperWorld world) {
        world.pass(SECOND / 4);
        world.converged(true);
        world.pass(10 * SECOND);
    }

    private static long epoch(KeeperWorld world) {
        return world.table().row(PATH).epoch();
    }

    @Test
    void whatEndsAndIsWantedAgainBeginsAnew() {
        KeeperWorld world = hosting(SINGLETON);
        long before = epoch(world);
        world.at(node(2)).end(PATH, world.now());
        world.pass(SECOND / 4);
        world.at(node(2)).want(PATH, SINGLETON, world.now());
        write(world);
        assertThat(world.running("a")).hasSize(1);
        assertThat(epoch(world)).isEqualTo(before + 2);
    }

    @Test
    void whatIsWantedAndThenNotDoesNotStay() {
        KeeperWorld world = new KeeperWorld(members(1, 2, 3), 1, 0);
        world.converged(false);
        world.at(node(2)).want(PATH, SINGLETON, world.now());
        world.pass(SECOND / 4);
        world.at(node(2)).end(PATH, world.now());
        write(world);
        assertThat(world.running("a")).isEmpty();
    }

    /** It is said in its turn, and again with others a moment later; so it is refused twice. */
    @Test
    void aSecondRefusalIsNotAboutTheEndThatWasWishedForMeanwhile() {
        PartitionWishes wishes = new PartitionWishes();
        wishes.want(PATH, SINGLETON, 1);
        assertThat(wishes.due(PartitionTable.EMPTY, node(1), 1)).hasSize(1);
        assertThat(wishes.due(PartitionTable.EMPTY, node(1), 1 + SECOND)).hasSize(1);
        assertThat(wishes.forget(PATH)).isTrue();
        wishes.end(PATH, 1 + SECOND);
        wishes.want(PATH, SINGLETON, 1 + SECOND);
        assertThat(wishes.forget(PATH)).isFalse();
        assertThat(wishes.due(PartitionTable.EMPTY, node(1), 2 + SECOND)).hasSize(1);
    }

    /** Who leaves would hand it over first, and the next one after that. */
    @Test
    void whatIsToEndBeginsNoOtherMove() {
        KeeperWorld world = new KeeperWorld(members(1, 2, 3), 1, 0);
        world.at(node(2)).want(PATH, SINGLETON, world.now());
        world.pass(2 * SECOND);
        world.movesEnd(false);
        Command.Migrate migrate = new Command.Migrate(PATH, node(3).address());
        assertThat(world.at(node(2)).migrate(members(1, 2, 3), migrate, world.now()))
                .isEmpty();
        world.pass(SECOND);
        long move =
                world.table().find(PATH).orElseThrow().pending().orElseThrow().id();
        world.become(KeeperWorld.with(members(1, 2, 3), MemberStatus.LEAVING, 3));
        world.at(node(2)).end(PATH, world.now());
        world.pass(SECOND);
        world.at(node(1)).report(PATH, move, "", world.now());
        world.pass(2 * SECOND);
        assertThat(world.table().row(PATH).isDeleted()).isTrue();
        assertThat(world.moves()).hasSize(1);
    }

    @Test
    void theLastNumberThatIsWantedStays() {
        KeeperWorld world = hosting(spec(2));
        world.at(node(2)).want(PATH, spec(1), world.now());
        world.pass(SECOND / 4);
        world.at(node(2)).want(PATH, spec(2), world.now());
        write(world);
        assertThat(world.running("a")).hasSize(2);
    }

    @Test
    void whatNobodyHasHeardOfIsNotCarriedOut() {
        KeeperWorld world = hosting(spec(2));
        long before = epoch(world);
        for (int i = 0; i < 100; i++) {
            world.at(node(2)).want(PATH, spec(1 + i % 3), world.now());
            world.at(node(2)).end(PATH, world.now());
        }
        world.at(node(2)).want(PATH, SINGLETON, world.now());
        write(world);
        assertThat(world.table().find(PATH).orElseThrow().spec()).isEqualTo(SINGLETON);
        assertThat(world.refusals()).isEmpty();
        assertThat(epoch(world)).isEqualTo(before + 2);
    }

    @Test
    void aRefusalIsAboutOneWishOnly() {
        KeeperWorld world = hosting(SINGLETON);
        world.at(node(3)).want(PATH, spec(3), world.now());
        world.at(node(3)).want(new PartitionPath("b"), spec(3), world.now());
        world.pass(SECOND / 4);
        assertThat(world.refusals()).hasSize(1);
        world.at(node(3)).end(PATH, world.now());
        world.at(node(3)).want(PATH, spec(3), world.now());
        write(world);
        assertThat(world.refusals()).hasSize(1);
        assertThat(world.running("a")).isEqualTo(List.of(node(1), node(2), node(3)));
    }

    /** Several would be at work at once, and the one that is to end would go on as one of them. */
    @Test
    void oneThatIsToEndIsNotTurnedIntoAnother() {
        KeeperWorld world = hosting(SINGLETON);
        world.at(node(2)).end(PATH, world.now());
        world.pass(SECOND / 4);
        world.at(node(3)).want(PATH, spec(3), world.now());
        world.pass(SECOND / 4);
        world.converged(true);
        world.pass(SECOND / 4);
        assertThat(world.table().row(PATH).isDeleted()).isTrue();
        world.pass(10 * SECOND);
        assertThat(world.running("a")).isEqualTo(List.of(node(1), node(2), node(3)));
        assertThat(world.refusals()).isEmpty();
    }
}
