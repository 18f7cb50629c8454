package dev.muster.interop.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.interop.node.Kind;
import dev.muster.interop.node.MixedCluster;
import dev.muster.interop.node.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Ten members, five of each kind. Every 15 seconds one is killed without a word and the one before comes back at its
 * port. In between all agree again, and nobody who is alive is ever taken for dead.
 */
@Tag("interop")
@Isolated("ten processes on few cores: whoever competes with them makes them late")
class TurmoilTest {
    private static final long MINUTES = Long.getLong("interop.minutes", 10);
    private static final Duration PERIOD = Duration.ofSeconds(15);

    /** What the death of a peer looks like in the log of a node that was talking to it. */
    private static final List<Pattern> EXPECTED = List.of(
            // Pekko, when a connection ends or cannot be made.
            Pattern.compile("StreamTcpException: (Tcp command|The connection|The outgoing connection|Connection)"),
            Pattern.compile("HandshakeTimeoutException"));

    private record Death(int port, long fromNanos, long toNanos) {
        boolean explains(Node.Suspicion suspicion) {
            return suspicion.port() == port && suspicion.nanos() >= fromNanos && suspicion.nanos() <= toNanos;
        }
    }

    @Test
    @Timeout(value = 30, unit = java.util.concurrent.TimeUnit.MINUTES)
    void nobodyWhoIsAliveIsTakenForDead() {
        Random random = new Random(5);
        List<Death> deaths = new ArrayList<>();
        try (MixedCluster cluster = new MixedCluster()) {
            Kind[] kinds = new Kind[10];
            for (int i = 0; i < kinds.length; i++) {
                kinds[i] = Kind.values()[i % 2];
            }
            cluster.form(kinds);
            long end = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
            Node dead = null;
            long diedNanos = 0;
            int rounds = 0;
            while (System.nanoTime() < end) {
                long next = System.nanoTime() + PERIOD.toNanos();
                Node back = dead == null ? null : cluster.startAt(dead.kind(), dead.port());
                Node victim = anyBut(back, cluster, random);
                long killedNanos = System.nanoTime();
                victim.kill();
                cluster.forget(victim);
                if (back != null) {
                    back.hears("up");
                    deaths.add(new Death(dead.port(), diedNanos, System.nanoTime()));
                }
                cluster.awaitAllUp();
                dead = victim;
                diedNanos = killedNanos;
                rounds++;
                LockSupport.parkNanos(next - System.nanoTime());
            }
            cluster.startAt(dead.kind(), dead.port()).hears("up");
            deaths.add(new Death(dead.port(), diedNanos, System.nanoTime()));
            cluster.awaitAllUp();

            assertThat(falseSuspicions(cluster, deaths)).isEmpty();
            assertThat(exceptions(cluster)).isEmpty();
            System.out.println("turmoil: " + rounds + " killed and come back in " + MINUTES + " min, "
                    + cluster.all().size() + " processes, nobody suspected who was alive");
        }
    }

    private static Node anyBut(Node spared, MixedCluster cluster, Random random) {
        List<Node> candidates =
                cluster.nodes().stream().filter(node -> node != spared).toList();
        return candidates.get(random.nextInt(candidates.size()));
    }

    private static List<String> falseSuspicions(MixedCluster cluster, List<Death> deaths) {
        List<String> wrong = new ArrayList<>();
        for (Node node : cluster.all()) {
            for (Node.Suspicion suspicion : node.suspicions()) {
                if (deaths.stream().noneMatch(death -> death.explains(suspicion))) {
                    wrong.add(node + " held " + suspicion.port() + " unreachable");
                }
            }
        }
        return wrong;
    }

    private static List<String> exceptions(MixedCluster cluster) {
        List<String> unexpected = new ArrayList<>();
        for (Node node : cluster.all()) {
            for (String line : node.log()) {
                boolean isOne = line.contains("Exception") || line.contains("ERROR");
                if (isOne && EXPECTED.stream().noneMatch(it -> it.matcher(line).find())) {
                    unexpected.add(node + ": " + line);
                }
            }
        }
        return unexpected;
    }
}
