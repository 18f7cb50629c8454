package dev.muster.remote;

import dev.muster.wire.EnvelopeReader;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What the labels of one connection stand for. Few actors send most messages, so a small table in which a newcomer
 * takes the place of whoever was there is enough, and holds nothing for long. It notices which labels come often. Used
 * by one thread at a time.
 */
final class LabelCache<T> {
    private static final int MOST_SLOTS = 256;

    /** What most connections of a cluster carry fits in so few, and there may be thousands of connections. */
    private static final int FIRST_SLOTS = 8;

    /** Below this, writing a label out costs less than agreeing on a number. */
    private static final int OFTEN = 200;

    private final Function<String, T> meaning;
    private final Consumer<String> often;
    private int[] hits = {};
    private byte[][] labels = {};
    private Object[] meanings = {};

    LabelCache(Function<String, T> meaning, Consumer<String> often) {
        this.meaning = meaning;
        this.often = often;
    }

    @SuppressWarnings("unchecked")
    T get(byte[] buffer, EnvelopeReader.Label label) {
        int hash = hash(buffer, label.start(), label.length());
        int slot = slot(hash);
        byte[] known = labels.length == 0 ? null : labels[slot];
        if (known != null && label.is(known)) {
            if (++hits[slot] == OFTEN) {
                often.accept(label.text());
            }
            return (T) meanings[slot];
        }
        T found = meaning.apply(label.text());
        if (labels.length == 0 || known != null && labels.length < MOST_SLOTS) {
            grow();
            slot = slot(hash);
        }
        labels[slot] = label.bytes();
        hits[slot] = 1;
        meanings[slot] = found;
        return found;
    }

    /** Forgets what this label stood for. */
    void forget(byte[] buffer, EnvelopeReader.Label label) {
        if (labels.length > 0) {
            labels[slot(hash(buffer, label.start(), label.length()))] = null;
        }
    }

    private void grow() {
        int[] oldHits = hits;
        byte[][] oldLabels = labels;
        Object[] oldMeanings = meanings;
        int slots = Math.max(FIRST_SLOTS, 2 * oldLabels.length);
        hits = new int[slots];
        labels = new byte[slots][];
        meanings = new Object[slots];
        for (int i = 0; i < oldLabels.length; i++) {
            if (oldLabels[i] != null) {
                int slot = slot(hash(oldLabels[i], 0, oldLabels[i].length));
                hits[slot] = oldHits[i];
                labels[slot] = oldLabels[i];
                meanings[slot] = oldMeanings[i];
            }
        }
    }

    private int slot(int hash) {
        return (hash ^ hash >>> 15) & (labels.length - 1);
    }

    private static int hash(byte[] buffer, int start, int length) {
        int hash = length;
        for (int i = start; i < start + length; i++) {
            hash = hash * 31 + buffer[i];
        }
        return hash;
    }
}
