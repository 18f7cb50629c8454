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
    private static final int SLOTS = 256;

    /** Below this, writing a label out costs less than agreeing on a number. */
    private static final int OFTEN = 200;

    private final Function<String, T> meaning;
    private final Consumer<String> often;
    private final int[] hits = new int[SLOTS];
    private final byte[][] labels = new byte[SLOTS][];
    private final Object[] meanings = new Object[SLOTS];

    LabelCache(Function<String, T> meaning, Consumer<String> often) {
        this.meaning = meaning;
        this.often = often;
    }

    @SuppressWarnings("unchecked")
    T get(byte[] buffer, EnvelopeReader.Label label) {
        int slot = slot(buffer, label.start(), label.length());
        byte[] known = labels[slot];
        if (known != null && label.is(known)) {
            if (++hits[slot] == OFTEN) {
                often.accept(label.text());
            }
            return (T) meanings[slot];
        }
        T found = meaning.apply(label.text());
        labels[slot] = label.bytes();
        hits[slot] = 1;
        meanings[slot] = found;
        return found;
    }

    /** Forgets what this label stood for. */
    void forget(byte[] buffer, EnvelopeReader.Label label) {
        labels[slot(buffer, label.start(), label.length())] = null;
    }

    private static int slot(byte[] buffer, int start, int length) {
        int hash = length;
        for (int i = start; i < start + length; i++) {
            hash = hash * 31 + buffer[i];
        }
        return (hash ^ hash >>> 15) & (SLOTS - 1);
    }
}
