package dev.muster.node.demo;

import dev.muster.node.client.Answer;
import dev.muster.node.client.ManagementClient;
import dev.muster.node.client.NotReachableException;
import dev.muster.node.client.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;

/**
 * What the clients of all nodes have sent and got back, in one line. It looks in the background, for a node that stands
 * still answers late; of one that is gone the last figures count.
 */
final class DemoTraffic {
    private static final List<String> SUMMED =
            List.of(DemoFigures.SENT, DemoFigures.ANSWERED, DemoFigures.LOST, DemoFigures.OUT_OF_ORDER);

    private final List<ManagementClient> clients = new ArrayList<>();
    private final Map<Integer, JsonNode> last = new HashMap<>();
    private volatile String line = "";
    private CompletableFuture<Void> look = CompletableFuture.completedFuture(null);

    DemoTraffic(DemoPlan plan) {
        for (int i = 0; i < plan.nodes(); i++) {
            clients.add(new ManagementClient(List.of(new Target(DemoPlan.HOST, plan.http(i))), Optional.empty()));
        }
    }

    /** Begins to look again, unless it still does. */
    void refresh() {
        if (look.isDone()) {
            look = CompletableFuture.runAsync(this::lookAtAll, work -> {
                Thread thread = new Thread(work, "demo-traffic");
                thread.setDaemon(true);
                thread.start();
            });
        }
    }

    /** Empty before there is anything to tell. */
    String line() {
        return line;
    }

    private void lookAtAll() {
        for (int i = 0; i < clients.size(); i++) {
            int index = i;
            countersOf(clients.get(i)).ifPresent(counters -> last.put(index, counters));
        }
        Map<String, Long> sums = new HashMap<>();
        long clock = 0;
        for (JsonNode counters : last.values()) {
            SUMMED.forEach(name -> sums.merge(name, counters.path(name).asLong(0), Long::sum));
            clock = Math.max(clock, counters.path(DemoFigures.CLOCK).asLong(0));
        }
        if (sums.getOrDefault(DemoFigures.SENT, 0L) > 0) {
            line = String.format(
                    Locale.ROOT,
                    "load            %,d messages sent, %,d answered, %,d lost, %,d out of order; the clock shows %,d",
                    sums.get(DemoFigures.SENT),
                    sums.get(DemoFigures.ANSWERED),
                    sums.get(DemoFigures.LOST),
                    sums.get(DemoFigures.OUT_OF_ORDER),
                    clock);
        }
    }

    private static Optional<JsonNode> countersOf(ManagementClient client) {
        try {
            Answer answer = client.get("/cluster/counters");
            return answer.isGood() ? Optional.of(answer.body().path("counters")) : Optional.empty();
        } catch (NotReachableException gone) {
            return Optional.empty();
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
