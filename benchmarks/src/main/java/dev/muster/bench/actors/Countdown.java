package dev.muster.bench.actors;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for the end of a run, and does not wait for ever for messages that got lost. */
final class Countdown {

    private static final long PATIENCE_MINUTES = 3;

    private final CountDownLatch latch;
    private volatile Throwable failure;

    Countdown(int count) {
        latch = new CountDownLatch(count);
    }

    void countDown() {
        latch.countDown();
    }

    void failed(Throwable why) {
        failure = why;
        latch.countDown();
    }

    void await() throws InterruptedException {
        boolean isDone = latch.await(PATIENCE_MINUTES, TimeUnit.MINUTES);
        if (failure != null) {
            throw new IllegalStateException("the run failed", failure);
        }
        if (!isDone) {
            throw new IllegalStateException("the run was not done after " + PATIENCE_MINUTES + " minutes; "
                    + latch.getCount() + " of its parts are missing");
        }
    }
}
