package dev.muster.bench.remote;

import dev.muster.bench.Figures;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * Round trips at a fixed rate. The time of each counts from when it should have begun, not from when it did: a sender
 * that is held up charges its delay to all that had to wait, so no pause goes unseen.
 *
 * <p>They are measured in windows of some seconds, of which the middle one counts: a virtual machine stands still for
 * ten milliseconds every few seconds, whoever is measured, and each time that is one message in a hundred.
 */
final class RoundTrips {

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int DIGITS = 3;
    static final int MESSAGE_BYTES = 100;

    /** Who parks comes back some 100 us late; the rest of the way is waited for awake. */
    private static final long AWAKE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final Histogram times = new Histogram(LONGEST_NANOS, DIGITS);
    private final Histogram whole = new Histogram(LONGEST_NANOS, DIGITS);
    private final List<Double> medians = new ArrayList<>();
    private final List<Double> tails = new ArrayList<>();
    private final Consumer<byte[]> echo;
    private final Semaphore underWay = new Semaphore(0);
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
        underWay.release();
    }

    /** Sends as fast as they come back, so that the compiler sees what matters. */
    void flood(int atOnce, long nanos) throws InterruptedException {
        underWay.drainPermits();
        underWay.release(atOnce);
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            takeOne();
            echo.accept(new byte[MESSAGE_BYTES]);
        }
        for (int i = 0; i < atOnce; i++) {
            takeOne();
        }
    }

    private void takeOne() throws InterruptedException {
        if (!underWay.tryAcquire(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("a message did not come back within 30 s");
        }
    }

    /** Sends so many at this rate; if they count they are a window, and it returns when all are back. */
    void run(int messages, int perSecond, boolean count) throws InterruptedException {
        synchronized (this) {
            counts = count;
        }
        underWay.drainPermits();
        long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
        long due = System.nanoTime();
        for (int i = 0; i < messages; i++) {
            due += interval;
            waitUntil(due);
            echo.accept(ByteBuffer.allocate(MESSAGE_BYTES).putLong(due).array());
        }
        for (int i = 0; i < messages; i++) {
            takeOne();
        }
        if (count) {
            endWindow();
        }
    }

    private static void waitUntil(long due) {
        for (long early = due - System.nanoTime(); early > 0; early = due - System.nanoTime()) {
            if (early > AWAKE_NANOS) {
                LockSupport.parkNanos(early - AWAKE_NANOS);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private synchronized void endWindow() {
        medians.add(times.getValueAtPercentile(50) / 1e3);
        tails.add(times.getValueAtPercentile(99) / 1e3);
        whole.add(times);
        times.reset();
        counts = false;
    }

    /** The middle of the windows' medians. */
    synchronized double medianMicros() {
        return Figures.medianOf(medians.stream().mapToDouble(micros -> micros).toArray());
    }

    /** The middle of what one message in a hundred took longer than, window by window. */
    synchronized double tailMicros() {
        return Figures.medianOf(tails.stream().mapToDouble(micros -> micros).toArray());
    }

    /** What one message in a hundred of all windows took longer than. */
    synchronized double wholeTailMicros() {
        return whole.getValueAtPercentile(99) / 1e3;
    }
}
