package dev.muster.core.state;

import java.util.Arrays;

/** Who has seen exactly one version of the state, as bits over the ordinals of that state's members. */
public final class SeenSet {
    public static final SeenSet NOBODY = new SeenSet(new long[0]);

    private final long[] words; // without trailing zero words, so that equal sets have equal arrays

    private SeenSet(long[] words) {
        this.words = words;
    }

    public static SeenSet only(int ordinal) {
        return NOBODY.with(ordinal);
    }

    public boolean contains(int ordinal) {
        int word = ordinal >>> 6;
        return ordinal >= 0 && word < words.length && (words[word] & 1L << ordinal) != 0;
    }

    public SeenSet with(int ordinal) {
        if (contains(ordinal)) {
            return this;
        }
        long[] changed = Arrays.copyOf(words, Math.max(words.length, (ordinal >>> 6) + 1));
        changed[ordinal >>> 6] |= 1L << ordinal;
        return new SeenSet(changed);
    }

    public SeenSet union(SeenSet other) {
        if (this == other || includes(other)) {
            return this;
        }
        if (other.includes(this)) {
            return other;
        }
        long[] merged = Arrays.copyOf(words, Math.max(words.length, other.words.length));
        for (int i = 0; i < other.words.length; i++) {
            merged[i] |= other.words[i];
        }
        return new SeenSet(merged);
    }

    public boolean includes(SeenSet other) {
        if (other.words.length > words.length) {
            return false;
        }
        for (int i = 0; i < other.words.length; i++) {
            if ((other.words[i] & ~words[i]) != 0) {
                return false;
            }
        }
        return true;
    }

    public int count() {
        int count = 0;
        for (long word : words) {
            count += Long.bitCount(word);
        }
        return count;
    }

    /** One more than the highest ordinal in the set. */
    int length() {
        return words.length == 0 ? 0 : words.length * 64 - Long.numberOfLeadingZeros(words[words.length - 1]);
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof SeenSet that && Arrays.equals(words, that.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }
}
