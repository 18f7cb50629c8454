package dev.muster.simulator.check;

import static dev.muster.simulator.check.StandingWorld.SECOND;
import static dev.muster.simulator.check.StandingWorld.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.Input;
import dev.muster.core.handoff.PartitionGate;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The checkers of partitions say nothing about what is right, and something about what is not. */
class PartitionCheckersTest {
    private static final PartitionPath PATH = new PartitionPath("a");
    private static final PartitionSpec TWO = new PartitionSpec(2, "", HandoffPolicy.stateless());

    private final StandingWorld world = new StandingWorld(ClusterSettings.defaults());
    private final ClusterState state = StandingWorld.stateOf(
            member("a", MemberStatus.UP), member("b", MemberStatus.UP), member("c", MemberStatus.JOINING));

    private static Member member(String host, MemberStatus status) {
        Member plain = StandingWorld.member(host, status);
        return new Member(plain.id(), status, plain.upNumber(), List.of("muster-1"), plain.appVersion());
    }

    private static PartitionEntry row(long epoch, String writer, String... hosts) {
        return new PartitionEntry(
                PATH,
                epoch,
                id(writer),
                TWO,
                List.of(hosts).stream().map(StandingWorld::id).toList(),
                false);
    }

    private static PartitionTable table(PartitionEntry row) {
        return PartitionTable.EMPTY.merge(List.of(row));
    }

    private final StepReader reader = new StepReader();
    private final History history = new History(reader);
    private final TableGrows tableGrows = new TableGrows(reader, history);

    /** All of them, with the members and the table in the hands of all but one, if any. */
    private StandingWorld.Standing allBut(String one, PartitionTable table, String writer) {
        StandingWorld.Standing found = null;
        for (String host : List.of("a", "b", "c")) {
            StandingWorld.Standing node = world.runs(host, ClusterState.EMPTY);
            if (!host.equals(one)) {
                world.step(node, history, state);
                node.holds(table);
                world.step(node, tableGrows);
            }
            found = host.equals(writer) ? node : found;
        }
        return found;
    }

    private List<String> written(PartitionEntry before, PartitionEntry row, String by) {
        StandingWorld.Standing node = allBut("", before == null ? PartitionTable.EMPTY : table(before), by);
        node.holds(table(row));
        world.step(node, tableGrows);
        return world.sentences();
    }

    @Test
    void aLeaderMayNotWriteBeforeAllHaveTheMembers() {
        StandingWorld.Standing node = allBut("b", PartitionTable.EMPTY, "a");
        node.holds(table(row(1, "a", "a")));
        world.step(node, tableGrows);
        assertThat(world.sentences())
                .singleElement()
                .asString()
                .startsWith("P1")
                .contains("wrote rows on version");
    }

    @Test
    void aLeaderMayNotWriteBeforeAllHaveTheTable() {
        StandingWorld.Standing node = allBut("c", table(row(1, "z", "a")), "a");
        node.holds(table(row(2, "a", "a")));
        world.step(node, tableGrows);
        assertThat(world.sentences())
                .singleElement()
                .asString()
                .startsWith("P1")
                .contains("after the table");
    }

    @Test
    void whoeverHasARowSendsByIt() {
        StandingWorld.Standing node = allBut("", PartitionTable.EMPTY, "a");
        node.hasGate(row(1, "a", "a"));
        node.holds(table(row(1, "a", "a")));
        world.step(node, tableGrows);
        world.eventEnds();
        assertThat(world.sentences())
                .singleElement()
                .asString()
                .startsWith("P4")
                .contains("sends to []");
    }

    @Test
    void aLeaderMayWrite() {
        assertThat(written(row(1, "z", "a"), row(2, "a", "a", "b"), "a")).isEmpty();
    }

    @Test
    void anotherMayNot() {
        assertThat(written(null, row(1, "b", "a"), "b"))
                .singleElement()
                .asString()
                .contains("does not lead");
    }

    @Test
    void onlyMembersThatAreUpMayHost() {
        assertThat(written(null, row(1, "a", "a", "c"), "a"))
                .singleElement()
                .asString()
                .startsWith("P2");
    }

    @Test
    void noRowGoesBackOrIsLost() {
        assertThat(written(row(2, "b", "a"), row(1, "b", "a"), "a")).anyMatch(it -> it.contains("went back"));
        StandingWorld other = new StandingWorld(ClusterSettings.defaults());
        TableGrows checker = new TableGrows(reader, history);
        StandingWorld.Standing node = other.runs("a", state);
        node.holds(table(row(1, "b", "a")));
        other.step(node, checker);
        node.holds(PartitionTable.EMPTY);
        other.step(node, checker);
        assertThat(other.sentences()).singleElement().asString().contains("has lost the row");
    }

    @Test
    void anEpochIsNotUsedTwice() {
        assertThat(written(row(3, "b", "a"), row(3, "a", "b"), "a"))
                .anyMatch(it -> it.contains("epoch that it had used"));
    }

    @Test
    void instancesMustRunWhereTheTableSays() {
        ClusterState up = StandingWorld.stateOf(member("a", MemberStatus.UP), member("b", MemberStatus.UP));
        TreeMap<PartitionPath, PartitionSpec> wanted = new TreeMap<>();
        wanted.put(PATH, TWO);
        PartitionsRun checker = new PartitionsRun(wanted);
        StandingWorld.Standing a = world.runs("a", up);
        StandingWorld.Standing b = world.runs("b", up);
        a.holds(table(row(1, "a", "a", "b")));
        b.holds(table(row(1, "a", "a", "b")));
        a.hasGate(row(1, "a", "a", "b")).onStarted(0);
        PartitionGate<Letter> gateOfB = b.hasGate(row(1, "a", "a", "b"));
        world.pass(1_000 * SECOND, checker);
        assertThat(world.sentences()).isEmpty(); // it may just be about to start
        world.pass(60 * SECOND, checker);
        assertThat(world.sentences()).anyMatch(it -> it.contains("should run on " + id("b")));

        world.sentences().clear();
        gateOfB.onStarted(0);
        world.pass(60 * SECOND, checker);
        assertThat(world.sentences()).isEmpty();
    }

    @Test
    void whatMovesMustArrive() {
        ClusterState up = StandingWorld.stateOf(
                member("a", MemberStatus.UP), member("b", MemberStatus.UP), member("d", MemberStatus.UP));
        TreeMap<PartitionPath, PartitionSpec> wanted = new TreeMap<>();
        wanted.put(PATH, TWO);
        PartitionsRun checker = new PartitionsRun(wanted);
        PartitionEntry moving = new PartitionEntry(
                PATH,
                1,
                id("a"),
                TWO,
                List.of(id("a"), id("b")),
                false,
                Optional.of(new PartitionMove(1, id("b"), id("d"), PartitionMove.Stage.PENDING)));
        for (String host : List.of("a", "b", "d")) {
            StandingWorld.Standing node = world.runs(host, up);
            node.holds(table(moving));
            node.hasGate(moving).onStarted(0);
        }
        world.pass(1_000 * SECOND, checker);
        assertThat(world.sentences()).anyMatch(it -> it.startsWith("P10"));
    }

    @Test
    void whoLeavesHandsOverFirst() {
        LeaversHandOver checker = new LeaversHandOver();
        StandingWorld.Standing a = world.runs("a", state);
        a.holds(table(row(1, "a", "b")));
        ClusterState leaving = StandingWorld.stateOf(member("a", MemberStatus.UP), member("b", MemberStatus.LEAVING));
        ClusterState exiting = StandingWorld.stateOf(member("a", MemberStatus.UP), member("b", MemberStatus.EXITING));
        checker.onStep(new Step(world, a, new Input.TimePassed(), 0, leaving, exiting, List.of()));
        assertThat(world.sentences()).singleElement().asString().startsWith("P9");
    }

    @Test
    void allThatAreWantedMustBeThere() {
        ClusterState up = StandingWorld.stateOf(member("a", MemberStatus.UP), member("b", MemberStatus.UP));
        TreeMap<PartitionPath, PartitionSpec> wanted = new TreeMap<>();
        wanted.put(PATH, TWO);
        PartitionsRun checker = new PartitionsRun(wanted);
        StandingWorld.Standing a = world.runs("a", up);
        world.runs("b", up);
        a.holds(table(row(1, "a", "a")));
        world.pass(1_000 * SECOND, checker);
        assertThat(world.sentences()).anyMatch(it -> it.contains("should have 2 instances"));
    }
}
