package dev.muster.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.handoff.MoveView;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.PartitionPath;
import dev.muster.node.FakeCluster;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the routes about partitions answer, over a real socket. */
class PartitionRoutesTest {

    private static final String MIGRATE = "/cluster/partitions/migrate";
    private static final String REBALANCE = "/cluster/partitions/rebalance";

    private final FakeCluster cluster = FakeCluster.of(3);
    private final ManagedNode node = new ManagedNode(cluster);

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void partitionsAreShownWithTheirHosts() throws IOException {
        cluster.partition("billing", 1, 3).partition("audit", 2);
        JsonNode json = node.get("/cluster/partitions").json();
        assertThat(json.path("selfNode").asString()).isEqualTo("muster://test@127.0.0.1:2551");
        assertThat(json.path("selfUid").asString()).isEqualTo("1001");
        assertThat(json.path("revision").asInt()).isEqualTo(2);
        assertThat(json.path("converged").asBoolean()).isTrue();
        JsonNode billing = json.path("partitions").get(1);
        assertThat(billing.path("path").asString()).isEqualTo("billing");
        assertThat(texts(billing.path("instances")))
                .containsExactly("muster://test@127.0.0.1:2551", "muster://test@127.0.0.1:2553");
        assertThat(billing.path("wanted").asInt()).isEqualTo(2);
        assertThat(billing.path("epoch").asInt()).isEqualTo(1);
        assertThat(billing.path("writtenBy").asString()).isEqualTo("muster://test@127.0.0.1:2551");
        assertThat(billing.path("policy").asString()).isEqualTo("stateless");
        assertThat(billing.path("options").asString()).isEqualTo("2a 3a 4a");
        assertThat(billing.has("move")).isFalse();
    }

    @Test
    void hostsThatCannotBeReachedAreNamed() throws IOException {
        cluster.partition("billing", 1, 2, 3);
        assertThat(unreachableHosts()).isEmpty();
        cluster.unreachable(1, 2).unreachable(2, 3);
        assertThat(unreachableHosts())
                .as("a node reaches itself, whatever others say")
                .containsExactly("muster://test@127.0.0.1:2552");
        cluster.remove(3);
        assertThat(unreachableHosts())
                .as("who is no member any more is no better")
                .contains("muster://test@127.0.0.1:2553");
    }

    private List<String> unreachableHosts() throws IOException {
        JsonNode billing =
                node.get("/cluster/partitions").json().path("partitions").get(0);
        assertThat(billing.path("instances")).hasSize(3);
        assertThat(billing.path("unreachable").isArray()).isTrue();
        return texts(billing.path("unreachable"));
    }

    @Test
    void whatWaitsIsShownWhereItIsKnown() throws IOException {
        cluster.partition("billing", 1, 2, 3).waits(1, "billing", 7).waits(2, "audit", 5);
        JsonNode waiting =
                node.get("/cluster/partitions").json().path("partitions").get(0).path("waiting");
        assertThat(waiting).hasSize(3);
        assertThat(waiting.get(0).asLong()).isEqualTo(7);
        assertThat(waiting.get(1).asLong()).isZero();
        assertThat(waiting.get(2).isNull()).isTrue();
    }

    @Test
    void loadIsShownForInstancesAndNodesWhereItIsKnown() throws IOException {
        cluster.partition("billing", 1, 2, 3)
                .partition("audit", 1)
                .waits(1, "billing", 7)
                .waits(2, "audit", 0);
        JsonNode json = node.get("/cluster/partitions").json();

        // Two nodes of which something is known have three instances, each of which weighs a third by being there.
        JsonNode billing = json.path("partitions").get(1).path("load");
        assertThat(billing).hasSize(3);
        assertThat(billing.get(0).asDouble()).as("eight ninths of half a node").isEqualTo(0.778);
        assertThat(billing.get(1).asDouble()).as("all that the node does").isEqualTo(0.833);
        assertThat(billing.get(2).isNull()).isTrue();
        JsonNode audit = json.path("partitions").get(0).path("load");
        assertThat(audit.get(0).asDouble()).as("one ninth of half a node").isEqualTo(0.389);

        JsonNode loads = json.path("loads");
        assertThat(loads).hasSize(3);
        assertThat(loads.get(0).path("node").asString()).isEqualTo("muster://test@127.0.0.1:2551");
        assertThat(loads.get(0).path("cpuLoad").asDouble()).isEqualTo(0.5);
        assertThat(loads.get(0).path("gcShare").asDouble()).isZero();
        assertThat(loads.get(0).path("waiting").asLong()).isEqualTo(7);
        for (String field : List.of("cpuLoad", "gcShare", "waiting")) {
            assertThat(loads.get(2).path(field).isNull()).as(field).isTrue();
        }
    }

    @Test
    void aPartitionOnTheMoveSaysFromWhereToWhere() throws IOException {
        cluster.partition("billing", 1, 3);
        node.change("POST", MIGRATE, "path=billing&to=127.0.0.1:2552");

        JsonNode move =
                node.get("/cluster/partitions").json().path("partitions").get(0).path("move");

        assertThat(move.path("stage").asString()).isEqualTo("pending");
        assertThat(move.path("from").asString()).isEqualTo("muster://test@127.0.0.1:2551");
        assertThat(move.path("to").asString()).isEqualTo("muster://test@127.0.0.1:2552");
        assertThat(move.path("id").asLong()).isEqualTo(2);
    }

    @Test
    void handoffsAreShownWithWhatThisNodeKnowsOfThem() throws IOException {
        cluster.partition("billing", 1, 3)
                .partition("audit", 3)
                .moving(
                        "billing",
                        new MoveView(
                                2,
                                FakeCluster.node(1),
                                FakeCluster.node(2),
                                "the new host prepares",
                                7,
                                512,
                                List.of(FakeCluster.node(3))))
                .waiting("orders", 1, 2, "a user asked for it");
        node.change("POST", MIGRATE, "path=billing&to=127.0.0.1:2552");
        node.change("POST", MIGRATE, "path=audit&to=127.0.0.1:2552");

        JsonNode json = node.get("/cluster/handoffs").json();

        assertThat(json.path("selfNode").asString()).isEqualTo("muster://test@127.0.0.1:2551");
        assertThat(json.path("handoffs")).hasSize(2);
        JsonNode own = json.path("handoffs").get(0);
        assertThat(own.path("path").asString()).isEqualTo("billing");
        assertThat(own.path("seenAs").asString()).isEqualTo("from");
        assertThat(own.path("reason").asString()).isEqualTo("it moves: a user asked for it");
        assertThat(own.path("phase").asString()).isEqualTo("the new host prepares");
        assertThat(own.path("bufferedMessages").asInt()).isEqualTo(7);
        assertThat(own.path("bufferedBytes").asInt()).isEqualTo(512);
        assertThat(own.path("ageMillis").asLong()).isNotNegative();
        assertThat(texts(own.path("notSwitched"))).containsExactly("muster://test@127.0.0.1:2553");
        JsonNode foreign = json.path("handoffs").get(1);
        assertThat(foreign.path("path").asString()).isEqualTo("audit");
        assertThat(foreign.path("seenAs").asString()).isEqualTo("bystander");
        assertThat(foreign.path("phase").asString()).contains("its two nodes know more");
        assertThat(foreign.has("bufferedMessages")).isFalse();
        assertThat(foreign.has("reason")).isFalse();
        assertThat(json.path("waiting")).hasSize(1);
        assertThat(json.path("waiting").get(0).path("reason").asString()).isEqualTo("a user asked for it");
    }

    @Test
    void aMoveIsAsOldAsThisNodeHasKnownIt() {
        MoveAges ages = new MoveAges();
        PartitionPath path = new PartitionPath("billing");
        cluster.partition("billing", 1, 3);
        ages.observe(cluster.snapshot(), Instant.EPOCH);
        cluster.migrate(path, NodeAddress.parse("muster://test@127.0.0.1:2552")).join();
        ages.observe(cluster.snapshot(), Instant.EPOCH.plusSeconds(1));
        ages.observe(cluster.snapshot(), Instant.EPOCH.plusSeconds(2));

        Instant later = Instant.EPOCH.plusSeconds(4);
        assertThat(ages.ageOf(path, 2, later)).contains(Duration.ofSeconds(3));
        assertThat(ages.ageOf(path, 9, later)).isEmpty();
        assertThat(ages.ageOf(new PartitionPath("audit"), 2, later)).isEmpty();
    }

    @Test
    void aRebalancingCanBeTriedOutFirst() throws IOException {
        for (int i = 0; i < 4; i++) {
            cluster.partition("counters/" + i, 1);
        }

        assertThat(node.change("POST", REBALANCE, "dryrun=true").status()).isEqualTo(400);
        assertThat(node.change("POST", REBALANCE + "?dry-run=true", "")
                        .json()
                        .path("message")
                        .asString())
                .isEqualTo("it is spelled dryRun, not dry-run; nothing was done");
        JsonNode dry = node.change("POST", REBALANCE, "dryRun=true").json();

        assertThat(dry.path("dryRun").asBoolean()).isTrue();
        assertThat(dry.path("plan").path("moves")).hasSize(2);
        JsonNode move = dry.path("plan").path("moves").get(0);
        assertThat(move.path("from").asString()).isEqualTo("muster://test@127.0.0.1:2551");
        assertThat(move.path("reason").asString()).contains("evens out the number of instances");
        JsonNode load = dry.path("plan").path("loads").get(0);
        assertThat(load.path("node").asString()).isEqualTo("muster://test@127.0.0.1:2551");
        assertThat(load.path("before").path("instances").asInt()).isEqualTo(4);
        assertThat(load.path("after").path("instances").asInt()).isEqualTo(2);
        assertThat(hostsIn(dry.path("state"))).contains("muster://test@127.0.0.1:2552", "muster://test@127.0.0.1:2553");
        assertThat(pendingMoves()).isZero();

        ManagedNode.Reply reply = node.change("POST", REBALANCE, "");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.json().path("done").asBoolean()).isTrue();
        assertThat(reply.json().path("message").asString()).contains("the leader is told", "2 moves even out");
        assertThat(hostsIn(reply.json().path("state"))).containsOnly("muster://test@127.0.0.1:2551");
        assertThat(pendingMoves()).isEqualTo(2);
    }

    @Test
    void aMigrationCanBeTriedOutFirst() throws IOException {
        cluster.partition("billing", 1, 3);

        JsonNode dry = node.change("POST", MIGRATE + "?dryRun=true", "path=billing&to=127.0.0.1:2552")
                .json();

        assertThat(dry.path("message").asString()).contains("would move billing", "to muster://test@127.0.0.1:2552");
        assertThat(hostsIn(dry.path("state")))
                .containsExactly("muster://test@127.0.0.1:2552", "muster://test@127.0.0.1:2553");
        assertThat(pendingMoves()).isZero();
        assertThat(node.send(
                                "POST",
                                MIGRATE,
                                "{\"path\":\"billing\",\"to\":\"muster://test@127.0.0.1:2552\"}",
                                "X-Muster: 1",
                                "Content-Type: application/json")
                        .status())
                .isEqualTo(200);
        assertThat(pendingMoves()).isEqualTo(1);
    }

    @Test
    void aMigrationFromAHostThatThisNodeCannotReachHasAWarning() throws IOException {
        cluster.partition("audit", 3).unreachable(3, 2);

        ManagedNode.Reply reply = node.change("POST", MIGRATE, "path=audit&to=127.0.0.1:2551&dryRun=true");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.json().path("warning").asString())
                .contains("127.0.0.1:2553 is unreachable, as muster://test@127.0.0.1:2551 sees it")
                .contains("cannot hand anything over now");
    }

    @Test
    void aMigrationToAMemberThatThisNodeCannotReachHasAWarning() throws IOException {
        cluster.partition("billing", 2, 3).partition("audit", 2).partition("orders", 3);
        assertThat(node.change("POST", MIGRATE, "path=orders&to=127.0.0.1:2552")
                        .json()
                        .has("warning"))
                .isFalse();
        cluster.unreachable(1, 2).unreachable(3, 2);

        ManagedNode.Reply reply = node.change("POST", MIGRATE, "path=audit&to=127.0.0.1:2553");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.json().path("done").asBoolean()).isTrue();
        assertThat(reply.json().path("warning").asString())
                .contains("127.0.0.1:2553 is unreachable, as muster://test@127.0.0.1:2551 sees it");
        assertThat(node.change("POST", MIGRATE, "path=billing&to=127.0.0.1:2551")
                        .json()
                        .has("warning"))
                .as("a node reaches itself, whatever others say")
                .isFalse();
    }

    @Test
    void aMigrationThatCannotBeIsRefusedWithTheReason() throws IOException {
        cluster.partition("billing", 1, 3);

        refuses(400, "to=127.0.0.1:2552", "path is missing");
        refuses(400, "path=billing", "to is missing");
        refuses(400, "path=a//b&to=127.0.0.1:2552", "'a//b' has an empty name");
        refuses(400, "path=billing&to=nowhere", "to 'nowhere'");
        refuses(404, "path=billing&to=127.0.0.1:9", "to '127.0.0.1:9'");
        refuses(404, "path=orders&to=127.0.0.1:2552", "there is no partition orders");
        refuses(409, "path=billing&to=127.0.0.1:2553", "already hosts billing");
        refuses(409, "path=billing&to=127.0.0.1:2553&dryRun=true", "already hosts billing");
        assertThat(pendingMoves()).isZero();
    }

    private void refuses(int status, String form, String reason) throws IOException {
        ManagedNode.Reply reply = node.change("POST", MIGRATE, form);
        assertThat(reply.status()).as(form).isEqualTo(status);
        assertThat(reply.json().path("message").asString()).contains(reason);
    }

    @Test
    void movesAreWritesLikeAllOthers() throws IOException {
        cluster.partition("billing", 1, 3);
        String form = "path=billing&to=127.0.0.1:2552";
        String type = "Content-Type: application/x-www-form-urlencoded";

        assertThat(node.send("POST", MIGRATE, form, type).status()).isEqualTo(403);
        assertThat(node.send("POST", MIGRATE, form, type, "X-Muster: 1", "Origin: http://evil.example")
                        .status())
                .isEqualTo(403);
        assertThat(node.get(REBALANCE).status()).isEqualTo(405);
        assertThat(pendingMoves()).isZero();
    }

    @Test
    void aNodeInNoClusterMovesNothing() throws IOException {
        try (ManagedNode alone = new ManagedNode(FakeCluster.alone())) {
            ManagedNode.Reply reply = alone.change("POST", REBALANCE, "");
            assertThat(reply.status()).isEqualTo(409);
            assertThat(reply.json().path("message").asString()).contains("is in no cluster now");
        }
    }

    private long pendingMoves() {
        return cluster.snapshot().partitions().entries().values().stream()
                .filter(row -> row.pending().isPresent())
                .count();
    }

    private static List<String> hostsIn(JsonNode state) {
        List<String> hosts = new ArrayList<>();
        state.path("partitions").forEach(row -> hosts.addAll(texts(row.path("instances"))));
        return hosts;
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asString()));
        return texts;
    }
}
