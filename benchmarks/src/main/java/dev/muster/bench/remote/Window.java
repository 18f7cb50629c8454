package dev.muster.bench.remote;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Keeps a sender from running ahead of its receiver: so many messages are on their way at most. */
final class Window {

    private static final long PATIENCE_SECONDS = 30;

    private final Semaphore batches;
    private final int size;

    /** @param size how many batches may be on their way */
    Window(int size) {
        this.size = size;
        this.batches = new Semaphore(size);
    }

    /** Waits until one more batch may go. */
    void take() throws InterruptedException {
        take(1);
    }

    private void take(int count) throws InterruptedException {
        if (!batches.tryAcquire(count, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("messages were lost, or nothing came for " + PATIENCE_SECONDS + " s");
        }
    }

    /** A batch has arrived. */
    void give() {
        batches.release();
    }

    /** Waits until everything has arrived. */
    void await() throws InterruptedException {
        take(size);
        batches.release(size);
    }
}
