package dev.muster.core.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Everything one observer says of others. Only the observer itself writes it, and each change raises its version by
 * one, so of two copies the one with the higher version is the truth, whole.
 *
 * @param records sorted by subject; a subject that is reachable again has no record
 */
public record ReachabilityRow(NodeId observer, long version, List<Observation> records)
        implements Comparable<ReachabilityRow> {

    /** One remark: the subject, what is said of it, and the row's version when it was said. */
    public record Observation(NodeId subject, ReachabilityStatus status, long version) {
        public Observation {
            Objects.requireNonNull(subject, "subject");
            Objects.requireNonNull(status, "status");
        }
    }

    public ReachabilityRow {
        Objects.requireNonNull(observer, "observer");
        if (version < 1) {
            throw new IllegalArgumentException(
                    "reachability row of " + observer + " must have a positive version, was " + version);
        }
        records = List.copyOf(records);
        for (int i = 1; i < records.size(); i++) {
            if (records.get(i - 1).subject().compareTo(records.get(i).subject()) >= 0) {
                throw new IllegalArgumentException("reachability row of " + observer + " is not sorted by subject");
            }
        }
    }

    static ReachabilityRow empty(NodeId observer) {
        return new ReachabilityRow(observer, 1, List.of());
    }

    public ReachabilityStatus statusOf(NodeId subject) {
        int low = 0;
        int high = records.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = records.get(middle).subject().compareTo(subject);
            if (order == 0) {
                return records.get(middle).status();
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return ReachabilityStatus.REACHABLE;
    }

    ReachabilityRow with(NodeId subject, ReachabilityStatus status, long nextVersion) {
        List<Observation> changed = new ArrayList<>(records.size() + 1);
        for (Observation record : records) {
            if (!record.subject().equals(subject)) {
                changed.add(record);
            }
        }
        if (status != ReachabilityStatus.REACHABLE) {
            int at = 0;
            while (at < changed.size() && changed.get(at).subject().compareTo(subject) < 0) {
                at++;
            }
            changed.add(at, new Observation(subject, status, nextVersion));
        }
        return new ReachabilityRow(observer, nextVersion, changed);
    }

    /** This row without subjects that are no longer there; not a change of what the observer says. */
    ReachabilityRow keeping(Predicate<NodeId> subjects) {
        for (Observation record : records) {
            if (!subjects.test(record.subject())) {
                return new ReachabilityRow(
                        observer,
                        version,
                        records.stream().filter(r -> subjects.test(r.subject())).toList());
            }
        }
        return this;
    }

    @Override
    public int compareTo(ReachabilityRow other) {
        return observer.compareTo(other.observer);
    }
}
