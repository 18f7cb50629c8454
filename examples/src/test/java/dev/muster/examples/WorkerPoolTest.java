package dev.muster.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.examples.WorkerPool.Order;
import dev.muster.examples.WorkerPool.PackAll;
import dev.muster.examples.WorkerPool.Packed;
import dev.muster.examples.WorkerPool.PoolMessage;
import dev.muster.examples.WorkerPool.Ready;
import dev.muster.examples.WorkerPool.Report;
import dev.muster.testkit.ActorTestKit;
import dev.muster.testkit.Interleavings;
import dev.muster.testkit.TestProbe;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {

    @Test
    void aWorkerComesBackAfterAJam() {
        try (ActorTestKit kit = ActorTestKit.create()) {
            TestProbe<PoolMessage> pool = kit.probe(PoolMessage.class);
            ActorRef<Order> worker = kit.spawn(WorkerPool.worker(pool.ref(), WorkerPool::pack));
            pool.expectMessage(new Ready(worker));

            worker.tell(new Order("dates", 1));
            pool.expectNoMessage(Duration.ofMillis(49));
            pool.expectMessage(new Ready(worker));

            worker.tell(new Order("dates", 2));
            pool.expectMessage(new Packed(worker));
        }
    }

    @Test
    void aWorkerStopsAtWhatItCannotPack() {
        try (ActorTestKit kit = ActorTestKit.create()) {
            TestProbe<PoolMessage> pool = kit.probe(PoolMessage.class);
            ActorRef<Order> worker = kit.spawn(WorkerPool.worker(pool.ref(), WorkerPool::pack));
            pool.expectMessageClass(Ready.class);

            worker.tell(new Order("piano", 1));

            pool.expectTerminated(worker);
        }
    }

    @Test
    void everyOrderIsPackedOrRefusedInEveryOrderOfEvents() {
        List<String> orders = List.of("apples", "dates", "piano", "figs");
        Interleavings.explore(300, kit -> {
            ActorRef<PoolMessage> pool = kit.spawn(WorkerPool.pool(2, WorkerPool::pack), "pool");

            Report report = kit.ask(pool, replyTo -> new PackAll(orders, replyTo));

            assertThat(report.packed()).containsExactly("apples", "dates", "figs");
            assertThat(report.refused()).containsExactly("piano");
            assertThat(report.secondAttempts()).isEqualTo(1);
            assertThat(report.replacedWorkers()).isEqualTo(1);
        });
    }
}
