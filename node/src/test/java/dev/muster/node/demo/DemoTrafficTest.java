package dev.muster.node.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.muster.node.FakeCluster;
import dev.muster.node.http.HttpSettings;
import dev.muster.node.http.ManagementServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The sums of a demo, read from real servers with figures that a test makes up. */
class DemoTrafficTest {

    private static final int NODES = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final int[] ports = DemoPorts.freeRanges(NODES);
    private final DemoTraffic traffic = new DemoTraffic(new DemoPlan(NODES, ports[0], ports[1], true));
    private final List<DemoFigures> figures = new ArrayList<>();
    private final List<ManagementServer> servers = new ArrayList<>();

    @BeforeEach
    void startAll() throws IOException {
        for (int i = 0; i < NODES; i++) {
            DemoFigures counted = new DemoFigures();
            figures.add(counted);
            servers.add(ManagementServer.start(
                    HttpSettings.onLoopback().withPort(ports[1] + i),
                    FakeCluster.of(1),
                    ConfigFactory.load(),
                    counted::read));
        }
    }

    @AfterEach
    void stopAll() {
        servers.forEach(ManagementServer::close);
    }

    @Test
    void nothingIsToldBeforeAnythingWasSent() {
        assertThat(lines()).isEmpty();
    }

    @Test
    void aClockThatOnlyMovedWasNeverSetBack() {
        tick(0, 7);
        tick(1, 8);
        tick(2, 9);
        assertThat(lines())
                .containsExactly(
                        "load            3 messages sent, 3 answered, 0 lost, 0 out of order; the clock shows 9");
    }

    @Test
    void theClockIsThatOfTheLivingAndACrashSetsItBackOnceForAll() {
        tick(0, 7);
        tick(1, 8);
        tick(2, 90);
        assertThat(lines()).hasSize(1).allMatch(line -> line.endsWith("the clock shows 90"));

        servers.get(2).close();
        tick(0, 1);
        tick(1, 2);

        assertThat(lines())
                .containsExactly(
                        "load            5 messages sent, 5 answered, 0 lost, 0 out of order; the clock shows 2",
                        "clock           set back once: a crash loses what a singleton has in memory;"
                                + " a move does not");
    }

    @Test
    void whoStillWaitsForTheCrashedHostDoesNotHideThatTheClockWasSetBack() {
        tick(0, 70);
        tick(1, 80);
        servers.get(2).close();
        tick(0, 1);
        assertThat(lines()).first().asString().endsWith("the clock shows 1");
    }

    @Test
    void whatTheLastOnesSaidStaysWhenAllAreGone() {
        tick(0, 7);
        List<String> before = lines();
        servers.forEach(ManagementServer::close);
        assertThat(lines()).isEqualTo(before).isNotEmpty();
    }

    private void tick(int index, long ticks) {
        figures.get(index).sent();
        figures.get(index).ticked(ticks);
    }

    private List<String> lines() {
        traffic.refresh();
        traffic.awaitLook(PATIENCE);
        return traffic.lines();
    }
}
