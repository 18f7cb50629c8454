package dev.muster.remote;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What was counted, by name. Names are few and fixed, none comes from outside. */
public final class Counters {
    private final ConcurrentHashMap<String, LongAdder> counts = new ConcurrentHashMap<>();

    public void add(String name) {
        add(name, 1);
    }

    public void add(String name, long amount) {
        counter(name).add(amount);
    }

    /** For those that count often. */
    public LongAdder counter(String name) {
        LongAdder known = counts.get(name);
        return known != null ? known : counts.computeIfAbsent(name, n -> new LongAdder());
    }

    public SortedMap<String, Long> read() {
        TreeMap<String, Long> sums = new TreeMap<>();
        counts.forEach((name, count) -> sums.put(name, count.sum()));
        return sums;
    }
}
