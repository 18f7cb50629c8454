package dev.muster.bench.actors;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the children of a crowd as they report, so that nobody takes a child for started that is not. */
final class Roll {

    private final int expected;
    private final AtomicInteger present = new AtomicInteger();
    private final Countdown all = new Countdown(1);

    Roll(int expected) {
        this.expected = expected;
    }

    void report() {
        if (present.incrementAndGet() == expected) {
            all.countDown();
        }
    }

    void awaitAll() throws InterruptedException {
        all.await();
    }

    /** More than were expected would be as wrong as fewer. */
    void requireExact() {
        if (present.get() != expected) {
            throw new IllegalStateException("expected " + expected + " actors, counted " + present.get());
        }
    }
}
