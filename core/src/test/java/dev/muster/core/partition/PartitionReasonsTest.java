package dev.muster.core.partition;

import static dev.muster.core.partition.KeeperWorld.SECOND;
import static dev.muster.core.partition.KeeperWorld.members;
import static dev.muster.core.partition.KeeperWorld.node;
import static dev.muster.core.partition.KeeperWorld.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a node can say of what holds a partition up, and of what comes next: the leader all, others whom to ask. */
class PartitionReasonsTest {
    private static final PartitionSpec SINGLETON = new PartitionSpec(1, "", HandoffPolicy.singleton());
    private static final String BROKEN = "its class is broken";

    private ClusterState state;
    private KeeperWorld world;

    private static PartitionPath path(String text) {
        return new PartitionPath(text);
    }

    /** Partitions p0, p1 and so on, around the ring of so many members. */
    private void given(int members, int partitions) {
        state = members(IntStream.rangeClosed(1, members).toArray());
        world = new KeeperWorld(state, 51, 0);
        for (int i = 0; i < partitions; i++) {
            world.at(node(members)).want(path("p" + i), SINGLETON, world.now());
        }
        world.pass(2 * SECOND);
    }

    private void become(ClusterState next) {
        state = next;
        world.become(next);
    }

    private List<String> why(int who, String path) {
        return world.at(node(who)).explain(state, true, path(path), world.now());
    }

    private void migrate(int asked, String path, int to) {
        assertThat(world.at(node(asked))
                        .migrate(
                                state,
                                new Command.Migrate(path(path), node(to).address(), Optional.empty()),
                                world.now()))
                .isEmpty();
    }

    /** What stands at a place of the ring; p0 is on the first, p1 on the second. */
    private List<String> on(int host) {
        return world.table().entries().values().stream()
                .filter(row -> row.isOn(node(host)))
                .map(row -> row.path().text())
                .toList();
    }

    @Test
    void whoDoesNotLeadSaysWhatItKnowsOfTheLeaderAndWhereToAsk() {
        given(3, 1);
        assertThat(why(3, "p0"))
                .endsWith(
                        node(1) + " leads the table, and has said that it has this table; what holds a change up, and "
                                + "what comes next, is said there");

        world.deafen(node(3));
        world.at(node(1)).want(path("q"), SINGLETON, world.now());
        world.pass(SECOND);
        TableMessage newer =
                new TableMessage.TableStatus(node(3), world.at(node(1)).table().digest(), false);
        world.at(node(3)).onMessage(state, node(1), newer, world.now(), new Effects());
        assertThat(why(3, "p0"))
                .endsWith(
                        node(1) + " leads the table, and has not said to this node that it has this table; what holds "
                                + "a change up, and what comes next, is said there");
        assertThat(world.at(node(3)).explain(state, false, path("p0"), world.now()))
                .endsWith(node(1) + " leads the table, and writes only when all agree on the members; see explain "
                        + "convergence");
    }

    @Test
    void theLeaderSaysWhomItWaitsFor() {
        given(3, 1);
        assertThat(why(1, "p0")).endsWith(node(1) + " leads the table, and nothing keeps it from writing");
        world.deafen(node(3));
        world.at(node(2)).want(path("q"), SINGLETON, world.now());
        world.pass(2 * SECOND);
        assertThat(why(1, "p0"))
                .endsWith(node(1) + " leads the table, and waits to hear that " + node(3) + " have this table");
    }

    @Test
    void whatPeopleAskedForStandsInTheQueueUntilThereIsRoom() {
        given(3, 60);
        world.movesEnd(false);
        List<String> ofTheFirst = on(1);
        ofTheFirst.subList(0, 12).forEach(it -> migrate(3, it, 2));
        world.pass(2 * SECOND);

        assertThat(world.at(node(1)).waitingMoves()).hasSize(2);
        String second = world.at(node(1)).waitingMoves().stream()
                .skip(1)
                .findFirst()
                .orElseThrow()
                .path()
                .text();
        assertThat(why(1, second))
                .contains(
                        "it waits to be moved from " + node(1) + " to " + node(2) + ", number 2 of 2 in the queue of "
                                + "moves, for which " + node(3) + " was asked",
                        "no move begins now, because 10 are under way, which is as many as may be at once "
                                + "(most-parallel-moves)");
        assertThat(why(3, second))
                .contains("this node was asked to have it moved to " + node(2).address()
                        + ", and refuses that in 58.0 s if it has not begun by then")
                .noneMatch(it -> it.contains("in the queue"));
        assertThat(why(2, second)).noneMatch(it -> it.contains("queue") || it.contains("was asked"));

        String other = ofTheFirst.get(15);
        assertThat(why(1, other)).noneMatch(it -> it.contains("queue") || it.contains("under way"));
        world.movesEnd(true);
        endMoves();
        world.pass(2 * SECOND);
        assertThat(why(1, second)).noneMatch(it -> it.contains("queue") || it.contains("under way"));
        assertThat(why(3, second)).noneMatch(it -> it.contains("was asked to"));
    }

    private void endMoves() {
        for (PartitionEntry row : world.at(node(1)).table().entries().values()) {
            row.pending().ifPresent(it -> world.at(it.from()).report(row.path(), it.id(), "", world.now()));
        }
    }

    @Test
    void whatRebalancingHasPlannedStandsThereToo() {
        given(1, 6);
        world.movesEnd(false);
        become(members(1, 2));
        world.pass(SECOND);
        world.at(node(1)).rebalance(world.now());
        world.pass(SECOND);
        List<Move> waiting = List.copyOf(world.at(node(1)).waitingMoves());
        assertThat(waiting).hasSize(2);
        assertThat(why(1, waiting.get(1).path().text()))
                .contains(
                        "it waits to be moved from " + node(1) + " to " + node(2) + ", number 2 of 2 in the queue of "
                                + "moves, as rebalancing has planned: it evens out the number of instances: " + node(1)
                                + " goes from 6 to 3, " + node(2) + " from 0 to 3",
                        "no move to " + node(2) + " begins now, because that node is getting as many as it may at "
                                + "once: one more than it has");
    }

    @Test
    void oneMoveOfAPartitionFollowsTheOther() {
        state = members(1, 2);
        world = new KeeperWorld(state, 52, 0);
        world.at(node(1)).want(path("a"), new PartitionSpec(2, "", HandoffPolicy.stateless()), world.now());
        world.at(node(1)).want(path("b"), new PartitionSpec(2, "", HandoffPolicy.stateless()), world.now());
        world.pass(2 * SECOND);
        world.movesEnd(false);
        become(members(1, 2, 3, 4));
        world.pass(SECOND);
        world.at(node(1)).rebalance(world.now());
        world.pass(SECOND);
        assertThat(why(1, "a"))
                .anyMatch(it -> it.startsWith(
                        "it waits to be moved from " + node(2) + " to " + node(4) + ", number 1 of 1 in the queue"))
                .contains("its next move begins when the one that is under way is over");
    }

    @Test
    void whatALeaverHasIsNamedWithItsNextHostWhileThereIsNoRoom() {
        given(2, 40);
        world.movesEnd(false);
        become(with(members(1, 2), MemberStatus.LEAVING, 2));
        world.pass(SECOND);
        String last = on(2).get(19);
        assertThat(why(1, last))
                .contains(
                        "its host must give it away, next to " + node(1),
                        "no move begins now, because 10 are under way, which is as many as may be at once "
                                + "(most-parallel-moves)");
        assertThat(why(2, last)).noneMatch(it -> it.contains("no move begins"));
    }

    @Test
    void whatHasFailedRestsAndItsTargetIsLeftOut() {
        given(3, 3);
        world.movesFail(BROKEN);
        become(with(members(1, 2, 3), MemberStatus.LEAVING, 2));
        world.pass(SECOND);
        assertThat(why(1, "p1"))
                .contains(
                        "its last move failed, so a host that must give it away tries again in 4.0 s at the earliest",
                        node(1) + " could not start it, or take it over: " + BROKEN + "; while somebody else can host "
                                + "it, that node is left out for another 9.0 s");
        assertThat(why(3, "p1")).noneMatch(it -> it.contains("left out") || it.contains("tries again"));

        world.pass(7 * SECOND); // the other one has been tried by now
        assertThat(why(1, "p1"))
                .contains(
                        node(3) + " could not start it, or take it over: " + BROKEN + "; while somebody else can host "
                                + "it, that node is left out for another 7.0 s, but now nobody else can");
        world.pass(10 * SECOND);
        world.movesFail("");
        world.pass(30 * SECOND);
        assertThat(why(1, "p1")).noneMatch(it -> it.contains("left out") || it.contains("tries again"));
    }

    @Test
    void versionsThatDifferAreNamed() {
        given(3, 3);
        List<Member> upgraded = new ArrayList<>();
        state.members()
                .forEach(it -> upgraded.add(new Member(
                        it.id(), it.status(), it.upNumber(), it.roles(), it.id().equals(node(2)) ? "2" : "1")));
        assertThat(why(1, "p0")).noneMatch(it -> it.contains("version"));
        become(ClusterState.of(
                Members.of(upgraded), state.tombstones(), state.reachability(), state.version(), state.seen()));
        world.pass(SECOND);
        assertThat(why(1, "p0"))
                .contains("nothing is evened out while members run different versions of the application, 1, 2; what "
                        + "people ask for, and what hosts must give away, moves");
    }

    @Test
    void whatWasAskedForIsNotYetInTheTable() {
        given(3, 2);
        world.converged(false);
        world.at(node(2)).want(path("p0"), new PartitionSpec(1, 3, 2, "", HandoffPolicy.singleton()), world.now());
        world.at(node(2)).end(path("p1"), world.now());
        world.at(node(2)).want(path("q"), SINGLETON, world.now());
        world.pass(SECOND);
        assertThat(why(1, "p0"))
                .contains(
                        "somebody has asked for something else: wanted are 1 to 3 instances, and 2 are expected to be "
                                + "needed, handed over by the policy singleton (2b 3b 4a)");
        assertThat(why(1, "p1")).contains("somebody has asked for its end");
        assertThat(why(1, "q"))
                .containsExactly(
                        "there is no partition q; the table has 2",
                        "somebody has asked for it: wanted is 1 instance, handed over by the policy "
                                + "singleton (2b 3b 4a)");
        assertThat(why(3, "q")).containsExactly("there is no partition q; the table has 2");
    }
}
