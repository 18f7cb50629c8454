package dev.muster.core.state;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Who says that whom cannot be reached: one row for each observer that ever said so.
 *
 * <p>One accuser is enough to make a member unreachable to all; all accusers must withdraw before it is reachable
 * again. The words of an observer that was declared down do not count.
 *
 * <p>Specification: "Failure Detector".
 */
public final class Reachability {
    public static final Reachability ALL_REACHABLE = new Reachability(List.of());

    private final List<ReachabilityRow> rows; // sorted by observer

    private Reachability(List<ReachabilityRow> rows) {
        this.rows = rows;
    }

    public static Reachability of(List<ReachabilityRow> rows) {
        List<ReachabilityRow> sorted = new ArrayList<>(rows);
        Collections.sort(sorted);
        for (int i = 1; i < sorted.size(); i++) {
            if (sorted.get(i - 1).observer().equals(sorted.get(i).observer())) {
                throw new IllegalArgumentException(
                        "two reachability rows of " + sorted.get(i).observer());
            }
        }
        return sorted.isEmpty() ? ALL_REACHABLE : new Reachability(List.copyOf(sorted));
    }

    public List<ReachabilityRow> rows() {
        return rows;
    }

    public Optional<ReachabilityRow> rowOf(NodeId observer) {
        int low = 0;
        int high = rows.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = rows.get(middle).observer().compareTo(observer);
            if (order == 0) {
                return Optional.of(rows.get(middle));
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return Optional.empty();
    }

    /** The version of an observer's row, 0 when it never said anything. */
    public long versionOf(NodeId observer) {
        return rowOf(observer).map(ReachabilityRow::version).orElse(0L);
    }

    /** What one observer says of one subject. */
    public ReachabilityStatus statusOf(NodeId observer, NodeId subject) {
        return rowOf(observer).map(row -> row.statusOf(subject)).orElse(ReachabilityStatus.REACHABLE);
    }

    /** The observer changes its word on a subject. What was terminated stays so. */
    public Reachability marked(NodeId observer, NodeId subject, ReachabilityStatus status) {
        ReachabilityStatus current = statusOf(observer, subject);
        if (current == status || current == ReachabilityStatus.TERMINATED) {
            return this;
        }
        List<ReachabilityRow> changed = new ArrayList<>(rows);
        changed.removeIf(row -> row.observer().equals(observer));
        long nextVersion = versionOf(observer) + 1;
        changed.add(
                rowOf(observer).orElseGet(() -> ReachabilityRow.empty(observer)).with(subject, status, nextVersion));
        return of(changed);
    }

    /** The strongest word that any observer in {@code counts} has on the subject. */
    public ReachabilityStatus aggregate(NodeId subject, Predicate<NodeId> counts) {
        ReachabilityStatus strongest = ReachabilityStatus.REACHABLE;
        for (ReachabilityRow row : rows) {
            ReachabilityStatus word = row.statusOf(subject);
            if (word.compareTo(strongest) > 0 && counts.test(row.observer())) {
                strongest = word;
            }
        }
        return strongest;
    }

    /** All subjects that some observer in {@code counts} holds unreachable or terminated, with those observers. */
    public SortedMap<NodeId, SortedSet<NodeId>> accusations(Predicate<NodeId> counts) {
        SortedMap<NodeId, SortedSet<NodeId>> accusers = new TreeMap<>();
        for (ReachabilityRow row : rows) {
            if (!row.records().isEmpty() && counts.test(row.observer())) {
                for (ReachabilityRow.Observation record : row.records()) {
                    if (record.status() != ReachabilityStatus.REACHABLE) {
                        accusers.computeIfAbsent(record.subject(), s -> new TreeSet<>())
                                .add(row.observer());
                    }
                }
            }
        }
        return accusers;
    }

    /** All subjects that some observer in {@code counts} holds unreachable or terminated. */
    SortedSet<NodeId> subjectsAccusedBy(Predicate<NodeId> counts) {
        SortedSet<NodeId> accused = new TreeSet<>();
        for (ReachabilityRow row : rows) {
            if (!row.records().isEmpty() && counts.test(row.observer())) {
                for (ReachabilityRow.Observation record : row.records()) {
                    if (record.status() != ReachabilityStatus.REACHABLE) {
                        accused.add(record.subject());
                    }
                }
            }
        }
        return accused;
    }

    /** True when no observer at all has a record. */
    public boolean isAllReachable() {
        for (ReachabilityRow row : rows) {
            if (!row.records().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** The same rows without a word on these subjects. */
    Reachability disregarding(SortedSet<NodeId> subjects) {
        return new Reachability(rows.stream()
                .map(row -> row.keeping(subject -> !subjects.contains(subject)))
                .toList());
    }

    /** Rows and records of these members only; an observer or subject that is gone takes its words along. */
    Reachability keeping(Members members) {
        boolean changed = false;
        List<ReachabilityRow> kept = new ArrayList<>(rows.size());
        for (ReachabilityRow row : rows) {
            if (members.has(row.observer())) {
                ReachabilityRow keptRow = row.keeping(members::has);
                changed |= keptRow != row;
                kept.add(keptRow);
            } else {
                changed = true;
            }
        }
        return !changed ? this : kept.isEmpty() ? ALL_REACHABLE : new Reachability(List.copyOf(kept));
    }

    /** For each observer the row with the higher version. */
    Reachability join(Reachability other) {
        if (this == other || other.rows.isEmpty()) {
            return this;
        }
        if (rows.isEmpty()) {
            return other;
        }
        List<ReachabilityRow> joined = new ArrayList<>(rows.size() + other.rows.size());
        int i = 0;
        int j = 0;
        while (i < rows.size() || j < other.rows.size()) {
            int order = i == rows.size()
                    ? 1
                    : j == other.rows.size() ? -1 : rows.get(i).compareTo(other.rows.get(j));
            ReachabilityRow mine = order <= 0 ? rows.get(i++) : null;
            ReachabilityRow theirs = order >= 0 ? other.rows.get(j++) : null;
            joined.add(mine == null ? theirs : theirs == null ? mine : newer(mine, theirs));
        }
        Reachability result = new Reachability(List.copyOf(joined));
        return result.equals(this) ? this : result.equals(other) ? other : result;
    }

    /** Of equal versions the one with fewer records: the other still names a subject that was removed since. */
    private static ReachabilityRow newer(ReachabilityRow mine, ReachabilityRow theirs) {
        if (mine.version() != theirs.version()) {
            return mine.version() > theirs.version() ? mine : theirs;
        }
        return mine.records().size() <= theirs.records().size() ? mine : theirs;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Reachability that && rows.equals(that.rows);
    }

    @Override
    public int hashCode() {
        return rows.hashCode();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (ReachabilityRow row : rows) {
            for (ReachabilityRow.Observation record : row.records()) {
                text.append(text.isEmpty() ? "" : ", ")
                        .append(row.observer())
                        .append(" -> ")
                        .append(record.subject());
                text.append(' ').append(record.status().displayName());
            }
        }
        return text.toString();
    }
}
