package dev.muster.bench.partitions;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Asks all partitions by turns, at a fixed rate, from a thread of its own, until it is told to stop. */
final class Asker {

    private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final PartitionNode node;
    private final Rhythm rhythm;
    private final Thread thread;
    private volatile boolean isOver;
    /** How late each question was asked; of this thread until it has ended. */
    private long[] lateNanos = new long[1 << 17];

    private int sent;

    private Asker(PartitionNode node, int partitions, int perSecond) {
        this.node = node;
        this.rhythm = new Rhythm(System.nanoTime() + SOON_NANOS, TimeUnit.SECONDS.toNanos(1) / perSecond, partitions);
        this.thread = new Thread(this::run, "asker");
    }

    static Asker start(PartitionNode node, int partitions, int perSecond) {
        Asker asker = new Asker(node, partitions, perSecond);
        asker.thread.start();
        return asker;
    }

    private void run() {
        while (!isOver) {
            long dueNanos = rhythm.dueNanos(sent);
            waitUntil(dueNanos);
            if (sent == lateNanos.length) {
                lateNanos = Arrays.copyOf(lateNanos, 2 * sent);
            }
            lateNanos[sent] = System.nanoTime() - dueNanos;
            node.ask(rhythm.question(sent));
            sent++;
        }
    }

    private static void waitUntil(long dueNanos) {
        for (long early = dueNanos - System.nanoTime(); early > 0; early = dueNanos - System.nanoTime()) {
            LockSupport.parkNanos(early);
        }
    }

    Rhythm rhythm() {
        return rhythm;
    }

    Asked stop() throws InterruptedException {
        isOver = true;
        thread.join();
        return new Asked(rhythm, Arrays.copyOf(lateNanos, sent));
    }
}
