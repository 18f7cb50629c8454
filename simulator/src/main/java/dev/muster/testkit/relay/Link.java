package dev.muster.testkit.relay;

import java.util.Random;

/**
 * The way from one node to another, and what is wrong with it. Bytes that cannot pass wait, as they do with a network
 * that TCP does not give up: when the way is open again they arrive, in order. Only a void or a reset loses them.
 */
public final class Link {
    private static final long FIRST_AGAIN_MILLIS = 200;
    private static final long LONGEST_AGAIN_MILLIS = 30_000;

    /** What becomes of bytes. */
    public enum Way {
        OPEN,
        /** They wait. */
        CUT,
        /** They are taken and vanish: the peer's host is gone, and nobody says so. */
        VOID,
        /** Connections are broken, those that are there and those that come. */
        RESET
    }

    private final Random random;
    private Way way = Way.OPEN;
    private long delayMillis;
    private double loss;
    private long generation;
    private boolean isOver;
    private long bytes;

    Link(long seed) {
        this.random = new Random(seed);
    }

    public synchronized void set(Way newWay) {
        way = newWay;
        generation++;
        notifyAll();
    }

    /** Each packet takes so long. */
    public synchronized void delay(long millis) {
        delayMillis = millis;
    }

    /**
     * Each packet is lost with this probability. TCP sends it again after 0.2 s, 0.4 s and so on, and all that follows
     * waits for it.
     */
    public synchronized void lose(double probability) {
        loss = probability;
        generation++;
        notifyAll();
    }

    /** How many bytes have arrived by it so far. */
    public synchronized long bytes() {
        return bytes;
    }

    synchronized void count(int more) {
        bytes += more;
    }

    synchronized void end() {
        isOver = true;
        notifyAll();
    }

    /** Lets one packet travel. Returns when it has arrived or is lost for good: then what became of it. */
    synchronized Way travel() throws InterruptedException {
        hold(delayMillis);
        long again = FIRST_AGAIN_MILLIS;
        while (!isOver && (way == Way.CUT || random.nextDouble() < loss)) {
            if (way == Way.CUT) {
                wait();
            } else {
                hold(again);
                again = Math.min(LONGEST_AGAIN_MILLIS, 2 * again);
            }
        }
        return isOver ? Way.RESET : way;
    }

    /** Waits while nobody would hear even that a connection has ended. */
    synchronized void awaitNoVoid() throws InterruptedException {
        while (!isOver && way == Way.VOID) {
            wait();
        }
    }

    /** Waits for so long, or until something about this link has changed. */
    private void hold(long millis) throws InterruptedException {
        long before = generation;
        long untilNanos = System.nanoTime() + millis * 1_000_000;
        while (!isOver && before == generation) {
            long left = (untilNanos - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return;
            }
            wait(left);
        }
    }
}
