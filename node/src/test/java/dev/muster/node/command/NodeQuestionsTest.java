package dev.muster.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import dev.muster.node.CommandLineUnderTest;
import dev.muster.node.ExitCode;
import dev.muster.node.FakeCluster;
import dev.muster.node.Terminal;
import dev.muster.node.http.HttpSettings;
import dev.muster.node.http.ManagedNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands that ask a node, with a real server behind a real socket. */
class NodeQuestionsTest {

    private final FakeCluster cluster = FakeCluster.of(3);
    private final ManagedNode node = new ManagedNode(cluster);
    private final CommandLineUnderTest muster = new CommandLineUnderTest(new WorldSimulation());

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void membersAreATable() {
        cluster.add(4, MemberStatus.JOINING, "backend", "muster-1").unreachable(2, 1, 3);

        assertThat(muster.run("members", "--at", node.at())).isEqualTo(ExitCode.DONE);

        assertThat(muster.out().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "node status unreachable for roles",
                        "127.0.0.1:2551 Up leader",
                        "127.0.0.1:2552 Up 127.0.0.1:2551,127.0.0.1:2553",
                        "127.0.0.1:2553 Up",
                        "127.0.0.1:2554 Joining backend");
        assertThat(muster.out()).doesNotContain("\u001b");
        assertThat(muster.err()).isEmpty();
    }

    @Test
    void partitionsAreATable() {
        assertThat(muster.run("partitions", "--at", node.at())).isEqualTo(ExitCode.DONE);
        assertThat(muster.out()).contains("there are no partitions");

        cluster.partition("billing", 1, 3).partition("audit", 2);
        assertThat(muster.run("partitions", "--at", node.at())).isEqualTo(ExitCode.DONE);
        assertThat(muster.out().lines().map(line -> line.replaceAll(" +", " ")))
                .contains(
                        "partition instances on waiting load policy epoch role move",
                        "audit 1 of 2 127.0.0.1:2552 stateless 2",
                        "billing 2 of 2 127.0.0.1:2551,127.0.0.1:2553 stateless 1");

        assertThat(muster.out()).doesNotContain("cpu");

        cluster.waits(1, "billing", 7);
        assertThat(muster.run("partitions", "--at", node.at())).isEqualTo(ExitCode.DONE);
        assertThat(muster.out().lines().map(line -> line.replaceAll(" +", " ")))
                .contains(
                        "billing 2 of 2 127.0.0.1:2551,127.0.0.1:2553 7,? 1.00,? stateless 1",
                        "node cpu gc waiting",
                        "127.0.0.1:2551 50 % 0 % 7",
                        "127.0.0.1:2552 ? ? ?");
    }

    @Test
    void hostsThatCannotBeReachedAreMarkedAndDoNotCount() {
        cluster.partition("audit", 3).partition("billing", 1, 3).unreachable(3, 2);
        assertThat(muster.run("partitions", "--at", node.at())).isEqualTo(ExitCode.DONE);
        assertThat(muster.out().lines().map(line -> line.replaceAll(" +", " ")))
                .contains(
                        "audit 0 of 2 127.0.0.1:2553 (unreachable) stateless 1",
                        "billing 1 of 2 127.0.0.1:2551,127.0.0.1:2553 (unreachable) stateless 2");
    }

    @Test
    void partitionsAsJsonAreWhatTheRouteAnswers() throws IOException {
        cluster.partition("billing", 1, 3);
        assertThat(muster.run("partitions", "--json", "--at", node.at())).isEqualTo(ExitCode.DONE);
        assertThat(json()).isEqualTo(node.get("/cluster/partitions").json());
    }

    @Test
    void membersAsJsonAreWhatTheRouteAnswers() throws IOException {
        assertThat(muster.run("members", "--json", "--at", node.at())).isEqualTo(ExitCode.DONE);
        assertThat(json()).isEqualTo(node.get("/cluster/members").json());
    }

    @Test
    void aNodeThatCannotBeReachedIsSkipped() throws IOException {
        assertThat(muster.run("members", "--at", freePlace(), "--at", node.at()))
                .isEqualTo(ExitCode.DONE);
        assertThat(muster.out()).contains("127.0.0.1:2551");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "members",
                "status",
                "watch",
                "explain",
                "handoffs",
                "handoffs --all",
                "rebalance",
                "migrate counters/3 --to 127.0.0.1:2552",
                "leave 127.0.0.1:2552",
                "down 127.0.0.1:2552",
                "join 127.0.0.1:1"
            })
    void nobodyAtAllIsAnExitCodeOfItsOwn(String command) throws IOException {
        String place = freePlace();
        assertThat(muster.run((command + " --at " + place).split(" "))).isEqualTo(ExitCode.COULD_NOT_REACH_A_NODE);
        assertThat(muster.err()).contains(place, "nobody listens", "--at");
        assertThat(muster.out()).isEmpty();
    }

    @Test
    void aNameThatNobodyKnowsIsNotTakenForASilentNode() {
        assertThat(muster.run("partitions", "--at", "no.such.host.invalid:9558"))
                .isEqualTo(ExitCode.COULD_NOT_REACH_A_NODE);
        assertThat(muster.err())
                .contains("no.such.host.invalid:9558 (the name cannot be resolved; check its spelling, or give an IP "
                        + "address)")
                .doesNotContain("nobody listens");
    }

    @Test
    void whatIsNoNodeIsNotMistakenForOne() throws Exception {
        try (ServerSocket stranger = new ServerSocket(0)) {
            Thread answering = new Thread(() -> answerOnce(stranger));
            answering.start();
            assertThat(muster.run("members", "--at", "127.0.0.1:" + stranger.getLocalPort()))
                    .isEqualTo(ExitCode.COULD_NOT_REACH_A_NODE);
            answering.join();
        }
        assertThat(muster.err()).contains("no node of Muster");
    }

    private static void answerOnce(ServerSocket server) {
        try (var socket = server.accept()) {
            socket.getInputStream().read(new byte[4096]);
            socket.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".getBytes(StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    @Test
    void aPlaceThatIsNoneIsWrongUsage() {
        for (String place : List.of("", "a:b", "127.0.0.1:99999", "http://h:1/path", "h:0")) {
            assertThat(muster.run("members", "--at", place)).as(place).isEqualTo(ExitCode.WRONG_USAGE);
            assertThat(muster.err()).contains("'" + place + "'").contains("127.0.0.1:8558");
        }
    }

    @Test
    void statusAnswersYesOrNo() {
        assertThat(muster.run("status", "--at", node.at())).isEqualTo(ExitCode.DONE);
        assertThat(muster.out()).contains("3 (3 Up)", "converged   yes, you asked", "leader      127.0.0.1:2551");

        cluster.unreachable(3, 1);
        assertThat(muster.run("status", "--at", node.at())).isEqualTo(ExitCode.ANSWER_IS_NO);
        assertThat(muster.out()).contains("unreachable 127.0.0.1:2553", "converged   no");

        assertThat(muster.run("status", "--json", "--at", node.at())).isEqualTo(ExitCode.ANSWER_IS_NO);
        assertThat(json().path("well").asBoolean()).isFalse();
        assertThat(json().path("byStatus").path("Up").asInt()).isEqualTo(3);
        assertThat(json().path("unreachable").get(0).asString()).isEqualTo("127.0.0.1:2553");
    }

    @Test
    void explainPassesTheQuestionOn() {
        assertThat(muster.run("explain", "--at", node.at())).isEqualTo(ExitCode.DONE);
        assertThat(muster.out()).contains("Everything").contains("that is why");
        muster.run("explain", "unreachable", "127.0.0.1:2552", "--at", node.at());
        assertThat(muster.out()).contains("muster://test@127.0.0.1:2552");
        cluster.partition("counters/3", 1);
        muster.run("explain", "partition", "counters/3", "--at", node.at());
        assertThat(muster.out()).contains("Partition[path=counters/3]");
        muster.run("explain", "convergence", "--json", "--at", node.at());
        assertThat(json().path("answer")).hasSize(2);
        for (String wrong : List.of(
                "explain unreachable",
                "explain partition",
                "explain partition a//b",
                "explain weather",
                "explain convergence 127.0.0.1:1",
                "explain unreachable x")) {
            assertThat(muster.run((wrong + " --at " + node.at()).split(" ")))
                    .as(wrong)
                    .isEqualTo(ExitCode.WRONG_USAGE);
        }
    }

    @Test
    void leavingAndDowningAreDone() {
        assertThat(muster.run("leave", "127.0.0.1:2552", "--at", node.at())).isEqualTo(ExitCode.DONE);
        assertThat(cluster.statusOf(2)).isEqualTo(MemberStatus.LEAVING);
        assertThat(muster.run("down", "muster://test@127.0.0.1:2553", "--json", "--at", node.at()))
                .isEqualTo(ExitCode.DONE);
        assertThat(json().path("done").asBoolean()).isTrue();
        assertThat(json().path("state").path("members")).hasSize(3);
        assertThat(cluster.statusOf(3)).isEqualTo(MemberStatus.DOWN);
    }

    @Test
    void whoWaitsForALeaverIsToldThatNothingWasLeft() {
        cluster.partition("billing", 1, 2)
                .afterLooks(() -> {}, () -> cluster.partition("billing", 1, 3), () -> {}, () -> cluster.remove(2));
        assertThat(muster.run("leave", "127.0.0.1:2552", "--wait", "30s", "--at", node.at()))
                .isEqualTo(ExitCode.DONE);
        assertThat(muster.out()).contains("is now Leaving", "127.0.0.1:2552 has gone, and had no partition left");
        assertThat(muster.err()).isEmpty();
    }

    @Test
    void whoWaitsForALeaverIsToldWhatWasLeft() {
        Runnable exits = () -> cluster.add(2, MemberStatus.EXITING);
        Runnable goes = () -> cluster.remove(2).partition("billing", 1);
        cluster.partition("billing", 2).afterLooks(() -> {}, exits, () -> {}, goes);
        assertThat(muster.run("leave", "127.0.0.1:2552", "--wait", "30s", "--at", node.at()))
                .isEqualTo(ExitCode.ANSWER_IS_NO);
        assertThat(muster.err()).contains("127.0.0.1:2552 has gone without handing over billing");

        cluster.partition("audit", 3).afterLooks(() -> {}, () -> cluster.remove(3));
        assertThat(muster.run("leave", "127.0.0.1:2553", "--wait", "30s", "--at", node.at()))
                .isEqualTo(ExitCode.DONE);
        assertThat(muster.out()).as("nobody saw it exiting").contains("its log says", "audit");
    }

    @Test
    void whatALeaverHadByRowsThatMayBeOldIsNotSaidToBeLeft() throws IOException {
        Runnable exits = () -> cluster.add(2, MemberStatus.EXITING).tableUnderWay();
        cluster.partition("billing", 2).afterLooks(() -> {}, exits, () -> {}, () -> cluster.remove(2));
        assertThat(muster.run("leave", "127.0.0.1:2552", "--wait", "30s", "--json", "--at", node.at()))
                .isEqualTo(ExitCode.DONE);
        assertThat(json().path("done").asBoolean()).isTrue();
        assertThat(json().path("left").isNull()).isTrue();
    }

    @Test
    void whoWaitsForALeaverSeldomAsksForTheTable() throws IOException {
        StringWriter out = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(new StringWriter()), false, false);
        VirtualPace pace = new VirtualPace();
        cluster.partition("billing", 2);
        assertThat(new CommandLine(new LeaveCommand(terminal, pace))
                        .execute("127.0.0.1:2552", "--wait", "10s", "--at", node.at()))
                .isEqualTo(ExitCode.ANSWER_IS_NO);
        assertThat(pace.pauses).as("looks at the members").isGreaterThan(400);
        assertThat(cluster.looks()).as("looks at the table").isBetween(30, 42);
    }

    private static final class VirtualPace implements Pace {
        private long nanos;
        private int pauses;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void pause(long length) {
            nanos += length;
            pauses++;
        }
    }

    @Test
    void whoDoesNotWaitLongEnoughIsToldWhatItStillHosts() {
        cluster.partition("billing", 2);
        for (int i = 0; i < 7; i++) {
            cluster.partition("counters/" + i, 2);
        }
        String[] line = {"leave", "127.0.0.1:2552", "--wait", "1ms", "--at", node.at()};
        assertThat(muster.run(line)).isEqualTo(ExitCode.ANSWER_IS_NO);
        assertThat(muster.err())
                .contains("has not gone after 1ms, and still hosts billing, counters/0", "counters/3 and 3 more");
        cluster.add(3, MemberStatus.UP);
        assertThat(muster.run("leave", "127.0.0.1:2553", "--wait", "1ms", "--json", "--at", node.at()))
                .isEqualTo(ExitCode.ANSWER_IS_NO);
        assertThat(json().path("done").asBoolean()).isFalse();
        assertThat(json().path("left")).isEmpty();
        assertThat(muster.run("leave", "127.0.0.1:2553", "--wait", "1s", "--dry-run", "--at", node.at()))
                .isEqualTo(ExitCode.WRONG_USAGE);
    }

    @Test
    void aDryRunOnlySaysWhatWouldHappen() {
        assertThat(muster.run("down", "127.0.0.1:2552", "--dry-run", "--at", node.at()))
                .isEqualTo(ExitCode.DONE);
        assertThat(muster.out()).contains("would become Down");
        assertThat(cluster.statusOf(2)).isEqualTo(MemberStatus.UP);
    }

    @Test
    void aRefusalIsANoWithItsReason() {
        assertThat(muster.run("leave", "127.0.0.1:9", "--at", node.at())).isEqualTo(ExitCode.ANSWER_IS_NO);
        assertThat(muster.err()).contains(node.at(), "no member has this address");
        cluster.add(2, MemberStatus.DOWN);
        assertThat(muster.run("leave", "127.0.0.1:2552", "--json", "--at", node.at()))
                .isEqualTo(ExitCode.ANSWER_IS_NO);
        assertThat(json().path("done").asBoolean()).isFalse();
    }

    @Test
    void onlyTheNamedNodeIsToldToJoin() throws IOException {
        assertThat(muster.run("join", "h:1", "--at", freePlace(), "--at", node.at()))
                .isEqualTo(ExitCode.COULD_NOT_REACH_A_NODE);
        assertThat(cluster.joined()).isEmpty();
        assertThat(muster.run("join", "h:1", "--at", node.at())).isEqualTo(ExitCode.DONE);
        assertThat(cluster.joined()).containsExactly(NodeAddress.parse("muster://test@h:1"));
        assertThat(muster.run("join", "nowhere", "--at", node.at())).isEqualTo(ExitCode.WRONG_USAGE);
    }

    @Test
    void waitEndsWhenEnoughAreUp() {
        assertThat(muster.run("wait", "--up", "3", "--timeout", "30s", "--at", node.at()))
                .isEqualTo(ExitCode.DONE);
        assertThat(muster.out()).contains("3 members are up");
        assertThat(muster.run("wait", "--up", "3", "--json", "--at", node.at())).isEqualTo(ExitCode.DONE);
        assertThat(json().path("up").asInt()).isEqualTo(3);
    }

    @Test
    void waitGivesUp() throws IOException {
        cluster.unreachable(3, 1);
        assertThat(muster.run("wait", "--up", "3", "--timeout", "1ms", "--at", node.at()))
                .isEqualTo(ExitCode.ANSWER_IS_NO);
        assertThat(muster.err()).contains("2 of 3");
        assertThat(muster.run("wait", "--up", "1", "--timeout", "1ms", "--at", freePlace()))
                .isEqualTo(ExitCode.COULD_NOT_REACH_A_NODE);
        assertThat(muster.run("wait", "--up", "0")).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(muster.run("wait")).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(muster.run("wait", "--up", "1", "--timeout", "soon")).isEqualTo(ExitCode.WRONG_USAGE);
    }

    @Test
    void watchPrintsWhatIsThereAsChanges() {
        assertThat(muster.run("watch", "--for", "1ms", "--at", node.at())).isEqualTo(ExitCode.DONE);
        assertThat(muster.out()).containsPattern("joined +127.0.0.1:2553").containsPattern("leads +127.0.0.1:2551");
        assertThat(muster.out()).doesNotContain("\u001b");
        assertThat(muster.run("watch", "--for", "1ms", "--json", "--at", node.at()))
                .isEqualTo(ExitCode.DONE);
        assertThat(json().path("changes")).hasSize(7);
        assertThat(muster.run("watch", "--json", "--at", node.at())).isEqualTo(ExitCode.WRONG_USAGE);
    }

    @Test
    void aServerWithATokenStillServesItsOwnMachine() {
        try (ManagedNode guarded = new ManagedNode(
                cluster, HttpSettings.onLoopback().withTokens("0123456789abcdef", "0123456789abcde!"))) {
            // From this machine neither reads nor deliberate writes need it.
            assertThat(muster.run("members", "--at", guarded.at())).isEqualTo(ExitCode.DONE);
            assertThat(muster.run("leave", "127.0.0.1:2552", "--at", guarded.at()))
                    .isEqualTo(ExitCode.DONE);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo",
                "node",
                "members",
                "partitions",
                "handoffs",
                "rebalance",
                "migrate",
                "status",
                "watch",
                "wait",
                "join",
                "leave",
                "down",
                "explain"
            })
    void everyCommandHasHelpWithAnExample(String command) {
        assertThat(muster.run(command, "--help")).isEqualTo(ExitCode.DONE);
        assertThat(muster.out()).contains("Usage: muster " + command, "Example", "  muster " + command, "--json");
    }

    private JsonNode json() {
        String out = muster.out();
        assertThat(out.lines()).hasSize(1);
        return JsonMapper.builder().build().readTree(out);
    }

    /** A place where nobody listens. */
    private static String freePlace() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return "127.0.0.1:" + socket.getLocalPort();
        }
    }
}
