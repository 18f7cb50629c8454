package dev.muster.core.state;

import java.util.Objects;

/** Stands in until the checked one is there. */
public record PartitionPath(String text) implements Comparable<PartitionPath> {
    public PartitionPath {
        Objects.requireNonNull(text);
    }

    public boolean isPrefixOf(PartitionPath other) {
        return other.text.startsWith(text + "/");
    }

    @Override
    public int compareTo(PartitionPath other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
