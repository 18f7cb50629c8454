package dev.muster.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.handoff.MoveView;
import dev.muster.core.state.NodeId;
import dev.muster.node.CommandLineUnderTest;
import dev.muster.node.ExitCode;
import dev.muster.node.FakeCluster;
import dev.muster.node.http.ManagedNode;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands that move partitions and follow their moves, with a real server behind a real socket. */
class PartitionCommandsTest {

    private final FakeCluster cluster = FakeCluster.of(3);
    private final ManagedNode node = new ManagedNode(cluster);
    private final CommandLineUnderTest muster = new CommandLineUnderTest(new WorldSimulation());

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void nothingOnTheMoveIsSaidByTheNodeThatWasAsked() {
        assertThat(muster.run("handoffs", "--at", node.at())).isEqualTo(ExitCode.DONE);
        assertThat(muster.out()).contains("nothing is on the move, as seen by 127.0.0.1:2551");
    }

    @Test
    void handoffsAreATable() {
        cluster.partition("billing", 1, 3)
                .moving("billing", view(List.of(FakeCluster.node(3))))
                .waiting("orders", 3, 1, "evens out the load");

        assertThat(muster.run("handoffs", "--at", node.at())).isEqualTo(ExitCode.DONE);

        assertThat(lines())
                .containsExactly(
                        "partition from to age waiting phase as seen by why",
                        "billing 127.0.0.1:2551 127.0.0.1:2552 7 (512 B) forwarding: not 127.0.0.1:2553 127.0.0.1:2551"
                                + " it moves: a user asked for it",
                        "",
                        "waits from to why",
                        "orders 127.0.0.1:2553 127.0.0.1:2551 evens out the load");
    }

    @Test
    void allPlacesAreAskedIfOneWantsThat() throws IOException {
        cluster.partition("billing", 1, 3).moving("billing", view(List.of()));
        FakeCluster other = FakeCluster.alone();
        try (ManagedNode second = new ManagedNode(other)) {
            second.get("/alive");
            assertThat(muster.run("handoffs", "--all", "--json", "--at", node.at(), "--at", second.at()))
                    .isEqualTo(ExitCode.DONE);
            assertThat(json().path("views")).isNotEmpty();
            assertThat(muster.run("handoffs", "--json", "--at", node.at())).isEqualTo(ExitCode.DONE);
            assertThat(json()).isEqualTo(node.get("/cluster/handoffs").json());
        }
    }

    @Test
    void onePlaceThatRefusesDoesNotHideWhatTheOthersSee() {
        cluster.partition("billing", 1, 3).moving("billing", view(List.of()));
        try (ManagedNode rejoining = new ManagedNode(FakeCluster.of(2).stopped())) {
            for (List<String> places :
                    List.of(List.of(node.at(), rejoining.at()), List.of(rejoining.at(), node.at()))) {
                assertThat(muster.run("handoffs", "--all", "--at", places.get(0), "--at", places.get(1)))
                        .as(muster.err())
                        .isEqualTo(ExitCode.DONE);
                assertThat(muster.out()).contains("billing", "forwarding");
                assertThat(muster.err()).contains(rejoining.at() + " says", "its membership has ended");
            }
            assertThat(muster.run("handoffs", "--all", "--json", "--at", rejoining.at(), "--at", node.at()))
                    .isEqualTo(ExitCode.DONE);
            assertThat(json().path("views")).hasSize(1);
            assertThat(muster.err()).contains("its membership has ended");
        }
    }

    @Test
    void ifEveryPlaceRefusesEachIsNamedAndNoneCouldBeReached() {
        try (ManagedNode first = new ManagedNode(FakeCluster.of(2).stopped());
                ManagedNode second = new ManagedNode(FakeCluster.of(2).stopped())) {
            assertThat(muster.run("handoffs", "--all", "--json", "--at", first.at(), "--at", second.at()))
                    .isEqualTo(ExitCode.COULD_NOT_REACH_A_NODE);
            assertThat(muster.err()).contains(first.at() + " says", second.at() + " says");
            assertThat(json().path("message").asString()).contains("its membership has ended");
        }
    }

    @Test
    void aDryRunShowsThePlanAndTheLoads() {
        for (int i = 0; i < 4; i++) {
            cluster.partition("counters/" + i, 1);
        }

        assertThat(muster.run("rebalance", "--dry-run", "--at", node.at())).isEqualTo(ExitCode.DONE);

        assertThat(lines())
                .contains(
                        "would do this: 2 moves even out the number of instances",
                        "partition from to why",
                        "node instances after load after",
                        "127.0.0.1:2551 4 2 4.0 2.0",
                        "127.0.0.1:2552 0 1 0.0 1.0");
        assertThat(muster.run("rebalance", "--at", node.at())).isEqualTo(ExitCode.DONE);
        assertThat(muster.out()).contains("the leader is told", "muster handoffs --all --at " + node.at());
        muster.run("partitions", "--at", node.at());
        assertThat(muster.out()).contains("from 127.0.0.1:2551 to 127.0.0.1:255");
    }

    @Test
    void aDryRunThatFindsNothingToMoveSaysSo() {
        cluster.partition("billing", 1, 2);

        assertThat(muster.run("rebalance", "--dry-run", "--at", node.at())).isEqualTo(ExitCode.DONE);

        assertThat(lines())
                .containsExactly(
                        "would move nothing: the number of instances is as even as it can be, or within 10 % of"
                                + " it");
    }

    @Test
    void aMigrationIsToldToTheLeader() {
        cluster.partition("billing", 1, 3);
        assertThat(muster.run("migrate", "billing", "--to", "127.0.0.1:2552", "--at", node.at()))
                .isEqualTo(ExitCode.DONE);
        assertThat(muster.out()).contains("the leader is told to move billing from muster://test@127.0.0.1:2551");
        assertThat(muster.run("migrate", "billing", "--to", "127.0.0.1:2552", "--json", "--at", node.at()))
                .isEqualTo(ExitCode.DONE);
        assertThat(json().path("plan").path("moves")).hasSize(1);
    }

    @Test
    void aMigrationToAnUnreachableMemberIsToldWithAWarning() {
        cluster.partition("billing", 1, 3).unreachable(2, 3);
        for (String form : List.of("--dry-run", "--json")) {
            assertThat(muster.run("migrate", "billing", "--to", "127.0.0.1:2552", form, "--at", node.at()))
                    .isEqualTo(ExitCode.DONE);
            assertThat(muster.err()).contains("127.0.0.1:2552 is unreachable", "choose another node");
        }
        assertThat(json().path("warning").asString()).contains("is unreachable");
        cluster.partition("audit", 1);
        assertThat(muster.run("migrate", "audit", "--to", "127.0.0.1:2553", "--at", node.at()))
                .isEqualTo(ExitCode.DONE);
        assertThat(muster.err()).isEmpty();
    }

    @Test
    void toExplainAPartitionThatIsNoneIsANo() {
        cluster.partition("billing", 1, 3);
        assertThat(muster.run("explain", "partition", "billing", "--at", node.at()))
                .isEqualTo(ExitCode.DONE);
        assertThat(muster.run("explain", "partition", "orders", "--at", node.at()))
                .isEqualTo(ExitCode.ANSWER_IS_NO);
        assertThat(muster.err()).contains("and that is why");
    }

    @Test
    void aMigrationMayNameItsSource() {
        cluster.partition("billing", 1, 3);
        String[] line = {"migrate", "billing", "--from", "127.0.0.1:2553", "--to", "127.0.0.1:2552", "--at", node.at()};
        assertThat(muster.run(line)).isEqualTo(ExitCode.DONE);
        assertThat(muster.out()).contains("the leader is told to move billing from muster://test@127.0.0.1:2553");
        answers(
                ExitCode.ANSWER_IS_NO,
                "does not host billing",
                "billing",
                "--from",
                "127.0.0.1:2552",
                "--to",
                "127.0.0.1:2551");
        answers(ExitCode.WRONG_USAGE, "from 'nowhere'", "billing", "--from", "nowhere", "--to", "127.0.0.1:2552");
        answers(ExitCode.WRONG_USAGE, "--from is empty", "billing", "--from", "", "--to", "127.0.0.1:2552");
    }

    @Test
    void aMigrationThatCannotBeIsANoOrWrongUsage() {
        cluster.partition("billing", 1, 3);
        answers(ExitCode.ANSWER_IS_NO, "there is no partition orders", "orders", "--to", "127.0.0.1:2552");
        answers(ExitCode.ANSWER_IS_NO, "already hosts billing", "billing", "--to", "127.0.0.1:2553");
        answers(ExitCode.ANSWER_IS_NO, "to '127.0.0.1:9'", "billing", "--to", "127.0.0.1:9");
        answers(ExitCode.WRONG_USAGE, "to 'nowhere'", "billing", "--to", "nowhere");
        answers(ExitCode.WRONG_USAGE, "--to", "billing");
        answers(ExitCode.WRONG_USAGE, "PATH is empty", "", "--to", "127.0.0.1:2552");
        answers(ExitCode.WRONG_USAGE, "--to is empty", "billing", "--to", "");
    }

    private void answers(int exitCode, String reason, String... arguments) {
        String[] line = Stream.concat(Stream.of("migrate", "--at", node.at()), Stream.of(arguments))
                .toArray(String[]::new);
        assertThat(muster.run(line)).as(reason).isEqualTo(exitCode);
        assertThat(muster.err()).contains(reason);
    }

    private static MoveView view(List<NodeId> notSwitched) {
        return new MoveView(2, FakeCluster.node(1), FakeCluster.node(2), "forwarding", 7, 512, notSwitched);
    }

    private List<String> lines() {
        return muster.out().lines().map(line -> line.replaceAll(" +", " ")).toList();
    }

    private JsonNode json() {
        assertThat(muster.out().lines()).hasSize(1);
        return JsonMapper.builder().build().readTree(muster.out());
    }
}
