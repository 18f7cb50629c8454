package dev.muster.core.partition;

import static dev.muster.core.partition.KeeperWorld.SECOND;
import static dev.muster.core.partition.KeeperWorld.members;
import static dev.muster.core.partition.KeeperWorld.node;
import static dev.muster.core.partition.Layouts.path;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Partitions do not lie inside each other. */
class OverlapTest {

    /** One of the two that are in the way is about to end, and the other is not. */
    @Test
    void allThatAreInTheWayMustEndAndNotOnlyTheFirst() {
        KeeperWorld world = new KeeperWorld(members(1, 2), 1, 0);
        want(world, 1, "a/b", 1);
        want(world, 1, "a/c", 1);
        world.pass(2 * SECOND);
        world.converged(false);
        world.at(node(1)).end(path("a/b"), world.now());
        world.pass(SECOND);
        want(world, 2, "a", 1);
        world.pass(SECOND);
        world.converged(true);
        world.pass(2 * SECOND);

        assertThat(world.refusals())
                .containsExactly("a: there is the partition a/c, and partitions do not lie inside each other; choose a "
                        + "path beside it");
        assertThat(live(world)).containsExactly("a/c");
    }

    /** It ends when it has moved, and is there until then. */
    @Test
    void nothingBeginsInsideOneThatIsStillOnTheMove() {
        KeeperWorld world = new KeeperWorld(members(1, 2, 3), 1, 0);
        PartitionSpec singleton = new PartitionSpec(1, "", HandoffPolicy.singleton());
        world.at(node(2)).want(path("a"), singleton, world.now());
        world.pass(2 * SECOND);
        world.movesEnd(false);
        Command.Migrate migrate = new Command.Migrate(path("a"), node(3).address());
        assertThat(world.at(node(2)).migrate(members(1, 2, 3), migrate, world.now()))
                .isEmpty();
        world.pass(SECOND);
        long move = world.table()
                .find(path("a"))
                .orElseThrow()
                .pending()
                .orElseThrow()
                .id();
        world.at(node(2)).end(path("a"), world.now());
        world.pass(SECOND / 4);
        want(world, 2, "a/b", 1);
        world.pass(5 * SECOND);
        assertThat(live(world)).containsExactly("a");

        world.at(node(1)).report(path("a"), move, "", world.now());
        world.pass(2 * SECOND);
        assertThat(live(world)).containsExactly("a/b");
        assertThat(world.refusals()).isEmpty();
        assertThat(world.overlaps()).isEmpty();
    }

    @Test
    void whatIsAskedForCountsBesideWhatEnds() {
        KeeperWorld world = new KeeperWorld(members(1, 2), 1, 0);
        want(world, 1, "a", 1);
        world.pass(2 * SECOND);
        world.converged(false);
        world.at(node(1)).end(path("a"), world.now());
        want(world, 1, "a/b/c", 1);
        world.pass(SECOND);
        // Between what is asked for and this one lies what is to end.
        want(world, 2, "a/b", 1);
        want(world, 2, "a", 2);
        world.pass(SECOND);
        world.converged(true);
        world.pass(2 * SECOND);

        assertThat(world.refusals()).hasSize(2).allMatch(it -> it.contains("there is the partition a/b/c"));
        assertThat(live(world)).containsExactly("a/b/c");
    }

    /** One node says both at once: what is to end goes first. */
    @Test
    void whatEndsMakesRoomAlsoForWhatLiesAboveIt() {
        KeeperWorld world = new KeeperWorld(members(1, 2), 1, 0);
        want(world, 1, "a/b", 1);
        want(world, 1, "a/c", 1);
        world.pass(2 * SECOND);
        world.at(node(1)).end(path("a/b"), world.now());
        world.at(node(1)).end(path("a/c"), world.now());
        want(world, 1, "a", 1);
        world.pass(2 * SECOND);

        assertThat(world.refusals()).isEmpty();
        assertThat(live(world)).containsExactly("a");
    }

    /** Nobody but a user ends a partition, so both stay, both work and change, and whoever leads says so. */
    @Test
    void whatTwoLeadersCreatedApartGoesOnUntilSomebodyEndsIt() {
        KeeperWorld world = new KeeperWorld(members(1, 2), 1, 0);
        want(world, 1, "a", 1);
        world.pass(2 * SECOND);
        KeeperWorld elsewhere = new KeeperWorld(members(3, 4), 2, 0);
        want(elsewhere, 3, "a/b", 1);
        want(elsewhere, 3, "a/c", 1);
        elsewhere.pass(2 * SECOND);

        world.take(elsewhere);
        world.become(members(1, 2, 3, 4));
        world.pass(5 * SECOND);
        assertThat(live(world)).containsExactly("a", "a/b", "a/c");
        assertThat(world.running("a")).hasSize(1);
        assertThat(world.running("a/b")).hasSize(1);
        assertThat(world.overlaps())
                .containsExactly(new ClusterEvent.PartitionsOverlap(path("a"), List.of(path("a/b"), path("a/c"))));
        assertThat(world.at(node(2)).explain(members(1, 2, 3, 4), true, path("a/b"), world.now()))
                .contains("it overlaps with [a], which was created where nobody knew of it; both go on until somebody "
                        + "ends one of them");

        want(world, 4, "a/b", 3);
        want(world, 2, "a/d", 1);
        world.pass(2 * SECOND);
        assertThat(world.running("a/b")).as("what is there may change").hasSize(3);
        assertThat(world.refusals()).as("and nothing comes in between").hasSize(1);
        world.at(node(3)).end(path("a"), world.now());
        world.pass(2 * SECOND);
        assertThat(live(world)).containsExactly("a/b", "a/c");
        assertThat(world.overlaps()).hasSize(1);
    }

    private static void want(KeeperWorld world, int who, String path, int instances) {
        world.at(node(who)).want(path(path), new PartitionSpec(instances, "", HandoffPolicy.stateless()), world.now());
    }

    private static List<String> live(KeeperWorld world) {
        return world.table().entries().values().stream()
                .filter(it -> !it.isDeleted())
                .map(it -> it.path().text())
                .toList();
    }
}
