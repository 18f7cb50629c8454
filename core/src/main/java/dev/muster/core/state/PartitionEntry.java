package dev.muster.core.state;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One row of the partition table: where the instances of one path are. Of two rows for a path the one with the higher
 * epoch counts, and of two with one epoch, which two leaders on two sides of a split may have written, the one of the
 * higher writer.
 */
public final class PartitionEntry {
    /** Nobody gets here by writing; whoever is, makes sure that nobody can write any more. */
    public static final long HIGHEST_EPOCH = 1L << 60;

    private final PartitionPath path;
    private final long epoch;
    private final NodeId writer;
    private final PartitionSpec spec;
    private final List<NodeId> instances;
    private final boolean isDeleted;
    private final Optional<PartitionMove> move;
    private final TableDigest digest;

    /**
     * @param epoch grows with every change of this row, and no leader uses one twice
     * @param writer the leader that wrote it
     * @param instances the hosts, in the order in which they were chosen, each once
     * @param isDeleted the path is no partition any more; the row stays so that an older one does not bring it back
     */
    public PartitionEntry(
            PartitionPath path,
            long epoch,
            NodeId writer,
            PartitionSpec spec,
            List<NodeId> instances,
            boolean isDeleted) {
        this(path, epoch, writer, spec, instances, isDeleted, Optional.empty());
    }

    /** @param move the pending change, or the change that made this row what it is */
    public PartitionEntry(
            PartitionPath path,
            long epoch,
            NodeId writer,
            PartitionSpec spec,
            List<NodeId> instances,
            boolean isDeleted,
            Optional<PartitionMove> move) {
        this.path = Objects.requireNonNull(path, "path");
        this.epoch = epoch;
        this.writer = Objects.requireNonNull(writer, "writer");
        this.spec = Objects.requireNonNull(spec, "spec");
        this.instances = List.copyOf(instances);
        this.isDeleted = isDeleted;
        this.move = Objects.requireNonNull(move, "move");
        if (epoch < 1 || epoch > HIGHEST_EPOCH) {
            throw new IllegalArgumentException(
                    "epochs of " + path + " are from 1 to " + HIGHEST_EPOCH + ", not " + epoch);
        }
        if (instances.stream().distinct().count() != instances.size()) {
            throw new IllegalArgumentException(path + " has two instances on one node: " + instances);
        }
        if (isDeleted && !instances.isEmpty()) {
            throw new IllegalArgumentException(path + " is deleted but has instances: " + instances);
        }
        move.ifPresent(this::requireFitting);
        this.digest = TableDigest.ofText(toString());
    }

    private void requireFitting(PartitionMove it) {
        NodeId host = it.isPending() ? it.from() : it.to();
        NodeId other = it.isPending() ? it.to() : it.from();
        if (!instances.contains(host) || instances.contains(other)) {
            throw new IllegalArgumentException(path + " " + it + ", but its instances are " + instances);
        }
        if (it.id() < 1 || it.id() > epoch) {
            throw new IllegalArgumentException(path + " at epoch " + epoch + " " + it);
        }
    }

    public PartitionPath path() {
        return path;
    }

    public long epoch() {
        return epoch;
    }

    public NodeId writer() {
        return writer;
    }

    public PartitionSpec spec() {
        return spec;
    }

    public List<NodeId> instances() {
        return instances;
    }

    public boolean isDeleted() {
        return isDeleted;
    }

    /** The pending change of this row, or the change that made it what it is. */
    public Optional<PartitionMove> move() {
        return move;
    }

    /** The pending change, if there is one. */
    public Optional<PartitionMove> pending() {
        return move.filter(PartitionMove::isPending);
    }

    TableDigest digest() {
        return digest;
    }

    public boolean isOn(NodeId node) {
        return instances.contains(node);
    }

    /** The one of the two that counts. */
    public PartitionEntry later(PartitionEntry other) {
        if (epoch != other.epoch) {
            return epoch > other.epoch ? this : other;
        }
        int byWriter = writer.compareTo(other.writer);
        if (byWriter != 0) {
            return byWriter > 0 ? this : other;
        }
        // One writer uses no epoch twice; should it have done so after all, everybody must still choose alike.
        return digest.compareTo(other.digest) >= 0 ? this : other;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartitionEntry entry
                && epoch == entry.epoch
                && isDeleted == entry.isDeleted
                && path.equals(entry.path)
                && writer.equals(entry.writer)
                && spec.equals(entry.spec)
                && instances.equals(entry.instances)
                && move.equals(entry.move);
    }

    @Override
    public int hashCode() {
        return digest.hashCode();
    }

    @Override
    public String toString() {
        return path + " epoch " + epoch + " by " + writer + (isDeleted ? " deleted" : " on " + instances) + ", wanted "
                + spec.instances() + (spec.isScaled() ? " to " + spec.most() : "")
                + (spec.hint() > 0 ? ", about " + spec.hint() : "")
                + (spec.role().isEmpty() ? "" : " of " + spec.role()) + ", " + spec.policy()
                + move.map(it -> ", " + it).orElse("");
    }
}
