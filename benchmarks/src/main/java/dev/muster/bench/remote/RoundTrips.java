package dev.muster.bench.remote;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * Round trips at a fixed rate. The time of each counts from when it should have begun, not from when it did: a sender
 * that is held up charges its delay to all that had to wait, so no pause goes unseen.
 */
final class RoundTrips {

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int DIGITS = 3;
    private static final int MESSAGE_BYTES = 100;

    private final Histogram times = new Histogram(LONGEST_NANOS, DIGITS);
    private final Consumer<byte[]> echo;
    private boolean counts;

    /** @param side given who gets the echoes, says how to send */
    RoundTrips(Function<Consumer<byte[]>, Consumer<byte[]>> side) {
        this.echo = side.apply(this::returned);
    }

    private synchronized void returned(byte[] message) {
        if (counts) {
            long nanos = System.nanoTime() - ByteBuffer.wrap(message).getLong();
            times.recordValue(Math.min(LONGEST_NANOS, Math.max(0, nanos)));
        }
    }

    /** Sends so many at this rate; returns when all that counted are back. */
    void run(int messages, int perSecond, boolean count) throws InterruptedException {
        synchronized (this) {
            counts = count;
        }
        long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
        long due = System.nanoTime();
        for (int i = 0; i < messages; i++) {
            due += interval;
            for (long early = due - System.nanoTime(); early > 0; early = due - System.nanoTime()) {
                LockSupport.parkNanos(early);
            }
            echo.accept(ByteBuffer.allocate(MESSAGE_BYTES).putLong(due).array());
        }
        if (count) {
            awaitCount(messages);
        }
    }

    private void awaitCount(int messages) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (count() < messages) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("of " + messages + " messages only " + count() + " came back");
            }
            Thread.sleep(5);
        }
    }

    private synchronized long count() {
        return times.getTotalCount();
    }

    synchronized double micros(double percentile) {
        return times.getValueAtPercentile(percentile) / 1e3;
    }
}
