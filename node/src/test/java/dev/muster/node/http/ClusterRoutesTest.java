package dev.muster.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import dev.muster.node.FakeCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What each route answers, over a real socket. */
class ClusterRoutesTest {

    private final FakeCluster cluster = FakeCluster.of(3);
    private final ManagedNode node = new ManagedNode(cluster);

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void membersHaveTheFieldsThatToolsForAkkaExpect() throws IOException {
        cluster.add(4, MemberStatus.JOINING, "backend").unreachable(2, 1, 3);

        ManagedNode.Reply reply = node.get("/cluster/members");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.headers()).containsEntry("content-type", "application/json");
        JsonNode json = reply.json();
        assertThat(json.path("selfNode").asString()).isEqualTo("muster://test@127.0.0.1:2551");
        assertThat(json.path("leader").asString()).isEqualTo("muster://test@127.0.0.1:2551");
        assertThat(json.path("oldest").asString()).isEqualTo("muster://test@127.0.0.1:2551");
        assertThat(json.path("oldestPerRole").path("dc-default").asString()).isEqualTo("muster://test@127.0.0.1:2551");
        assertThat(json.path("oldestPerRole").has("backend")).isFalse();
        JsonNode joining = json.path("members").get(3);
        assertThat(joining.path("node").asString()).isEqualTo("muster://test@127.0.0.1:2554");
        assertThat(joining.path("nodeUid").isString()).isTrue();
        assertThat(joining.path("nodeUid").asString()).isEqualTo("1004");
        assertThat(joining.path("status").asString()).isEqualTo("Joining");
        assertThat(texts(joining.path("roles"))).containsExactly("backend", "dc-default");
        assertThat(json.path("unreachable")).hasSize(1);
        assertThat(json.path("unreachable").get(0).path("node").asString()).isEqualTo("muster://test@127.0.0.1:2552");
        assertThat(texts(json.path("unreachable").get(0).path("observedBy")))
                .containsExactly("muster://test@127.0.0.1:2551", "muster://test@127.0.0.1:2553");
    }

    @Test
    void aNodeInNoClusterShowsNobody() throws IOException {
        try (ManagedNode alone = new ManagedNode(FakeCluster.alone())) {
            JsonNode json = alone.get("/cluster/members").json();
            assertThat(json.path("members")).isEmpty();
            assertThat(json.has("leader")).isFalse();
            assertThat(alone.get("/ready").status()).isEqualTo(500);
            assertThat(alone.get("/startup").status()).isEqualTo(500);
            assertThat(alone.get("/alive").status()).isEqualTo(200);
            assertThat(alone.get("/cluster/gossip").json().path("converged").asBoolean())
                    .isFalse();
        }
    }

    @Test
    void oneMemberIsFoundByEitherFormOfItsAddress() throws IOException {
        for (String address :
                List.of("127.0.0.1:2552", "muster%3A%2F%2Ftest%40127.0.0.1%3A2552", "muster://test@127.0.0.1:2552")) {
            ManagedNode.Reply reply = node.get("/cluster/members/" + address);
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.json().path("nodeUid").asString()).isEqualTo("1002");
        }
        for (String address :
                List.of("127.0.0.1:9", "akka://other@127.0.0.1:2552", "..", "%2e%2e%2fmembers", "%252e")) {
            ManagedNode.Reply reply = node.get("/cluster/members/" + address);
            assertThat(reply.status()).as(address).isEqualTo(404);
            assertThat(reply.json().path("message").asString()).isNotEmpty();
        }
    }

    @Test
    void headHasTheHeadersOfGetAndNoBody() throws IOException {
        ManagedNode.Reply get = node.get("/cluster/members");
        ManagedNode.Reply head = node.send("HEAD", "/cluster/members", "");

        assertThat(head.status()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers())
                .containsEntry("content-length", Integer.toString(get.body().length()));
    }

    @Test
    void aWrongMethodIsToldTheRightOnes() throws IOException {
        ManagedNode.Reply reply = node.send("OPTIONS", "/cluster/members", "");
        assertThat(reply.status()).isEqualTo(405);
        assertThat(reply.headers()).containsEntry("allow", "GET, HEAD, POST");
        assertThat(node.change("POST", "/ready", "").status()).isEqualTo(405);
    }

    @Test
    void healthFollowsTheStatusOfTheNode() throws IOException {
        for (MemberStatus status : List.of(MemberStatus.WEAKLY_UP, MemberStatus.UP)) {
            cluster.add(1, status);
            assertThat(node.get("/ready").status()).as(status.displayName()).isEqualTo(200);
        }
        for (MemberStatus status : List.of(MemberStatus.LEAVING, MemberStatus.EXITING, MemberStatus.DOWN)) {
            cluster.add(1, status);
            assertThat(node.get("/ready").status()).as(status.displayName()).isEqualTo(500);
            assertThat(node.get("/startup").status()).isEqualTo(200);
            assertThat(node.get("/alive").status()).isEqualTo(200);
        }
        assertThat(node.get("/ready").body()).isEqualTo("Not Healthy\n");
    }

    @Test
    void gossipTellsWhoHasSeenWhatAndWhyNotEverybody() throws IOException {
        cluster.add(4, MemberStatus.JOINING);

        JsonNode json = node.get("/cluster/gossip").json();

        assertThat(json.path("converged").asBoolean()).isFalse();
        assertThat(texts(json.path("seen"))).containsExactly("muster://test@127.0.0.1:2551");
        assertThat(texts(json.path("notSeen"))).contains("muster://test@127.0.0.1:2552");
        assertThat(json.path("version").path("127.0.0.1:2551#1001").asLong()).isEqualTo(4);
        assertThat(json.path("since").asString()).endsWith("Z");
        assertThat(json.path("why").asString()).contains("Convergence").contains("that is why");

        cluster.allHaveSeen();
        assertThat(node.get("/cluster/gossip").json().path("converged").asBoolean())
                .isTrue();
    }

    @Test
    void reachabilityHasNumbersOfOwnHeartbeatsAndWordsOfOthers() throws IOException {
        cluster.unreachable(2, 1).unreachable(1, 3);

        JsonNode rows = node.get("/cluster/reachability").json().path("reachability");

        assertThat(rows).hasSize(3);
        JsonNode own = rows.get(0);
        assertThat(own.path("observer").asString()).isEqualTo("muster://test@127.0.0.1:2551");
        assertThat(own.path("subject").asString()).isEqualTo("muster://test@127.0.0.1:2552");
        assertThat(own.path("status").asString()).isEqualTo("Unreachable");
        assertThat(own.path("phi").asDouble()).isEqualTo(1000);
        assertThat(own.path("lastHeartbeatAgeMillis").asLong()).isEqualTo(120);
        assertThat(rows.get(1).path("status").asString()).isEqualTo("Reachable");
        JsonNode foreign = rows.get(2);
        assertThat(foreign.path("observer").asString()).isEqualTo("muster://test@127.0.0.1:2553");
        assertThat(foreign.has("phi")).isFalse();
    }

    @Test
    void explainTakesAllQuestions() throws IOException {
        assertThat(answer("/cluster/explain")).contains("Everything");
        assertThat(answer("/cluster/explain?question=convergence")).contains("Convergence");
        assertThat(answer("/cluster/explain?question=unreachable&node=127.0.0.1:2552"))
                .contains("Unreachable", "muster://test@127.0.0.1:2552");
        assertThat(answer("/cluster/explain?question=not-up&node=muster%3A%2F%2Ftest%40h%3A1"))
                .contains("NotUp", "muster://test@h:1");
        cluster.partition("counters/3", 1);
        assertThat(answer("/cluster/explain?question=partition&path=counters%2F3"))
                .contains("Partition", "counters/3");
        ManagedNode.Reply unknown = node.get("/cluster/explain?question=partition&path=counters%2F4");
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.json().path("message").asString()).contains("and that is why");
        for (String wrong : List.of(
                "?question=why",
                "?question=unreachable",
                "?question=unreachable&node=x",
                "?question=partition",
                "?question=partition&path=a//b",
                "?a=1&a=2")) {
            assertThat(node.get("/cluster/explain" + wrong).status()).as(wrong).isEqualTo(400);
        }
    }

    @Test
    void aNodeWhoseMembershipHasEndedSaysSo() throws IOException {
        cluster.stopped();
        for (String path : List.of("gossip", "reachability", "explain", "handoffs")) {
            ManagedNode.Reply reply = node.get("/cluster/" + path);
            assertThat(reply.status()).as(path).isEqualTo(503);
            assertThat(reply.json().path("message").asString()).isEqualTo("its membership has ended");
        }
    }

    private String answer(String path) throws IOException {
        ManagedNode.Reply reply = node.get(path);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.json().path("answer")).hasSize(2);
        return reply.json().path("answer").get(0).asString();
    }

    @Test
    void settingsAreShownWithoutSecrets() throws IOException {
        var config = ConfigFactory.parseString("""
                muster {
                  management.http.token = hush-hush-hush-hush
                  remote.tls { key-password = p4ss, ca = [x] }
                  url = "http://user:p4ss@h/"
                  cluster.seed-nodes = ["muster://s@h:1"]
                }
                akka.remote.secure-cookie-secret = p4ss
                os.name = visible
                """);
        try (ManagedNode configured = new ManagedNode(cluster, HttpSettings.onLoopback(), config)) {
            ManagedNode.Reply reply = configured.get("/cluster/config");
            assertThat(reply.body()).doesNotContain("hush", "p4ss", "visible").contains("muster://s@h:1", "[\"x\"]");
            assertThat(reply.json()
                            .path("muster")
                            .path("management")
                            .path("http")
                            .path("token")
                            .asString())
                    .isEqualTo("***");
        }
    }

    @Test
    void countersAreThoseOfTheNodeAndOfItsApplication() throws IOException {
        ManagedNode.Reply reply = node.get("/cluster/counters");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.json().path("selfNode").asString()).isEqualTo("muster://test@127.0.0.1:2551");
        assertThat(reply.json().path("counters").isObject()).isTrue();
    }

    @Test
    void theRootListsAllRoutesAsTextOrAsAPage() throws IOException {
        ManagedNode.Reply text = node.get("/");
        assertThat(text.headers().get("content-type")).startsWith("text/plain");
        assertThat(text.body()).contains("/cluster/members", "/ready", "PUT", "/cluster/explain");
        ManagedNode.Reply page = node.get("/", "Accept: text/html,*/*");
        assertThat(page.headers().get("content-type")).startsWith("text/html");
        assertThat(page.body()).contains("<a href=\"/cluster/members\">").doesNotContain("<script");
    }

    @Test
    void aSilentNodeIsUnavailableNotStuck() throws IOException {
        cluster.fallSilent();
        assertThat(node.get("/cluster/reachability").status()).isEqualTo(503);
        assertThat(node.get("/cluster/members").status()).isEqualTo(200);
    }

    @Test
    void joiningTakesAnAddressFromFormJsonOrParts() throws IOException {
        assertThat(node.change("POST", "/cluster/members", "address=muster%3A%2F%2Ftest%40h%3A1")
                        .status())
                .isEqualTo(200);
        ManagedNode.Reply json = node.send(
                "POST", "/cluster/members", "{\"address\":\"h:2\"}", "X-Muster: 1", "Content-Type: application/json");
        assertThat(json.json().path("message").asString()).isEqualTo("joining muster://test@h:2");
        assertThat(json.json().path("state").path("members")).hasSize(3);
        String parts = "--b\r\nContent-Disposition: form-data; name=\"address\"\r\n\r\nh:3\r\n--b--\r\n";
        node.send("POST", "/cluster/members", parts, "X-Muster: 1", "Content-Type: multipart/form-data; boundary=b");
        assertThat(cluster.joined()).extracting(NodeAddress::port).containsExactly(1, 2, 3);
        for (String wrong : List.of("", "address=", "address=nowhere", "address=h:1&address=h:2", "address=%zz")) {
            assertThat(node.change("POST", "/cluster/members", wrong).status())
                    .as(wrong)
                    .isEqualTo(400);
        }
        assertThat(cluster.joined()).hasSize(3);
    }

    @Test
    void leavingAndDowningReturnTheResultingState() throws IOException {
        ManagedNode.Reply left = node.change("DELETE", "/cluster/members/127.0.0.1:2552", "");
        assertThat(left.status()).isEqualTo(200);
        assertThat(left.json().path("done").asBoolean()).isTrue();
        assertThat(left.json()
                        .path("state")
                        .path("members")
                        .get(1)
                        .path("status")
                        .asString())
                .isEqualTo("Leaving");
        assertThat(node.change("PUT", "/cluster/members/127.0.0.1:2553", "operation=down")
                        .status())
                .isEqualTo(200);
        assertThat(cluster.statusOf(3)).isEqualTo(MemberStatus.DOWN);

        ManagedNode.Reply refused = node.change("PUT", "/cluster/members/127.0.0.1:2553", "operation=Leave");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().path("message").asString()).contains("cannot become Leaving");
        assertThat(node.change("PUT", "/cluster/members/127.0.0.1:2552", "operation=Explode")
                        .status())
                .isEqualTo(400);
        assertThat(node.change("PUT", "/cluster/members/127.0.0.1:2552", "").status())
                .isEqualTo(400);
        assertThat(node.change("DELETE", "/cluster/members/127.0.0.1:9", "").status())
                .isEqualTo(404);
    }

    @Test
    void aDryRunShowsTheStateThatWouldBeAndChangesNothing() throws IOException {
        JsonNode down = node.change("PUT", "/cluster/members/127.0.0.1:2551", "operation=Down&dryRun=true")
                .json();
        assertThat(down.path("dryRun").asBoolean()).isTrue();
        assertThat(down.path("state").path("members").get(0).path("status").asString())
                .isEqualTo("Down");
        assertThat(down.path("state").path("leader").asString()).isEqualTo("muster://test@127.0.0.1:2552");
        node.change("DELETE", "/cluster/members/127.0.0.1:2552?dryRun=true", "");
        assertThat(node.change("POST", "/cluster/members", "address=h:1&dryRun=true")
                        .status())
                .isEqualTo(409);
        assertThat(node.change("DELETE", "/cluster/members/127.0.0.1:2552?dryRun=maybe", "")
                        .status())
                .isEqualTo(400);

        assertThat(cluster.joined()).isEmpty();
        assertThat(List.of(cluster.statusOf(1), cluster.statusOf(2))).containsOnly(MemberStatus.UP);
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asString()));
        return texts;
    }
}
