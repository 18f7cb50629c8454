package dev.muster.bench.meter;

/** Measures the heap that is really in use. */
public final class HeapMeter {

    private static final int COLLECTIONS = 5;

    private HeapMeter() {}

    /** One collection may leave what only a second one can free: referents, and what waited for their queues. */
    public static long usedBytes() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            Thread.sleep(50);
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}
