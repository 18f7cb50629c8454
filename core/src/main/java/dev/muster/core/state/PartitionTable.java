package dev.muster.core.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where each partition runs: path to instances. A value; two tables merge row by row, so that whoever has heard of the
 * same writes has the same table, in whatever order it heard of them. Specification: "Partitioning".
 */
public final class PartitionTable {
    public static final PartitionTable EMPTY = new PartitionTable(new TreeMap<>(), TableDigest.NONE, 0);

    /** Into so many parts a table is divided to find out where two tables differ. */
    public static final int BUCKETS = 64;

    private final TreeMap<PartitionPath, PartitionEntry> entries;
    private final TableDigest digest;
    private final long revision;

    private PartitionTable(TreeMap<PartitionPath, PartitionEntry> entries, TableDigest digest, long revision) {
        this.entries = entries;
        this.digest = digest;
        this.revision = revision;
    }

    /** All rows, by path, those of deleted partitions too. */
    public SortedMap<PartitionPath, PartitionEntry> entries() {
        return Collections.unmodifiableSortedMap(entries);
    }

    /** The row of a path; empty if it is no partition, or no longer. */
    public Optional<PartitionEntry> find(PartitionPath path) {
        return Optional.ofNullable(entries.get(path)).filter(entry -> !entry.isDeleted());
    }

    /** The row of a path, also of a deleted one; null if there never was one. */
    public PartitionEntry row(PartitionPath path) {
        return entries.get(path);
    }

    /** Equal for equal tables, and only for these. */
    public TableDigest digest() {
        return digest;
    }

    /** The highest epoch in it. Whoever writes uses higher ones. */
    public long revision() {
        return revision;
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    public int size() {
        return entries.size();
    }

    /** What both know. Returns this table itself if it knows all that already. */
    public PartitionTable merge(Collection<PartitionEntry> others) {
        TreeMap<PartitionPath, PartitionEntry> merged = null;
        TableDigest sum = digest;
        long highest = revision;
        for (PartitionEntry other : others) {
            PartitionEntry mine = (merged == null ? entries : merged).get(other.path());
            if (mine != null && mine.later(other) == mine) {
                continue;
            }
            if (merged == null) {
                merged = new TreeMap<>(entries);
            }
            merged.put(other.path(), other);
            sum = (mine == null ? sum : sum.minus(mine.digest())).plus(other.digest());
            highest = Math.max(highest, other.epoch());
        }
        return merged == null ? this : new PartitionTable(merged, sum, highest);
    }

    public PartitionTable merge(PartitionTable other) {
        return merge(other.entries.values());
    }

    /** The rows that are not the same in that table, of which this one is a later state; by path. */
    public List<PartitionEntry> newSince(PartitionTable before) {
        List<PartitionEntry> news = new ArrayList<>();
        // Both are in order, and rows only come: one walk beside the other spares a search for each row.
        Iterator<PartitionEntry> old = before.entries.values().iterator();
        PartitionEntry next = old.hasNext() ? old.next() : null;
        for (PartitionEntry entry : entries.values()) {
            boolean isThere = next != null && next.path().equals(entry.path());
            if (!isThere || next != entry) {
                news.add(entry);
            }
            if (isThere) {
                next = old.hasNext() ? old.next() : null;
            }
        }
        return news;
    }

    /** A digest for each part of the table. */
    public long[] buckets() {
        long[] buckets = new long[BUCKETS];
        for (PartitionEntry entry : entries.values()) {
            buckets[bucket(entry.path())] += entry.digest().high();
        }
        return buckets;
    }

    /** The rows of those parts in which the other table differs from this one. */
    public List<PartitionEntry> differing(long[] theirs) {
        long[] mine = buckets();
        List<PartitionEntry> found = new ArrayList<>();
        for (PartitionEntry entry : entries.values()) {
            int bucket = bucket(entry.path());
            if (mine[bucket] != theirs[bucket]) {
                found.add(entry);
            }
        }
        return found;
    }

    private static int bucket(PartitionPath path) {
        int hash = path.text().hashCode();
        return (hash ^ hash >>> 16) & BUCKETS - 1;
    }

    /** The partitions that lie above or below this path: they do not nest. */
    public List<PartitionPath> overlapping(PartitionPath path) {
        return path.overlapsAmong(entries.navigableKeySet()).stream()
                .filter(other -> find(other).isPresent())
                .toList();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartitionTable table && entries.equals(table.entries);
    }

    @Override
    public int hashCode() {
        return digest.hashCode();
    }

    @Override
    public String toString() {
        return entries.size() + " partitions at revision " + revision;
    }
}
