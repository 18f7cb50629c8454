package dev.muster.core.state;

import java.util.Arrays;
import java.util.Objects;

/**
 * A version of the cluster state: how many changes each node has made to it.
 *
 * <p>Two versions are compared entry by entry. A key that only one side has makes that side newer in it, whatever the
 * count. When each side is newer in something, neither has seen all of the other's changes: they conflict.
 *
 * <p>Specification: "Vector Clocks". Keys are opaque texts, see {@link NodeId#clockKey()}.
 */
public final class VectorClock {
    public static final VectorClock EMPTY = new VectorClock(new String[0], new long[0]);

    /** How one version relates to another. */
    public enum Relation {
        SAME,
        BEFORE,
        AFTER,
        CONCURRENT
    }

    private final String[] keys; // sorted
    private final long[] counters;

    private VectorClock(String[] keys, long[] counters) {
        this.keys = keys;
        this.counters = counters;
    }

    /** A clock from entries in any order, as a decoder has them. */
    public static VectorClock of(String[] keys, long[] counters) {
        VectorClock clock = EMPTY;
        for (int i = 0; i < keys.length; i++) {
            if (clock.contains(keys[i])) {
                throw new IllegalArgumentException("vector clock names " + keys[i] + " twice");
            }
            clock = clock.with(keys[i], counters[i]);
        }
        return clock;
    }

    public int size() {
        return keys.length;
    }

    public String key(int index) {
        return keys[index];
    }

    public long counter(int index) {
        return counters[index];
    }

    /** The count for a key, 0 when the clock does not have it. */
    public long counterOf(String key) {
        int at = Arrays.binarySearch(keys, key);
        return at < 0 ? 0 : counters[at];
    }

    public boolean contains(String key) {
        return Arrays.binarySearch(keys, key) >= 0;
    }

    public VectorClock increment(String key) {
        return with(key, counterOf(key) + 1);
    }

    private VectorClock with(String key, long counter) {
        if (counter < 1) {
            throw new IllegalArgumentException("vector clock counter of " + key + " must be positive, was " + counter);
        }
        int at = Arrays.binarySearch(keys, key);
        if (at >= 0) {
            long[] changed = counters.clone();
            changed[at] = counter;
            return new VectorClock(keys, changed);
        }
        int insert = -at - 1;
        String[] newKeys = new String[keys.length + 1];
        long[] newCounters = new long[keys.length + 1];
        System.arraycopy(keys, 0, newKeys, 0, insert);
        System.arraycopy(counters, 0, newCounters, 0, insert);
        newKeys[insert] = key;
        newCounters[insert] = counter;
        System.arraycopy(keys, insert, newKeys, insert + 1, keys.length - insert);
        System.arraycopy(counters, insert, newCounters, insert + 1, keys.length - insert);
        return new VectorClock(newKeys, newCounters);
    }

    /** This clock without the entry of a node that was removed. */
    public VectorClock without(String key) {
        int at = Arrays.binarySearch(keys, key);
        if (at < 0) {
            return this;
        }
        String[] newKeys = new String[keys.length - 1];
        long[] newCounters = new long[keys.length - 1];
        System.arraycopy(keys, 0, newKeys, 0, at);
        System.arraycopy(counters, 0, newCounters, 0, at);
        System.arraycopy(keys, at + 1, newKeys, at, newKeys.length - at);
        System.arraycopy(counters, at + 1, newCounters, at, newKeys.length - at);
        return new VectorClock(newKeys, newCounters);
    }

    /** The earliest version that includes both: the higher count of every key. */
    public VectorClock merge(VectorClock other) {
        return switch (relationTo(other)) {
            case SAME, AFTER -> this;
            case BEFORE -> other;
            case CONCURRENT -> union(other);
        };
    }

    private VectorClock union(VectorClock other) {
        String[] newKeys = new String[keys.length + other.keys.length];
        long[] newCounters = new long[newKeys.length];
        int i = 0;
        int j = 0;
        int n = 0;
        while (i < keys.length || j < other.keys.length) {
            int order = i == keys.length ? 1 : j == other.keys.length ? -1 : keys[i].compareTo(other.keys[j]);
            newKeys[n] = order <= 0 ? keys[i] : other.keys[j];
            newCounters[n] = Math.max(order <= 0 ? counters[i] : 0, order >= 0 ? other.counters[j] : 0);
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
            n++;
        }
        return new VectorClock(Arrays.copyOf(newKeys, n), Arrays.copyOf(newCounters, n));
    }

    /** How far the entry that is furthest ahead of the other clock's is ahead of it. */
    public long greatestLeadOver(VectorClock other) {
        long greatest = 0;
        int j = 0;
        for (int i = 0; i < keys.length; i++) {
            int order = 1;
            while (j < other.keys.length && (order = other.keys[j].compareTo(keys[i])) < 0) {
                j++;
            }
            boolean both = j < other.keys.length && order == 0;
            greatest = Math.max(greatest, counters[i] - (both ? other.counters[j] : 0));
        }
        return greatest;
    }

    public Relation relationTo(VectorClock other) {
        if (this == other) {
            return Relation.SAME;
        }
        boolean mineNewer = false;
        boolean otherNewer = false;
        int i = 0;
        int j = 0;
        while (i < keys.length || j < other.keys.length) {
            int order = i == keys.length ? 1 : j == other.keys.length ? -1 : keys[i].compareTo(other.keys[j]);
            if (order == 0) {
                mineNewer |= counters[i] > other.counters[j];
                otherNewer |= counters[i] < other.counters[j];
                i++;
                j++;
            } else if (order < 0) {
                mineNewer = true;
                i++;
            } else {
                otherNewer = true;
                j++;
            }
        }
        if (mineNewer) {
            return otherNewer ? Relation.CONCURRENT : Relation.AFTER;
        }
        return otherNewer ? Relation.BEFORE : Relation.SAME;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof VectorClock that
                        && Arrays.equals(counters, that.counters)
                        && Arrays.equals(keys, that.keys);
    }

    @Override
    public int hashCode() {
        return Objects.hash(Arrays.hashCode(keys), Arrays.hashCode(counters));
    }

    /** Short and readable: the first six characters of each key with its count. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < keys.length; i++) {
            String key = keys[i];
            text.append(i == 0 ? "" : " ")
                    .append(key, 0, Math.min(6, key.length()))
                    .append(':')
                    .append(counters[i]);
        }
        return text.append(']').toString();
    }
}
