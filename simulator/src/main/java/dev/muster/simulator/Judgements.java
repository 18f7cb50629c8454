package dev.muster.simulator;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How much of a run was really judged by one promise.
 *
 * @param judged how often somebody looked whether it was kept
 * @param letOff how often it was not, for a reason for which that may be
 */
public record Judgements(long judged, long letOff) {

    public Judgements plus(Judgements other) {
        return new Judgements(judged + other.judged, letOff + other.letOff);
    }

    /** Counts them by the id of the promise. */
    static final class Count {
        private final Map<String, long[]> byInvariant = new HashMap<>();

        void judged(String invariant) {
            of(invariant)[0]++;
        }

        void letOff(String invariant) {
            of(invariant)[1]++;
        }

        private long[] of(String invariant) {
            return byInvariant.computeIfAbsent(invariant, it -> new long[2]);
        }

        SortedMap<String, Judgements> all() {
            TreeMap<String, Judgements> all = new TreeMap<>();
            byInvariant.forEach((invariant, counts) -> all.put(invariant, new Judgements(counts[0], counts[1])));
            return all;
        }
    }
}
