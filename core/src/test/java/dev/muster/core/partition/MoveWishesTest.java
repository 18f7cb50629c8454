package dev.muster.core.partition;

import static dev.muster.core.partition.KeeperWorld.SECOND;
import static dev.muster.core.partition.KeeperWorld.members;
import static dev.muster.core.partition.KeeperWorld.node;
import static dev.muster.core.partition.Layouts.path;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people ask for is kept by the node that they asked, whoever leads meanwhile. */
class MoveWishesTest {
    private static final PartitionSpec ONE = new PartitionSpec(1, "", HandoffPolicy.stateless());

    /** Two partitions are to go to the fifth node, which has nothing yet: one moves, and the other waits. */
    private static KeeperWorld withAWaitingMove(int asked) {
        KeeperWorld world = new KeeperWorld(members(2, 3, 4), 1, 0);
        List.of("a", "b", "c").forEach(it -> world.at(node(2)).want(path(it), ONE, world.now()));
        world.pass(2 * SECOND);
        world.become(members(2, 3, 4, 5));
        world.pass(2 * SECOND);
        world.movesEnd(false);
        migrate(world, members(2, 3, 4, 5), asked, "b", 5);
        world.pass(SECOND);
        migrate(world, members(2, 3, 4, 5), asked, "c", 5);
        world.pass(10 * SECOND);
        assertThat(world.moves()).containsExactly("b: " + node(3) + " to " + node(5));
        assertThat(world.at(node(2)).waitingMoves()).extracting(Move::path).containsExactly(path("c"));
        return world;
    }

    private static void migrate(KeeperWorld world, ClusterState state, int asked, String path, int to) {
        assertThat(world.at(node(asked))
                        .migrate(state, new Command.Migrate(path(path), node(to).address()), world.now()))
                .isEmpty();
    }

    private static void endMoves(KeeperWorld world) {
        world.movesEnd(true);
        for (PartitionEntry row : world.table().entries().values()) {
            row.pending().ifPresent(it -> world.at(it.from()).report(row.path(), it.id(), "", world.now()));
        }
    }

    private static List<NodeId> hosts(KeeperWorld world, String path) {
        return world.table().find(path(path)).orElseThrow().instances();
    }

    @Test
    void aMoveThatWaitsOutlivesTheLeaderThatHeardOfIt() {
        KeeperWorld world = withAWaitingMove(4);
        world.become(members(3, 4, 5));
        world.pass(3 * SECOND);
        endMoves(world);
        world.pass(3 * SECOND);

        assertThat(hosts(world, "c")).containsExactly(node(5));
        assertThat(world.moves()).hasSize(2);
        assertThat(world.refusals()).isEmpty();
    }

    /** The first node has a lower address than all others. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void aMoveThatWaitsIsKnownToANewcomerThatLeads(int asked) {
        KeeperWorld world = withAWaitingMove(asked);
        world.become(members(1, 2, 3, 4, 5));
        world.pass(3 * SECOND);
        assertThat(world.at(node(1)).waitingMoves()).extracting(Move::path).containsExactly(path("c"));
        endMoves(world);
        world.pass(3 * SECOND);

        assertThat(hosts(world, "c")).containsExactly(node(5));
        assertThat(world.moves()).hasSize(2);
        assertThat(world.at(node(1)).waitingMoves()).isEmpty();
    }

    /** What was said before the move may come after it has been made and undone. */
    @Test
    void aWishThatIsLateMovesNothing() {
        KeeperWorld world = new KeeperWorld(members(1, 2, 3), 1, 0);
        world.at(node(1)).want(path("a"), ONE, world.now());
        world.pass(2 * SECOND);
        long epoch = world.table().row(path("a")).epoch();
        migrate(world, members(1, 2, 3), 2, "a", 3);
        world.pass(2 * SECOND);
        migrate(world, members(1, 2, 3), 2, "a", 1);
        world.pass(2 * SECOND);
        assertThat(hosts(world, "a")).containsExactly(node(1));
        Effects effects = new Effects();
        world.at(node(1))
                .onMessage(
                        members(1, 2, 3),
                        node(2),
                        new TableMessage.WantMove(node(1), path("a"), node(3).address(), Optional.empty(), epoch),
                        world.now(),
                        effects);
        world.pass(5 * SECOND);

        assertThat(effects.list()).isEmpty();
        assertThat(hosts(world, "a")).containsExactly(node(1));
        assertThat(world.moves()).hasSize(2);
    }

    @Test
    void whatCannotBeginInTimeIsRefusedAndDoesNotBeginAfterwards() {
        KeeperWorld world = withAWaitingMove(4);
        world.pass(45 * SECOND);
        assertThat(world.refusals()).isEmpty();
        world.pass(10 * SECOND);
        assertThat(world.refusals())
                .containsExactly(node(4) + ": it could not begin within 60 s; explain partition c says what holds up "
                        + "whoever leads the table, then ask again");
        assertThat(world.at(node(2)).waitingMoves()).isEmpty();
        endMoves(world);
        world.pass(5 * SECOND);
        assertThat(world.moves()).hasSize(1);
    }

    @Test
    void timePassesAlsoWhileNobodyMayWrite() {
        KeeperWorld world = new KeeperWorld(members(1, 2, 3), 1, 0);
        world.at(node(1)).want(path("a"), ONE, world.now());
        world.pass(2 * SECOND);
        world.converged(false);
        migrate(world, members(1, 2, 3), 1, "a", 3);
        world.pass(61 * SECOND);
        assertThat(world.refusals()).hasSize(1);
        world.converged(true);
        world.pass(10 * SECOND);
        assertThat(world.moves()).isEmpty();
    }

    @Test
    void whoseNodeHasGoneHasNoWishes() {
        KeeperWorld world = withAWaitingMove(4);
        world.become(members(2, 3, 5));
        world.pass(MoveQueue.FORGET_NANOS + SECOND);
        assertThat(world.at(node(2)).waitingMoves()).isEmpty();
    }

    @Test
    void whatEndsMeanwhileIsRefused() {
        KeeperWorld world = withAWaitingMove(4);
        world.at(node(3)).end(path("c"), world.now());
        world.pass(2 * SECOND);
        assertThat(world.refusals()).containsExactly(node(4) + ": the partition c has ended");
        assertThat(world.at(node(2)).waitingMoves()).isEmpty();
    }

    @Test
    void ofTwoNodesThatAreAskedTheFirstHasItsWay() {
        KeeperWorld world = withAWaitingMove(4);
        migrate(world, members(2, 3, 4, 5), 3, "c", 3);
        world.pass(2 * SECOND);
        assertThat(world.refusals())
                .containsExactly(node(3) + ": c waits for its move to " + node(5) + " already, for which " + node(4)
                        + " was asked");
        // Whoever was asked first may be asked for something else.
        migrate(world, members(2, 3, 4, 5), 4, "c", 3);
        world.pass(2 * SECOND);
        assertThat(world.moves()).hasSize(2).contains("c: " + node(4) + " to " + node(3));
    }

    /** A row may name a node that has gone for a while; what runs at its address now hosts nothing of that. */
    @Test
    void aMoveToANodeThatHasStartedAgainIsNotDoneBecauseTheOneBeforeHadIt() {
        NodeId reborn = new NodeId(node(2).address(), 77);
        PartitionTable table = PartitionTable.EMPTY.merge(
                List.of(new PartitionEntry(path("a"), 1, node(1), ONE, List.of(node(2)), false)));
        MoveWishes wishes = new MoveWishes();
        wishes.move(new Command.Migrate(path("a"), reborn.address()), 0);
        Members after = Members.of(List.of(new Member(reborn, MemberStatus.UP, 3, List.of("muster-1"), "1")));
        assertThat(wishes.settle(table, after, 1)).isEmpty();
        assertThat(wishes.due(table, node(1), 1)).hasSize(1);
        assertThat(wishes.settle(table, members(1, 2).members(), 1)).isEmpty();
        assertThat(wishes.due(table, node(1), 2 * SECOND)).isEmpty();
    }

    /** What people ask for by name does not wait for a plan, a plan does not undo it, and one plan replaces another. */
    @Test
    void peopleGoBeforePlans() {
        MoveQueue queue = new MoveQueue();
        queue.plan(List.of(move("a", 3), move("b", 3), move("c", 3)));
        queue.ask(node(4), move("b", 5), 0);
        assertThat(queue.waiting()).containsExactly(move("b", 5), move("a", 3), move("c", 3));
        queue.plan(List.of(move("b", 3), move("d", 3)));
        assertThat(queue.waiting()).containsExactly(move("b", 5), move("d", 3));
    }

    private static Move move(String path, int to) {
        return new Move(path(path), node(1), node(to), "for a reason");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void theNextLeaderPlansWhatIsLeftAndNothingTwice(int asked) {
        KeeperWorld world = new KeeperWorld(members(2, 3), 1, 0);
        IntStream.range(0, 60).forEach(it -> world.at(node(2)).want(path("p" + it), ONE, world.now()));
        world.pass(2 * SECOND);
        world.become(members(2, 3, 4));
        world.pass(2 * SECOND);
        world.movesEnd(false);
        world.at(node(asked)).rebalance(world.now());
        world.pass(10 * SECOND);
        assertThat(world.moves()).hasSize(1);
        world.become(members(1, 2, 3, 4));
        world.pass(3 * SECOND);
        endMoves(world);
        world.pass(10 * SECOND);

        assertThat(hostedBy(world)).containsExactly(15L, 15L, 15L, 15L);
        assertThat(world.moves()).hasSize(30);
        assertThat(world.moves().stream().map(it -> it.split(":")[0]).distinct())
                .as("each moves once")
                .hasSize(30);
    }

    /** Later on nobody wants it any more: the next leader would undo what has been asked for since. */
    @Test
    void aWishToEvenThingsOutIsNotForEver() {
        KeeperWorld world = new KeeperWorld(members(2, 3), 1, 0);
        IntStream.range(0, 8).forEach(it -> world.at(node(2)).want(path("p" + it), ONE, world.now()));
        world.pass(2 * SECOND);
        world.at(node(3)).rebalance(world.now());
        world.pass(61 * SECOND);
        world.become(members(1, 2, 3));
        world.pass(5 * SECOND);
        assertThat(world.moves()).isEmpty();
    }

    private static List<Long> hostedBy(KeeperWorld world) {
        return world.nodes().stream()
                .map(node -> world.table().entries().values().stream()
                        .filter(it -> it.isOn(node))
                        .count())
                .toList();
    }
}
