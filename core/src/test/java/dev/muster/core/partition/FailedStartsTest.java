package dev.muster.core.partition;

import static dev.muster.core.partition.KeeperWorld.SECOND;
import static dev.muster.core.partition.KeeperWorld.members;
import static dev.muster.core.partition.KeeperWorld.node;
import static dev.muster.core.partition.KeeperWorld.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.Command;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where a partition cannot be started, somebody else gets it. */
class FailedStartsTest {
    private static final PartitionPath ONLY = new PartitionPath("only");
    private static final PartitionSpec SINGLETON = new PartitionSpec(1, "", HandoffPolicy.singleton());
    private static final String UNKNOWN = "the node does not know it";

    /** Old hosts say what became of their moves: those to one node fail, all others are done. */
    private static void endMoves(KeeperWorld world, NodeId cannotStart) {
        for (PartitionEntry row : world.table().entries().values()) {
            row.pending()
                    .ifPresent(it -> world.at(it.from())
                            .report(row.path(), it.id(), it.to().equals(cannotStart) ? UNKNOWN : "", world.now()));
        }
    }

    private static List<NodeId> hosts(KeeperWorld world, PartitionPath path) {
        return world.table().find(path).orElseThrow().instances();
    }

    private static KeeperWorld hosting(int nodes, PartitionSpec spec) {
        KeeperWorld world =
                new KeeperWorld(members(IntStream.rangeClosed(1, nodes).toArray()), 3, 0);
        world.at(node(nodes)).want(ONLY, spec, world.now());
        world.pass(2 * SECOND);
        world.movesEnd(false);
        return world;
    }

    @Test
    void whoLeavesHandsOverToSomebodyWhoCanStartIt() {
        KeeperWorld world = hosting(3, SINGLETON);
        world.become(with(members(1, 2, 3), MemberStatus.LEAVING, 1));
        for (int i = 0; i < 300; i++) {
            world.pass(SECOND / 10);
            endMoves(world, node(2));
        }
        assertThat(hosts(world, ONLY)).isEqualTo(List.of(node(3)));
    }

    /** Each try would stop the instance for a moment. */
    @Test
    void whatFailsIsNotPlannedAgainAndAgain() {
        KeeperWorld world = new KeeperWorld(members(1, 2), 4, 0);
        for (int i = 0; i < 4; i++) {
            world.at(node(1)).want(new PartitionPath("p" + i), SINGLETON, world.now());
        }
        world.pass(2 * SECOND);
        world.become(members(1, 2, 3));
        world.movesEnd(false);
        for (int i = 0; i < 6000; i++) {
            world.pass(SECOND / 10);
            endMoves(world, node(3));
        }
        assertThat(world.moves()).isNotEmpty().hasSizeLessThan(40); // four partitions, ten minutes
    }

    @Test
    void whatCannotBeStartedWhereItWasPlacedGoesToAnother() {
        KeeperWorld world = hosting(3, SINGLETON);
        assertThat(hosts(world, ONLY)).isEqualTo(List.of(node(1)));
        world.cannotStart(1, ONLY, UNKNOWN);
        world.pass(SECOND);
        endMoves(world, node(1));
        world.pass(SECOND);
        assertThat(hosts(world, ONLY)).isEqualTo(List.of(node(2)));
        world.cannotStart(2, ONLY, UNKNOWN);
        world.pass(SECOND);
        endMoves(world, node(1));
        world.pass(SECOND);
        assertThat(hosts(world, ONLY)).isEqualTo(List.of(node(3)));
    }

    @Test
    void whereNobodyCanItStays() {
        KeeperWorld world = hosting(2, SINGLETON);
        world.cannotStart(1, ONLY, UNKNOWN);
        world.pass(SECOND);
        endMoves(world, node(9));
        world.pass(SECOND);
        assertThat(hosts(world, ONLY)).isEqualTo(List.of(node(2)));
        world.cannotStart(2, ONLY, UNKNOWN);
        world.pass(SECOND);
        assertThat(hosts(world, ONLY)).isEqualTo(List.of(node(2)));
        assertThat(world.table().find(ONLY).flatMap(PartitionEntry::pending)).isEmpty();
    }

    @Test
    void thereAreAsManyInstancesAsThereAreNodesThatCan() {
        KeeperWorld world = hosting(3, new PartitionSpec(3, "", HandoffPolicy.stateless()));
        assertThat(hosts(world, ONLY)).hasSize(3);
        world.cannotStart(2, ONLY, UNKNOWN);
        world.pass(SECOND);
        assertThat(hosts(world, ONLY)).containsExactlyInAnyOrder(node(1), node(3));
        world.at(node(2)).want(ONLY, new PartitionSpec(3, "", HandoffPolicy.stateless()), world.now());
        world.pass(2 * SECOND);
        assertThat(hosts(world, ONLY)).containsExactlyInAnyOrder(node(1), node(2), node(3));
    }

    /** Whoever is asked to move it there may know that what was in its way is gone. */
    @Test
    void whereItStartsAfterAllItStays() {
        KeeperWorld world = hosting(3, SINGLETON);
        Command.Migrate wish = new Command.Migrate(ONLY, node(3).address(), Optional.empty());
        for (NodeId cannotStart : List.of(node(3), node(9))) {
            assertThat(world.at(node(2)).migrate(members(1, 2, 3), wish, world.now()))
                    .isEmpty();
            world.pass(SECOND);
            endMoves(world, cannotStart);
            world.pass(SECOND);
        }
        endMoves(world, node(9));
        world.pass(SECOND);
        assertThat(hosts(world, ONLY)).isEqualTo(List.of(node(3)));
        assertThat(world.moves()).hasSize(2);
    }

    @Test
    void itIsTriedAgainLaterAndLater() {
        KeeperWorld world = hosting(2, new PartitionSpec(2, "", HandoffPolicy.stateless()));
        int tries = 0;
        for (int second = 0; second < 600; second++) {
            if (hosts(world, ONLY).contains(node(2))) {
                tries++;
                world.cannotStart(2, ONLY, UNKNOWN);
            }
            world.pass(SECOND);
        }
        assertThat(tries).isBetween(4, 14);
    }

    @Test
    void whoeverPreparesForShutdownStillHosts() {
        KeeperWorld world = hosting(3, SINGLETON);
        world.become(with(members(1, 2, 3), MemberStatus.PREPARING_FOR_SHUTDOWN, 1, 2, 3));
        world.pass(2 * SECOND);
        assertThat(world.running("only")).hasSize(1);
    }

    /** It may be at its last message, and waits for itself in no other place. */
    @Test
    void oneThatIsWantedAgainBeginsWhereItEnded() {
        KeeperWorld world = new KeeperWorld(members(1, 2), 6, 0);
        PartitionPath path = new PartitionPath("a");
        world.at(node(1)).want(path, SINGLETON, world.now());
        world.pass(SECOND);
        assertThat(world.running("a")).isEqualTo(List.of(node(1)));
        world.at(node(1)).end(path, world.now());
        world.at(node(1)).want(new PartitionPath("b"), SINGLETON, world.now());
        world.pass(SECOND / 10);
        world.at(node(1)).want(path, SINGLETON, world.now());
        world.pass(SECOND / 10);
        assertThat(world.running("a")).isEqualTo(List.of(node(1)));
    }

    @Test
    void allMovesOfAPlanAreMade() {
        KeeperWorld world = new KeeperWorld(members(1, 2), 2, 0);
        for (int i = 0; i < 10; i++) {
            world.at(node(1))
                    .want(new PartitionPath("p" + i), new PartitionSpec(2, "", HandoffPolicy.stateless()), world.now());
        }
        world.pass(2 * SECOND);
        world.become(members(1, 2, 3, 4));
        world.pass(SECOND);
        world.movesEnd(false);
        world.at(node(3)).rebalance(world.now());
        for (int i = 0; i < 60; i++) {
            world.pass(SECOND / 10);
            endMoves(world, node(9));
        }
        assertThat(world.at(node(1)).rebalancePlan(members(1, 2, 3, 4)).moves()).isEmpty();
    }

    @Test
    void whatIsThereIsNotTurnedIntoSomethingElse() {
        KeeperWorld world = hosting(2, SINGLETON);
        world.at(node(2)).want(ONLY, new PartitionSpec(3, "", HandoffPolicy.stateless()), world.now());
        world.pass(2 * SECOND);
        PartitionEntry row = world.table().find(ONLY).orElseThrow();
        assertThat(row.spec()).isEqualTo(SINGLETON);
        assertThat(world.refusals())
                .singleElement()
                .asString()
                .contains("the cluster has it as")
                .contains("end it first");
        world.at(node(2)).end(ONLY, world.now());
        world.pass(2 * SECOND);
        world.at(node(2)).want(ONLY, new PartitionSpec(2, "", HandoffPolicy.stateless()), world.now());
        world.pass(2 * SECOND);
        assertThat(hosts(world, ONLY)).hasSize(2);
    }
}
