package dev.muster.real.tls;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole nodes with certificates: who has none that counts does not get in. */
class TlsClusterTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    static Path directory;

    private static Config ours;
    private static Config elsewhere;

    @BeforeAll
    static void issueCertificates() throws IOException {
        Authority authority = Authority.in(directory, "authority");
        ours = files("ours", authority, authority.issue("node", "dns:localhost,ip:127.0.0.1"));
        elsewhere = files("elsewhere", authority, authority.issue("other", "ip:10.0.0.7"));
    }

    private static Config files(String name, Authority authority, Authority.Issued issued) throws IOException {
        Path certificate = directory.resolve(name + ".pem");
        Path key = directory.resolve(name + ".key");
        Path trusted = directory.resolve(name + "-trusted.pem");
        Authority.write(certificate, issued.certificatePem());
        Authority.write(key, issued.keyPem());
        Authority.write(trusted, authority.pem());
        return ConfigFactory.parseMap(Map.of(
                        "muster.remote.tls.certificate", certificate.toString(),
                        "muster.remote.tls.key", key.toString(),
                        "muster.remote.tls.trusted", trusted.toString()))
                .withFallback(ConfigFactory.load());
    }

    @Test
    void nodesWithCertificatesFormAClusterAndOthersDoNotGetIn() {
        try (LocalCluster cluster = LocalCluster.start("secret", 3, ours, system -> {})) {
            cluster.awaitUp(SOON);

            String seed = cluster.node(0).address().toString();
            Config seeds = ConfigFactory.parseString(
                    "muster.cluster.seed-nodes = [\"" + seed + "\"], muster.remote.artery.canonical.port = 0");
            try (LocalCluster plain = alone(seeds.withFallback(ConfigFactory.load()));
                    LocalCluster wrongName = alone(seeds.withFallback(elsewhere))) {
                cluster.await("several attempts were refused", SOON, () -> broken(plain) > 2 && broken(wrongName) > 2);

                assertThat(plain.node(0).cluster().snapshot().state().members()).isEmpty();
                assertThat(wrongName.node(0).cluster().snapshot().state().members())
                        .isEmpty();
            }
            assertThat(cluster.node(0).cluster().snapshot().state().members()).hasSize(3);
        }
    }

    /** One node that finds its seeds in the configuration. */
    private static LocalCluster alone(Config config) {
        return LocalCluster.startWithOwnSeeds("secret", config);
    }

    private static long broken(LocalCluster single) {
        return single.node(0).cluster().counters().getOrDefault("remote.connections-broken", 0L);
    }
}
