package dev.muster.real.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.real.tls.Authority.Issued;
import dev.muster.real.tls.Wire.Connection;
import dev.muster.remote.TlsSettings;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who gets through and who does not, over real sockets. */
class TlsContextsTest {

    private static final String HERE = "dns:localhost,ip:127.0.0.1";

    @TempDir
    static Path shared;

    private static Authority ours;
    private static Authority theirs;
    private static Issued node;
    private static Issued renewed;
    private static Issued rsa;
    private static Issued edwards;
    private static Issued elsewhere;
    private static Issued expired;
    private static Issued early;
    private static Issued serverOnly;
    private static Issued nameless;
    private static Issued stranger;

    @TempDir
    Path directory;

    private TlsSettings files;

    @BeforeAll
    static void issueCertificates() throws IOException {
        ours = Authority.in(shared, "ours");
        theirs = Authority.in(shared, "theirs");
        node = ours.issue("node", HERE);
        renewed = ours.issue("renewed", HERE);
        rsa = ours.issue("rsa", HERE, "-keyalg", "RSA", "-keysize", "2048");
        edwards = ours.issue("edwards", HERE, "-keyalg", "Ed25519");
        elsewhere = ours.issue(
                "elsewhere", "dns:other.example.org,dns:*.pods.example.org,ip:10.0.0.7,ip:2001:db8:0:0:0:0:0:7");
        expired = ours.issue("expired", HERE, "-startdate", "-10d", "-validity", "5");
        early = ours.issue("early", HERE, "-startdate", "+10d");
        serverOnly = ours.issue("server-only", HERE, "-ext", "eku=serverAuth");
        nameless = ours.issue("nameless", "");
        stranger = theirs.issue("stranger", HERE);
    }

    @BeforeEach
    void writeFiles() throws IOException {
        files = new TlsSettings(
                directory.resolve("node.pem"),
                directory.resolve("node.key"),
                directory.resolve("trusted.pem"),
                Duration.ofMinutes(1));
        use(node);
        Authority.write(files.trusted(), ours.pem());
    }

    private void use(Issued issued) throws IOException {
        Authority.write(files.certificate(), issued.certificatePem());
        Authority.write(files.key(), issued.keyPem());
    }

    @Test
    void membersTalkWithTls13AndBothShowWhoTheyAre() throws Exception {
        TlsContexts tls = TlsContexts.load(files);
        try (Wire wire = new Wire(server(tls))) {
            Connection connection = wire.connect(client(tls, "127.0.0.1", wire));
            assertThat(connection.echo("hello")).isEqualTo("hello");
            for (SslHandler end : new SslHandler[] {connection.client(), connection.server()}) {
                assertThat(end.engine().getSession().getProtocol()).isEqualTo("TLSv1.3");
                assertThat(shownBy(end)).isEqualTo(node.chain().get(0));
                assertThat(TlsContexts.certificateNames(end.engine().getSession(), "127.0.0.1"))
                        .isTrue();
                assertThat(TlsContexts.certificateNames(end.engine().getSession(), "localhost"))
                        .isTrue();
                assertThat(TlsContexts.certificateNames(end.engine().getSession(), "10.0.0.7"))
                        .isFalse();
            }
        }
    }

    @Test
    void otherKindsOfKeysWorkToo() throws Exception {
        for (Issued other : List.of(rsa, edwards)) {
            use(other);
            TlsContexts tls = TlsContexts.load(files);
            try (Wire wire = new Wire(server(tls))) {
                assertThat(wire.connect(client(tls, "localhost", wire)).echo("hello"))
                        .isEqualTo("hello");
            }
        }
    }

    @Test
    void aClientWithoutCertificateGetsNothing() throws Exception {
        refusedByServer(foreign(trustingUs().build()));
    }

    @Test
    void aClientOfAnotherAuthorityGetsNothing() throws Exception {
        refusedByServer(foreign(as(stranger)));
    }

    @Test
    void aClientWhoseCertificateHasExpiredGetsNothing() throws Exception {
        refusedByServer(foreign(as(expired)));
    }

    @Test
    void aClientWhoseCertificateIsNotYetValidGetsNothing() throws Exception {
        refusedByServer(foreign(as(early)));
    }

    @Test
    void aClientWithACertificateForServersOnlyGetsNothing() throws Exception {
        refusedByServer(foreign(as(serverOnly)));
    }

    @Test
    void aClientThatSpeaksOnlyTls12GetsNothing() throws Exception {
        refusedByServer(foreign(trustingUs()
                .keyManager(node.key(), node.chain())
                .protocols("TLSv1.2")
                .build()));
    }

    private void refusedByServer(Function<ByteBufAllocator, SslHandler> client) throws Exception {
        try (Wire wire = new Wire(server(TlsContexts.load(files)))) {
            Connection connection = wire.connect(client);
            assertThatThrownBy(connection::server)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(SSLException.class);
            assertThat(connection.echoUntilClosed("let me in")).isEmpty();
        }
    }

    @Test
    void aServerUnderAnotherNameIsNotTalkedTo() throws Exception {
        refusedByClient(elsewhere);
    }

    @Test
    void aServerOfAnotherAuthorityIsNotTalkedTo() throws Exception {
        refusedByClient(stranger);
    }

    @Test
    void aServerWhoseCertificateHasExpiredIsNotTalkedTo() throws Exception {
        refusedByClient(expired);
    }

    private void refusedByClient(Issued shown) throws Exception {
        SslContext server = SslContextBuilder.forServer(shown.key(), shown.chain())
                .sslProvider(SslProvider.JDK)
                .build();
        refusedByClient(server);
    }

    @Test
    void aServerThatSpeaksOnlyTls12IsNotTalkedTo() throws Exception {
        refusedByClient(SslContextBuilder.forServer(node.key(), node.chain())
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.2")
                .build());
    }

    private void refusedByClient(SslContext server) throws Exception {
        TlsContexts tls = TlsContexts.load(files);
        try (Wire wire = new Wire(server::newHandler)) {
            Connection connection = wire.connect(client(tls, "127.0.0.1", wire));
            assertThatThrownBy(connection::client)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(SSLException.class);
        }
    }

    @Test
    void aCallerIsHeldToTheNamesInItsCertificate() throws Exception {
        TlsContexts tls = TlsContexts.load(files);
        try (Wire wire = new Wire(server(tls))) {
            Connection connection = wire.connect(foreign(as(elsewhere)));
            var session = connection.server().engine().getSession();
            for (String host : new String[] {
                "other.example.org",
                "OTHER.example.org.",
                "a.pods.example.org",
                "10.0.0.7",
                "2001:db8::7",
                "[2001:db8::7]"
            }) {
                assertThat(TlsContexts.certificateNames(session, host)).as(host).isTrue();
            }
            for (String host : new String[] {
                "127.0.0.1",
                "localhost",
                "elsewhere",
                "example.org",
                "a.b.pods.example.org",
                "pods.example.org",
                "10.0.0.70",
                "::ffff:10.0.0.8",
                "",
                "*.pods.example.org.evil.test"
            }) {
                assertThat(TlsContexts.certificateNames(session, host)).as(host).isFalse();
            }
        }
    }

    @Test
    void aStarStandsForOneLabelOfALongerName() {
        assertThat(CertificateNames.matches("*.example.org", "a.example.org")).isTrue();
        assertThat(CertificateNames.matches("*.example.org", ".example.org")).isFalse();
        assertThat(CertificateNames.matches("*.org", "example.org")).isFalse();
        assertThat(CertificateNames.matches("a*.example.org", "ab.example.org")).isFalse();
        assertThat(CertificateNames.matches("*", "localhost")).isFalse();
    }

    @Test
    void newFilesServeNewConnectionsAndOldConnectionsStay() throws Exception {
        TlsContexts tls = TlsContexts.load(files);
        try (Wire wire = new Wire(server(tls))) {
            Connection before = wire.connect(client(tls, "127.0.0.1", wire));
            assertThat(before.echo("one")).isEqualTo("one");
            assertThat(tls.reloadIfChanged()).as("nothing has changed").isFalse();

            use(renewed);
            assertThat(tls.reloadIfChanged()).isTrue();
            assertThat(tls.reloadIfChanged()).as("nothing more has changed").isFalse();

            Connection after = wire.connect(client(tls, "127.0.0.1", wire));
            assertThat(after.echo("two")).isEqualTo("two");
            assertThat(shownBy(after.client())).isEqualTo(renewed.chain().get(0));
            assertThat(before.echo("three")).isEqualTo("three");
            assertThat(shownBy(before.client())).isEqualTo(node.chain().get(0));
        }
    }

    @Test
    void anAuthorityIsReplacedWithBothTrustedInBetween() throws Exception {
        TlsContexts server = TlsContexts.load(files);
        try (Wire wire = new Wire(server(server))) {
            Authority.write(files.trusted(), ours.pem() + theirs.pem());
            assertThat(server.reloadIfChanged()).isTrue();
            assertThat(wire.connect(foreign(as(stranger))).echo("new")).isEqualTo("new");
            assertThat(wire.connect(foreign(as(node))).echo("old")).isEqualTo("old");

            Authority.write(files.trusted(), theirs.pem());
            use(stranger);
            assertThat(server.reloadIfChanged()).isTrue();
            Connection old = wire.connect(foreign(as(node)));
            assertThatThrownBy(old::server).hasCauseInstanceOf(SSLException.class);
        }
    }

    @Test
    void filesThatCannotBeUsedLeaveEverythingAsItWas() throws Exception {
        TlsContexts tls = TlsContexts.load(files);
        try (Wire wire = new Wire(server(tls))) {
            Authority.write(files.certificate(), renewed.certificatePem());
            keepsTheOld(tls, wire, "does not belong to the first certificate");
            use(expired);
            keepsTheOld(tls, wire, "expired at");
            String whole = renewed.certificatePem();
            Authority.write(files.certificate(), whole.substring(0, whole.length() / 3));
            keepsTheOld(tls, wire, "half written");
            Authority.write(files.certificate(), "");
            keepsTheOld(tls, wire, "no certificate");
            Files.delete(files.certificate());
            keepsTheOld(tls, wire, "does not exist");

            use(node);
            assertThat(tls.reloadIfChanged())
                    .as("what is in use was never left")
                    .isFalse();
            assertThat(tls.problem()).isEmpty();

            use(renewed);
            assertThat(tls.reloadIfChanged()).isTrue();
            assertThat(tls.problem()).isEmpty();
        }
    }

    private static void keepsTheOld(TlsContexts tls, Wire wire, String reason) throws Exception {
        assertThat(tls.reloadIfChanged()).isFalse();
        assertThat(tls.problem()).hasValueSatisfying(text -> assertThat(text).contains(reason));
        Connection connection = wire.connect(client(tls, "127.0.0.1", wire));
        assertThat(connection.echo("still here")).isEqualTo("still here");
        assertThat(shownBy(connection.client())).isEqualTo(node.chain().get(0));
    }

    @Test
    void aKeyThatEverybodyCanReadIsRefused() throws Exception {
        Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> TlsContexts.load(files))
                .isInstanceOf(TlsFilesException.class)
                .hasMessageContaining("chmod 600");
        Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString("rw-r-----"));
        assertThat(TlsContexts.load(files).problem()).isEmpty();
    }

    @Test
    void mistakesAreFoundAtTheStartAndNamed() throws Exception {
        use(serverOnly);
        refused("serverAuth and clientAuth");
        use(nameless);
        refused("names no host");
        use(early);
        refused("valid only from");
        use(node);
        Authority.write(files.key(), Authority.pem("EC PRIVATE KEY", node.key().getEncoded()));
        refused("openssl pkcs8");
        Authority.write(
                files.key(), Authority.pem("ENCRYPTED PRIVATE KEY", node.key().getEncoded()));
        refused("is encrypted");
        Authority.write(files.key(), node.keyPem() + node.keyPem());
        refused("several");
        Authority.write(files.key(), "-----BEGIN PRIVATE KEY-----\n!!\n-----END PRIVATE KEY-----\n");
        refused("not base64");
        Authority.write(files.key(), Authority.pem("PRIVATE KEY", new byte[] {1, 2, 3}));
        refused("no EC, RSA or EdDSA key");
        Authority.write(files.key(), "x".repeat(1024 * 1024 + 1));
        refused("larger than 1 MiB");
    }

    private void refused(String reason) {
        assertThatThrownBy(() -> TlsContexts.load(files))
                .isInstanceOf(TlsFilesException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void noSecretIsEverPrinted() throws Exception {
        String secret = node.keyPem().lines().skip(1).findFirst().orElseThrow().substring(40);
        TlsContexts tls = TlsContexts.load(files);
        assertThat(tls.toString()).contains("CN=node").doesNotContain(secret);
        assertThat(files.toString()).doesNotContain(secret);
        Authority.write(files.key(), node.keyPem().replace("-----END", "----END"));
        assertThatThrownBy(() -> TlsContexts.load(files))
                .isInstanceOf(TlsFilesException.class)
                .message()
                .doesNotContain(secret);
    }

    private static X509Certificate shownBy(SslHandler end) throws SSLException {
        return (X509Certificate) end.engine().getSession().getPeerCertificates()[0];
    }

    private static Function<ByteBufAllocator, SslHandler> server(TlsContexts tls) {
        return allocator -> tls.newHandler(allocator, false, "", 0);
    }

    private static Function<ByteBufAllocator, SslHandler> client(TlsContexts tls, String host, Wire wire) {
        return allocator -> tls.newHandler(allocator, true, host, wire.port());
    }

    /** A peer that checks nothing about us but our authority. */
    private static SslContextBuilder trustingUs() {
        return SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(ours.certificate(), theirs.certificate())
                .endpointIdentificationAlgorithm("");
    }

    private static SslContext as(Issued issued) throws SSLException {
        return trustingUs().keyManager(issued.key(), issued.chain()).build();
    }

    private static Function<ByteBufAllocator, SslHandler> foreign(SslContext context) {
        return context::newHandler;
    }
}
