package dev.muster.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.typesafe.config.ConfigFactory;
import dev.muster.core.state.MemberStatus;
import dev.muster.node.FakeCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What strangers may send, and what they get. Numbers as in SECURITY.md's list of hostile input. */
class HostileHttpTest {

    private static final String TOKEN = "0123456789abcdef";
    private static final String VIEWER = "fedcba9876543210";
    private static final String FORM = "Content-Type: application/x-www-form-urlencoded";
    private static final String MEMBER = "/cluster/members/127.0.0.1:2552";

    private final FakeCluster cluster = FakeCluster.of(3);
    private final ManagedNode node =
            new ManagedNode(cluster, HttpSettings.onLoopback().withTokens(TOKEN, VIEWER));
    private final Logger auditLogger = (Logger) LoggerFactory.getLogger(Audit.LOGGER);
    private final ListAppender<ILoggingEvent> audit = new ListAppender<>();

    @BeforeEach
    void listen() {
        audit.start();
        auditLogger.setLevel(Level.INFO);
        auditLogger.setAdditive(false);
        auditLogger.addAppender(audit);
    }

    @AfterEach
    void close() {
        auditLogger.detachAppender(audit);
        auditLogger.setAdditive(true);
        auditLogger.setLevel(null);
        node.close();
    }

    // SEC-35 ---------------------------------------------------------------------------------------------------------

    @Test
    void aWriteNeedsATokenOrTheHeaderFromThisMachine() throws IOException {
        assertThat(node.send("DELETE", MEMBER, "").status()).isEqualTo(403);
        assertThat(node.send("DELETE", MEMBER, "", "X-Muster: 0").status()).isEqualTo(403);
        assertThat(node.send("DELETE", MEMBER, "", "Authorization: Bearer wrong")
                        .status())
                .isEqualTo(401);
        assertThat(node.send("DELETE", MEMBER, "", "Authorization: Basic " + TOKEN)
                        .status())
                .isEqualTo(401);
        assertThat(cluster.statusOf(2)).isEqualTo(MemberStatus.UP);

        assertThat(node.send("DELETE", MEMBER, "", "Authorization: Bearer " + TOKEN)
                        .status())
                .isEqualTo(200);
        assertThat(node.send("DELETE", MEMBER, "", "X-Muster: 1").status()).isEqualTo(200);
    }

    @Test
    void anAddressThatGuessesTokensIsNotHeardForASecond() throws UnknownHostException {
        AtomicLong nanos = new AtomicLong();
        HttpSettings settings = HttpSettings.onLoopback().withTokens(TOKEN, VIEWER);
        Management management = new Management(
                settings,
                ManagementServer.routes(
                        cluster,
                        ConfigFactory.load(),
                        new ConvergenceHistory(),
                        new MoveAges(),
                        Collections::emptySortedMap),
                nanos::get);
        for (int i = 0; i < 5; i++) {
            assertThat(management
                            .answer(remote("GET", "authorization", "Bearer wrong"))
                            .status())
                    .isEqualTo(401);
        }
        Response refused = management.answer(remote("GET", "authorization", "Bearer " + TOKEN));
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.headers()).containsEntry("Retry-After", "1");

        nanos.addAndGet(1_000_000_000);
        assertThat(management
                        .answer(remote("GET", "authorization", "Bearer " + TOKEN))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void otherMachinesNeedATokenToReadAndMoreToWrite() throws UnknownHostException {
        Management closed = management(HttpSettings.onLoopback().withTokens(TOKEN, VIEWER));
        assertThat(closed.answer(remote("GET")).status()).isEqualTo(401);
        assertThat(closed.answer(remote("GET", "authorization", "Bearer " + VIEWER))
                        .status())
                .isEqualTo(200);
        assertThat(closed.answer(remote("DELETE", "x-muster", "1")).status()).isEqualTo(401);
        assertThat(closed.answer(remote("DELETE", "authorization", "Bearer " + TOKEN))
                        .status())
                .isEqualTo(200);

        Management open =
                management(new HttpSettings(true, "127.0.0.1", 0, Optional.empty(), Optional.empty(), true, List.of()));
        assertThat(open.answer(remote("GET")).status()).isEqualTo(200);
        assertThat(open.answer(remote("DELETE", "x-muster", "1")).status()).isEqualTo(401);
        assertThat(open.answer(remote("DELETE", "x-muster", "1", "authorization", "Bearer "))
                        .status())
                .isEqualTo(401);
    }

    @Test
    void whatAProxyOfThisMachinePassesOnIsNotFromThisMachine() throws IOException {
        assertThat(node.get("/cluster/members", "X-Forwarded-For: 10.0.0.9").status())
                .isEqualTo(401);
        assertThat(node.send("DELETE", MEMBER, "", "X-Muster: 1", "Forwarded: for=10.0.0.9")
                        .status())
                .isEqualTo(401);
    }

    @Test
    void noServerIsOpenToOtherMachinesByAccident() {
        HttpSettings open = new HttpSettings(true, "0.0.0.0", 0, Optional.empty(), Optional.empty(), false, List.of());
        assertThatThrownBy(open::requireProtection)
                .hasMessageContaining("0.0.0.0")
                .hasMessageContaining("muster.management.http.token");
        open.withTokens(TOKEN, VIEWER).requireProtection();
        assertThatThrownBy(() -> open.withTokens("short", VIEWER)).hasMessageContaining("at least 16");
        assertThat(open.withTokens(TOKEN, VIEWER).toString()).doesNotContain(TOKEN);
    }

    // SEC-36 ---------------------------------------------------------------------------------------------------------

    @Test
    void aPageOfAnotherSiteChangesNothing() throws IOException {
        for (String foreign : List.of(
                "Origin: http://evil.example",
                "Origin: null",
                "Origin: http://127.0.0.1:1",
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Site: same-site")) {
            assertThat(node.send("PUT", MEMBER, "operation=Down", "X-Muster: 1", FORM, foreign)
                            .status())
                    .as(foreign)
                    .isEqualTo(403);
        }
        assertThat(node.send("PUT", MEMBER, "operation=Down", FORM).status()).isEqualTo(403);
        assertThat(node.send("PUT", MEMBER, "operation=Down", "X-Muster: 1", "Content-Type: text/plain")
                        .status())
                .isEqualTo(415);
        assertThat(node.send("PUT", MEMBER, "operation=Down", "X-Muster: 1").status())
                .isEqualTo(415);
        assertThat(node.get(MEMBER + "?operation=Down&_method=PUT", "X-HTTP-Method-Override: PUT")
                        .status())
                .isEqualTo(200);
        assertThat(cluster.statusOf(2)).isEqualTo(MemberStatus.UP);

        String own = "Origin: http://" + node.at();
        assertThat(node.send("PUT", MEMBER, "operation=Down", "X-Muster: 1", FORM, own, "Sec-Fetch-Site: same-origin")
                        .status())
                .isEqualTo(200);
    }

    // SEC-37 ---------------------------------------------------------------------------------------------------------

    @Test
    void aNameThatSomebodyPointedAtUsIsNotOurs() throws IOException {
        for (String host :
                List.of("evil.example", "evil.example:8558", "127.0.0.1.evil.example", "", "localhost.", "127.0.0.2")) {
            assertThat(node.get("/cluster/members", "Host: " + host).status())
                    .as(host)
                    .isIn(400, 421);
        }
        for (String host : List.of("localhost", "LOCALHOST:8558", "127.0.0.1:1", "[::1]:8558")) {
            assertThat(node.get("/cluster/members", "Host: " + host).status())
                    .as(host)
                    .isEqualTo(200);
        }
        assertThat(node.get("/cluster/members", "Host: localhost", "Host: evil.example")
                        .status())
                .isEqualTo(400);
        assertThat(node.raw("GET /alive HTTP/1.0\r\n\r\n").status()).isEqualTo(400);
    }

    // SEC-38, SEC-39 -------------------------------------------------------------------------------------------------

    @Test
    void everyAnswerKeepsBrowsersFromHarm() throws IOException {
        for (ManagedNode.Reply reply : List.of(
                node.get("/"),
                node.get("/cluster/members"),
                node.get("/nothing"),
                node.get("/alive"),
                node.send("DELETE", MEMBER, ""))) {
            assertThat(reply.headers())
                    .containsEntry("x-content-type-options", "nosniff")
                    .containsEntry("cache-control", "no-store")
                    .doesNotContainKeys("access-control-allow-origin", "set-cookie", "server");
            assertThat(reply.headers().get("content-security-policy"))
                    .contains("default-src 'self'", "frame-ancestors 'none'");
        }
        assertThat(node.get("/%3Cscript%3E").body()).doesNotContain("script");
        assertThat(node.get("/cluster/explain?question=%3Cscript%3E").body()).doesNotContain("script");
    }

    // SEC-40 ---------------------------------------------------------------------------------------------------------

    @Test
    void tooMuchIsRefusedAndTheServerLives() throws IOException {
        assertThat(node.get("/" + "a".repeat(9_000)).status()).isIn(431, 414, 400, 0);
        assertThat(node.get("/alive", "X-Long: " + "a".repeat(9_000)).status()).isIn(431, 400, 0);
        assertThat(node.get("/alive", "X-Many: 1\r\n".repeat(300).strip()).status())
                .isIn(431, 400, 0);
        assertThat(node.change("PUT", MEMBER, "operation=Down&x=" + "a".repeat(70_000))
                        .status())
                .isEqualTo(413);
        assertThat(cluster.statusOf(2)).isEqualTo(MemberStatus.UP);
        assertThat(node.get("/alive").status()).isEqualTo(200);
    }

    @Test
    void aBodyHasOneLengthAndNoOtherEnd() throws IOException {
        String head = "PUT " + MEMBER + " HTTP/1.1\r\nHost: " + node.at() + "\r\nX-Muster: 1\r\n" + FORM + "\r\n";
        String chunks = "e\r\noperation=Down\r\n0\r\n\r\n";
        assertThat(node.raw(head + "Transfer-Encoding: chunked\r\n\r\n" + chunks)
                        .status())
                .isEqualTo(411);
        assertThat(node.raw(head + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n" + chunks)
                        .status())
                .isIn(400, 411);
        assertThat(node.raw(head + "Transfer-Encoding: xchunked\r\n\r\n" + chunks)
                        .status())
                .isIn(400, 411, 501);
        assertThat(node.raw(head + "Content-Length: 14\r\nContent-Length: 3\r\n\r\noperation=Down")
                        .status())
                .isEqualTo(400);
        assertThat(node.raw(head + "Content-Length: -1\r\n\r\noperation=Down").status())
                .isIn(400, 0);
        assertThat(cluster.statusOf(2)).isEqualTo(MemberStatus.UP);
    }

    @Test
    void aBodyThatNeverEndsIsGivenUp() throws IOException {
        ManagedNode.Reply reply = node.raw("PUT " + MEMBER + " HTTP/1.1\r\nHost: " + node.at() + "\r\nX-Muster: 1\r\n"
                + FORM + "\r\nContent-Length: 100\r\n\r\noperation=Do");
        assertThat(reply.status()).isIn(0, 408, 500);
        assertThat(cluster.statusOf(2)).isEqualTo(MemberStatus.UP);
    }

    @Test
    void bodiesThatAreNoneAreRefused() throws IOException {
        String json = "Content-Type: application/json";
        for (String body : List.of(
                "{",
                "[]",
                "\"Down\"",
                "{\"operation\":{\"a\":1}}",
                "{\"operation\":1,\"operation\":2}",
                "[".repeat(2_000))) {
            assertThat(node.send("PUT", MEMBER, body, "X-Muster: 1", json).status())
                    .as(body)
                    .isEqualTo(400);
        }
        assertThat(node.send("PUT", MEMBER, "x", "X-Muster: 1", "Content-Type: multipart/form-data")
                        .status())
                .isEqualTo(400);
    }

    // SEC-42 ---------------------------------------------------------------------------------------------------------

    @Test
    void aViewerMayLookAndNothingElse() throws IOException {
        String viewer = "Authorization: Bearer " + VIEWER;
        assertThat(node.get("/cluster/members", viewer).status()).isEqualTo(200);
        assertThat(node.send("PUT", MEMBER, "operation=Down", FORM, viewer).status())
                .isEqualTo(403);
        assertThat(node.send("PUT", MEMBER, "operation=Down", FORM, viewer, "X-Muster: 1")
                        .status())
                .isEqualTo(403);
        assertThat(cluster.statusOf(2)).isEqualTo(MemberStatus.UP);
    }

    @Test
    void everyWriteIsWrittenDownAndReadsAreNot() throws IOException {
        node.get("/cluster/members", "User-Agent: reader");
        node.send("PUT", MEMBER, "operation=Down", FORM, "User-Agent: in\u0007truder");
        node.send("PUT", MEMBER, "operation=Down", FORM, "X-Muster: 1", "User-Agent: keeper");

        List<String> lines =
                audit.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).contains("PUT " + MEMBER, "nobody", "127.0.0.1", "in?truder", "refused with 403");
        assertThat(lines.get(1)).contains("by local", "keeper", "operation=Down", "answered with 200");
    }

    @Test
    void aFloodOfRefusedWritesIsNoFloodOfLines() throws UnknownHostException {
        AtomicLong nanos = new AtomicLong();
        Management management = new Management(HttpSettings.onLoopback(), List.of(), nanos::get);
        for (int i = 0; i < 1_000; i++) {
            management.answer(remote("DELETE"));
        }
        assertThat(audit.list).hasSize(20);
        nanos.addAndGet(1_000_000_000);
        management.answer(remote("DELETE"));
        assertThat(audit.list.get(20).getFormattedMessage()).contains("980 more");
    }

    // SEC-43 ---------------------------------------------------------------------------------------------------------

    @Test
    void whatFailsInsideTellsNothingOutside() throws UnknownHostException {
        Route broken = new Route("GET", "/cluster/members", Route.Access.READ, "", call -> {
            throw new IllegalStateException("secret detail");
        });
        Management management = new Management(HttpSettings.onLoopback(), List.of(broken), System::nanoTime);

        Response response = management.answer(request("127.0.0.1", "GET", "/cluster/members"));

        assertThat(response.status()).isEqualTo(500);
        assertThat(response.body()).doesNotContain("secret", "Exception", "at dev.");
    }

    @Test
    void healthTellsStrangersYesOrNoOnly() throws UnknownHostException {
        Management management = management(HttpSettings.onLoopback().withTokens(TOKEN, VIEWER));
        for (String path : List.of("/ready", "/alive", "/startup")) {
            assertThat(management.answer(request("10.0.0.9", "GET", path)).body())
                    .isEqualTo("OK\n");
        }
        assertThat(management.answer(request("10.0.0.9", "GET", "/")).status()).isEqualTo(401);
        assertThat(management
                        .answer(request("10.0.0.9", "GET", "/cluster/config"))
                        .status())
                .isEqualTo(401);
    }

    private Management management(HttpSettings settings) {
        return new Management(
                settings,
                ManagementServer.routes(
                        cluster,
                        ConfigFactory.load(),
                        new ConvergenceHistory(),
                        new MoveAges(),
                        Collections::emptySortedMap),
                System::nanoTime);
    }

    /** From another machine, for the members or for one of them. */
    private static Request remote(String method, String... headers) throws UnknownHostException {
        return request("10.0.0.9", method, method.equals("GET") ? "/cluster/members" : MEMBER, headers);
    }

    private static Request request(String from, String method, String path, String... headers)
            throws UnknownHostException {
        Map<String, List<String>> all = new HashMap<>(Map.of("host", List.of("localhost")));
        for (int i = 0; i < headers.length; i += 2) {
            all.put(headers[i].toLowerCase(Locale.ROOT), List.of(headers[i + 1]));
        }
        return new Request(
                method,
                path,
                "",
                all,
                InetAddress.getByName(from),
                InetAddress.getLoopbackAddress(),
                () -> new byte[0]);
    }
}
