package dev.muster.bench.formation;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Looks every few milliseconds whether something has come about, as Muster's own clusters for tests do. */
final class Looking {

    private static final long MILLIS = 2;

    private Looking() {}

    static void until(String what, Duration timeout, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("not within " + timeout + ": " + what);
            }
            Thread.sleep(MILLIS);
        }
    }
}
