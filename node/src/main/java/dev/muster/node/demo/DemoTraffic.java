package dev.muster.node.demo;

import dev.muster.node.client.Answer;
import dev.muster.node.client.ManagementClient;
import dev.muster.node.client.NotReachableException;
import dev.muster.node.client.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * What the clients of all nodes have sent and got back. It looks in the background, for a node that stands still
 * answers late; of one that is gone the last figures count, but not what it last saw of the clock.
 */
final class DemoTraffic {
    private final List<ManagementClient> clients = new ArrayList<>();
    private final Map<Integer, JsonNode> last = new HashMap<>();
    private volatile List<String> lines = List.of();
    private CompletableFuture<Void> look = CompletableFuture.completedFuture(null);

    DemoTraffic(DemoPlan plan) {
        for (int i = 0; i < plan.nodes(); i++) {
            clients.add(new ManagementClient(List.of(new Target(DemoPlan.HOST, plan.http(i))), Optional.empty()));
        }
    }

    /** Begins to look again, unless it still does. */
    synchronized void refresh() {
        if (look.isDone()) {
            look = CompletableFuture.runAsync(this::lookAtAll, work -> {
                Thread thread = new Thread(work, "demo-traffic");
                thread.setDaemon(true);
                thread.start();
            });
        }
    }

    /** Waits for the look that has begun, but not for a node that stands still: others wait to be ended. */
    void awaitLook(Duration atMost) {
        CompletableFuture<Void> begun;
        synchronized (this) {
            begun = look.copy();
        }
        begun.completeOnTimeout(null, atMost.toNanos(), TimeUnit.NANOSECONDS).join();
    }

    /** Empty before anything was sent. */
    List<String> lines() {
        return lines;
    }

    private void lookAtAll() {
        Map<Integer, JsonNode> living = new HashMap<>();
        for (int i = 0; i < clients.size(); i++) {
            int index = i;
            countersOf(clients.get(i)).ifPresent(counters -> living.put(index, counters));
        }
        // When all have left, what they said last is what there is to tell.
        if (!living.isEmpty()) {
            last.putAll(living);
            lines = new DemoSums(last.values(), living.values()).lines();
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
