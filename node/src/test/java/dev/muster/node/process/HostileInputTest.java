package dev.muster.node.process;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Strangers talk to a running process in ways they should not. It stays what it was, and counts them. */
@Tag("process")
@Order(8)
class HostileInputTest {
    private static final int REPETITIONS = 50;
    private static final int WITHIN_MILLIS = 10_000;
    private static final byte[] CONTROL = "AKKA\u0001".getBytes(US_ASCII);

    @Test
    void nonsenseIsCountedAndChangesNothing() throws IOException {
        try (Processes cluster = Processes.of("hostile-input", 2)) {
            NodeProcess victim = cluster.node('B');
            cluster.with("A");
            victim.runs(NodeProgram.command(CountingNode.class));
            cluster.form();
            List<String> uids = cluster.all().stream().map(NodeProcess::uid).toList();
            long pid = victim.pid();
            Map<NodeProcess, Long> before = cluster.marks();
            Random random = new Random(1);
            List<Socket> silent = new ArrayList<>();
            try {
                for (int i = 0; i < REPETITIONS; i++) {
                    silent.add(new Socket(InetAddress.getLoopbackAddress(), victim.bindPort()));
                    say(victim.bindPort(), "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
                    say(victim.bindPort(), randomBytes(random, 1 + random.nextInt(2_000)));
                    say(victim.bindPort(), concat(CONTROL, new byte[] {-1, -1, -1, 127}));
                    say(victim.bindPort(), concat(CONTROL, new byte[] {-1, -1, -1, -1}));
                    say(victim.bindPort(), concat(CONTROL, concat(new byte[] {100, 0, 0, 0}, new byte[100])));
                    say(victim.http(), randomBytes(random, 1 + random.nextInt(2_000)));
                }

                cluster.await("refusals of each kind", Duration.ofSeconds(10), () -> missing(victim));
            } finally {
                for (Socket socket : silent) {
                    socket.close();
                }
            }
            cluster.awaitFormed(cluster.all(), Duration.ofSeconds(3));
            assertThat(cluster.all().stream().map(NodeProcess::uid)).isEqualTo(uids);
            assertThat(victim.pid()).isEqualTo(pid);
            cluster.assertNotLogged(before, cluster.all(), "is unreachable");
            assertThat(victim.logSince(before.get(victim)).lines().filter(it -> it.contains("closing the connection")))
                    .as("one line for one peer in ten seconds, however often it tries")
                    .hasSizeBetween(1, 4);
        }
    }

    private static List<String> missing(NodeProcess victim) {
        SortedMap<String, Long> refusals = CountingNode.refusals(victim);
        List<String> missing = new ArrayList<>();
        Map<String, Integer> wanted = Map.of(
                "remote.refused.bad-magic", 2 * REPETITIONS,
                "remote.refused.too-large", REPETITIONS,
                "remote.refused.too-slow", REPETITIONS);
        wanted.forEach((name, count) -> {
            if (refusals.getOrDefault(name, 0L) < count) {
                missing.add(name + " is not " + count + " in " + refusals);
            }
        });
        return missing;
    }

    /** Says it and waits until the node has had enough. */
    private static void say(int port, byte[] bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(WITHIN_MILLIS);
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            byte[] answer = socket.getInputStream().readAllBytes();
            assertThat(answer.length).as("bytes of an answer").isLessThan(2_000);
        } catch (SocketException reset) {
            assertThat(reset).hasMessageMatching("(?i).*(reset|broken pipe|closed).*");
        }
    }

    private static byte[] randomBytes(Random random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        bytes[0] = '?';
        return bytes;
    }

    private static byte[] concat(byte[] one, byte[] other) {
        byte[] both = java.util.Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }
}
