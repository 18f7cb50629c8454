package dev.muster.core.partition;

import dev.muster.core.state.LoadSample;
import dev.muster.core.state.NodeId;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The latest load sample of each node that is known here.
 *
 * <p>Samples have no version and touch no vector clock: each node writes only its own, numbered by itself, and of two
 * the later one stays. Merging tables is a join, so they may be passed around in any order and as often as one likes.
 *
 * <p>A removed node is forgotten by whoever sees the removal. A table from somebody who has not seen it yet brings its
 * sample back, so what was merged is cut down to the members again.
 */
public final class LoadTable {
    public static final LoadTable EMPTY = new LoadTable(new TreeMap<>());

    private final TreeMap<NodeId, LoadSample> samples;

    private LoadTable(TreeMap<NodeId, LoadSample> samples) {
        this.samples = samples;
    }

    public static LoadTable of(Collection<LoadSample> samples) {
        TreeMap<NodeId, LoadSample> joined = new TreeMap<>();
        samples.forEach(sample -> joined.merge(sample.node(), sample, LoadSample::join));
        return joined.isEmpty() ? EMPTY : new LoadTable(joined);
    }

    public Optional<LoadSample> of(NodeId node) {
        return Optional.ofNullable(samples.get(node));
    }

    /** All samples, in member order. */
    public Collection<LoadSample> samples() {
        return Collections.unmodifiableCollection(samples.values());
    }

    public boolean isEmpty() {
        return samples.isEmpty();
    }

    public LoadTable with(LoadSample sample) {
        return merge(of(List.of(sample)));
    }

    /** The later sample of each node that either table knows; this very table when the other has nothing new. */
    public LoadTable merge(LoadTable other) {
        TreeMap<NodeId, LoadSample> merged = new TreeMap<>(samples);
        other.samples.forEach((node, sample) -> merged.merge(node, sample, LoadSample::join));
        return merged.equals(samples) ? this : new LoadTable(merged);
    }

    /** This table without the nodes of which the condition is false, for example that they are members. */
    public LoadTable onlyOf(Predicate<NodeId> isWanted) {
        TreeMap<NodeId, LoadSample> left = new TreeMap<>(samples);
        return left.keySet().removeIf(node -> !isWanted.test(node)) ? new LoadTable(left) : this;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof LoadTable that && samples.equals(that.samples);
    }

    @Override
    public int hashCode() {
        return samples.hashCode();
    }

    @Override
    public String toString() {
        return samples.values().toString();
    }
}
