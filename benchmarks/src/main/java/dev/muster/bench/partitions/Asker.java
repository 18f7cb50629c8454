package dev.muster.bench.partitions;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Asks all partitions by turns, at a fixed rate, from a thread of its own, until it is told to stop. */
final class Asker {

    private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final PartitionNode node;
    private final Rhythm rhythm;
    private final Thread thread;
    private volatile boolean isOver;
    private volatile long sent;

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
        for (long index = 0; !isOver; index++) {
            waitUntil(rhythm.dueNanos(index));
            node.ask(rhythm.question(index));
            sent = index + 1;
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

    /** Returns how many were asked. */
    long stop() throws InterruptedException {
        isOver = true;
        thread.join();
        return sent;
    }
}
