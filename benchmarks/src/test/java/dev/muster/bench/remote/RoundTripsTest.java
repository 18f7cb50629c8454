package dev.muster.bench.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class RoundTripsTest {

    @Test
    void whatIsNotToCountDoesNotAndAllElseDoes() throws InterruptedException {
        List<byte[]> sent = new ArrayList<>();
        RoundTrips trips = new RoundTrips(echoes -> message -> {
            sent.add(message);
            echoes.accept(message);
        });

        trips.run(5, 100_000, false);
        trips.run(20, 100_000, true);

        assertThat(sent).hasSize(25).allSatisfy(message -> assertThat(message).hasSize(100));
        assertThat(trips.medianMicros()).isPositive();
        assertThat(trips.tailMicros()).isPositive();
    }

    /** One window in which everything stood still does not make the figure. */
    @Test
    void theMiddleWindowCounts() throws InterruptedException {
        AtomicInteger sent = new AtomicInteger();
        RoundTrips trips = new RoundTrips(echoes -> message -> {
            if (sent.incrementAndGet() == 1) {
                standStill(TimeUnit.MILLISECONDS.toNanos(300));
            }
            echoes.accept(message);
        });

        for (int window = 0; window < 3; window++) {
            trips.run(20, 10_000, true);
        }

        assertThat(trips.tailMicros()).isLessThan(200_000);
        assertThat(trips.wholeTailMicros()).isGreaterThan(250_000);
    }

    /** One call of park may end at once: somebody may have woken this thread before, when it did not sleep. */
    private static void standStill(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Test
    void aFloodSendsOnlyWhenSomethingCameBackAndEndsWhenAllIs() throws InterruptedException {
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger sent = new AtomicInteger();
        RoundTrips trips = new RoundTrips(echoes -> message -> {
            sent.incrementAndGet();
            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            var unused = CompletableFuture.runAsync(() -> {
                underWay.decrementAndGet();
                echoes.accept(message);
            });
        });

        trips.flood(4, TimeUnit.MILLISECONDS.toNanos(20));

        assertThat(sent.get()).isPositive();
        assertThat(most.get()).isBetween(1, 4);
        assertThat(underWay.get()).isZero();
    }
}
