package dev.muster.bench.actors;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * Adds up what all threads of this process allocate between its making and the reading.
 *
 * <p>Threads that begin meanwhile count in full. One that ends takes its count along, so a reading then fails instead
 * of being too low.
 */
final class AllocationMeter {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Map<Long, Long> before = byThread();

    long bytes() {
        Map<Long, Long> after = byThread();
        if (!after.keySet().containsAll(before.keySet())) {
            throw new IllegalStateException("a thread ended while its allocations were counted; measure again");
        }
        return after.entrySet().stream()
                .mapToLong(thread -> thread.getValue() - before.getOrDefault(thread.getKey(), 0L))
                .sum();
    }

    private static Map<Long, Long> byThread() {
        long[] ids = THREADS.getAllThreadIds();
        long[] bytes = THREADS.getThreadAllocatedBytes(ids);
        Map<Long, Long> result = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            // It is -1 for a thread that has just ended.
            if (bytes[i] >= 0) {
                result.put(ids[i], bytes[i]);
            }
        }
        return result;
    }
}
