package dev.muster.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorSystem;
import dev.muster.cluster.Cluster;
import dev.muster.cluster.LocalCluster;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClusterListenerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void theListenerTellsWhoComesAndWhoGoes() {
        Config quick = ConfigFactory.parseString("muster.cluster.split-brain-resolver.stable-after = 1s")
                .withFallback(ConfigFactory.load());
        List<String> told = new CopyOnWriteArrayList<>();
        try (LocalCluster cluster = LocalCluster.start("listening", 3, quick, system -> {})) {
            cluster.awaitUp(PATIENCE);
            LocalCluster.Node killed = cluster.node(2);
            List<String> names = cluster.nodes().stream()
                    .map(node -> node.address().hostAndPort())
                    .sorted()
                    .toList();
            cluster.node(0).system().spawn(ClusterListener.listener(told::add), "listener");

            cluster.await("what is so already", PATIENCE, () -> told.size() == 4);
            assertThat(told)
                    .containsOnlyOnceElementsOf(
                            names.stream().map(name -> "member is up: " + name).toList())
                    .contains("the leader is " + names.get(0));

            String name = killed.address().hostAndPort();
            killed.kill();
            cluster.await("its end", PATIENCE, () -> told.contains("member is removed: " + name));
            assertThat(told).containsSubsequence("member is unreachable: " + name, "member is removed: " + name);
        }
    }

    @Test
    void aNodeStartsByTheConfigurationOnThePage() throws Exception {
        int port = freePort();
        List<String> told = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> up = new CompletableFuture<>();
        List<String> seeds = List.of("\"127.0.0.1:" + port + "\"");
        try (ActorSystem system = ClusterListener.start(port, seeds, line -> {
            told.add(line);
            if (told.size() == 2) {
                up.complete(null);
            }
        })) {
            up.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(Cluster.get(system).selfAddress().port()).isEqualTo(port);
            assertThat(told)
                    .contains(port + ": member is up: 127.0.0.1:" + port, port + ": the leader is 127.0.0.1:" + port);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
