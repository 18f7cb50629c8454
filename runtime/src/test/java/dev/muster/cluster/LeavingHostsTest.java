package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A host that leaves sees to what its instances have not come to, also where nobody takes their place. */
class LeavingHostsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final PartitionPath PATH = new PartitionPath("counter");
    private static final int MESSAGES = 50;
    private static final Config HASTY = ConfigFactory.parseString(
                    "muster.coordinated-shutdown.phases.cluster-leave.timeout = 200ms")
            .withFallback(ConfigFactory.load());

    record Count(String text) {}

    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final CountDownLatch isBusy = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private final Map<Integer, ActorRef<Count>> refs = new ConcurrentHashMap<>();

    private Behavior<Count> counter() {
        return Behaviors.receive(Count.class, (context, count) -> {
            if (count.text().equals("wait")) {
                isBusy.countDown();
                mayGoOn.await();
            }
            handled.add(count.text());
            return Behaviors.same();
        });
    }

    @Test
    void whatItsInstanceHasNotComeToGoesToTheOthers() throws Exception {
        try (LocalCluster cluster = LocalCluster.start("leaving", 2, HASTY, system -> {
            Cluster node = Cluster.get(system);
            // All that a node sends goes to its own instance, so that the test knows where it waits.
            refs.put(
                    node.selfAddress().port(),
                    node.host(Partition.at(PATH.text(), this::counter)
                            .instances(2)
                            .messages(Count.class)
                            .routing(Routing.leastLoaded(host -> host.equals(node.self()) ? 0 : 1))));
        })) {
            cluster.awaitUp(SOON);
            cluster.await(
                    "each has one",
                    SOON,
                    () -> cluster.nodes().stream()
                            .allMatch(node -> row(node)
                                    .filter(it -> it.instances().size() == 2)
                                    .isPresent()));
            LocalCluster.Node leaving = cluster.node(1);
            ActorRef<Count> ref = refs.get(leaving.address().port());
            ref.tell(new Count("wait"));
            isBusy.await();
            for (int i = 0; i < MESSAGES; i++) {
                ref.tell(new Count("number " + i));
            }

            CompletableFuture<Void> gone = leaving.leave();
            cluster.await(
                    "the row is without it",
                    SOON,
                    () -> row(cluster.node(0))
                            .filter(it -> it.instances().size() == 1)
                            .isPresent());
            // Longer than the phase of the shutdown has, were there nothing to wait for.
            assertThatThrownBy(() -> gone.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
            mayGoOn.countDown();
            gone.join();

            cluster.await("the other has handled them", SOON, () -> handled.size() == MESSAGES + 1);
            assertThat(handled).contains("wait").doesNotHaveDuplicates();
        }
    }

    private static Optional<PartitionEntry> row(LocalCluster.Node node) {
        return node.cluster().snapshot().partitions().find(PATH);
    }
}
