package dev.muster.wire;

import dev.muster.core.state.VectorClock;
import java.util.Arrays;
import java.util.TreeMap;

/** A vector clock while it is being read: keys in one list, and counters that refer to places in it. */
final class ClockReader {
    private String[] keys = new String[16];
    private int keyCount;
    private int[] places = new int[16];
    private long[] counters = new long[16];
    private int entryCount;
    private boolean isPresent;

    void key(ProtoReader in) {
        Limits.requireAtMost("clock keys", keyCount + 1, Limits.CLOCK_ENTRIES);
        String key = in.text("clock key", Limits.CLOCK_KEY_BYTES);
        if (key.isEmpty()) {
            throw WireException.missing("clock key");
        }
        if (keyCount == keys.length) {
            keys = Arrays.copyOf(keys, keyCount * 2);
        }
        keys[keyCount++] = key;
    }

    void version(ProtoReader in) {
        isPresent = true;
        int outer = in.enter("version");
        while (in.next()) {
            if (in.field() == 2) {
                entry(in);
            } else {
                in.skip();
            }
        }
        in.leave(outer);
    }

    private void entry(ProtoReader in) {
        int outer = in.enter("clock entry");
        int place = -1;
        long counter = 0;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> place = in.between("clock key's place", 0, Limits.CLOCK_ENTRIES);
                case 2 -> counter = in.int64("counter");
                default -> in.skip();
            }
        }
        in.leave(outer);
        if (place < 0 || counter < 1) {
            throw WireException.malformed("a clock entry needs a key and a positive counter, was " + counter);
        }
        Limits.requireAtMost("clock entries", entryCount + 1, Limits.CLOCK_ENTRIES);
        if (entryCount == places.length) {
            places = Arrays.copyOf(places, entryCount * 2);
            counters = Arrays.copyOf(counters, entryCount * 2);
        }
        places[entryCount] = place;
        counters[entryCount++] = counter;
    }

    VectorClock toClock() {
        if (!isPresent) {
            throw WireException.missing("version");
        }
        String[] named = new String[entryCount];
        boolean isSorted = true;
        for (int i = 0; i < entryCount; i++) {
            if (places[i] >= keyCount) {
                throw WireException.malformed("a clock entry names key " + places[i] + " of " + keyCount);
            }
            named[i] = keys[places[i]];
            isSorted &= i == 0 || named[i - 1].compareTo(named[i]) < 0;
        }
        return isSorted ? halves(named, counters, 0, entryCount) : sorted(named);
    }

    private VectorClock sorted(String[] named) {
        TreeMap<String, Long> entries = new TreeMap<>();
        for (int i = 0; i < entryCount; i++) {
            if (entries.put(named[i], counters[i]) != null) {
                throw WireException.malformed("the clock names " + Texts.shown(named[i]) + " twice");
            }
        }
        long[] ordered = entries.values().stream().mapToLong(Long::longValue).toArray();
        return halves(entries.keySet().toArray(new String[0]), ordered, 0, entryCount);
    }

    /**
     * Of sorted entries. Adding them one by one would copy the clock each time, which an enemy could make expensive.
     */
    private static VectorClock halves(String[] keys, long[] counters, int from, int to) {
        if (to - from <= 8) {
            return VectorClock.of(Arrays.copyOfRange(keys, from, to), Arrays.copyOfRange(counters, from, to));
        }
        int middle = (from + to) >>> 1;
        return halves(keys, counters, from, middle).merge(halves(keys, counters, middle, to));
    }
}
