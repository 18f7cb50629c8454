package dev.muster.core.state;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SortedMap;

/**
 * What a node says about its own load: one measurement, or better the average since the last one.
 *
 * @param sequence counts the samples of this incarnation; a higher one replaces a lower one
 * @param cpuLoad how busy its processors are, from 0 to 1
 * @param gcShare how much of the time went into collecting garbage, from 0 to 1
 * @param waiting messages in the mailboxes of all partitions that it hosts
 * @param busiest the few partitions with the most messages waiting, the fullest first; only those with any. With many
 *     partitions the rest is known as a sum, which keeps samples small
 */
public record LoadSample(
        NodeId node, long sequence, double cpuLoad, double gcShare, long waiting, List<Mailbox> busiest) {
    public static final int MOST_NAMED = 16;

    /** More than any node can hold, and little enough to be added up many times. */
    public static final long MOST_WAITING = 1L << 40;

    /** The messages that wait for the instance of a path. */
    public record Mailbox(PartitionPath path, long waiting) {
        static final Comparator<Mailbox> FULLEST_FIRST =
                Comparator.comparingLong(Mailbox::waiting).reversed().thenComparing(Mailbox::path);

        public Mailbox {
            Objects.requireNonNull(path, "path");
            requireCount("messages waiting for " + path, waiting);
        }
    }

    // Says which of two samples with one number to believe. That never happens to an honest node, but if it did, all
    // nodes must believe the same one.
    private static final Comparator<LoadSample> LATER_OR_LARGER = Comparator.comparingLong(LoadSample::sequence)
            .thenComparingDouble(LoadSample::cpuLoad)
            .thenComparingDouble(LoadSample::gcShare)
            .thenComparingLong(LoadSample::waiting)
            .thenComparing(LoadSample::busiest, LoadSample::compareMailboxes);

    public LoadSample {
        Objects.requireNonNull(node, "node");
        if (sequence < 0) {
            throw new IllegalArgumentException(
                    "sequence of a load sample of " + node + " must not be negative, was " + sequence);
        }
        requireCount("messages waiting on " + node, waiting);
        requireShare("cpu load of " + node, cpuLoad);
        requireShare("gc share of " + node, gcShare);
        busiest = busiest.stream().sorted(Mailbox.FULLEST_FIRST).toList();
        if (busiest.size() > MOST_NAMED) {
            throw new IllegalArgumentException("a load sample of " + node + " names " + busiest.size()
                    + " partitions; name the " + MOST_NAMED + " busiest");
        }
        if (busiest.stream().map(Mailbox::path).distinct().count() < busiest.size()) {
            throw new IllegalArgumentException("a load sample of " + node + " names a partition twice: " + busiest);
        }
        if (sum(busiest) > waiting) {
            throw new IllegalArgumentException("messages waiting on " + node + " must include those of the partitions "
                    + "named, which are " + sum(busiest) + ", was " + waiting);
        }
    }

    private static void requireCount(String what, long value) {
        if (value < 0 || value > MOST_WAITING) {
            throw new IllegalArgumentException(what + " must be from 0 to " + MOST_WAITING + ", was " + value);
        }
    }

    private static void requireShare(String what, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(what + " must be between 0 and 1, was " + value);
        }
    }

    /** A sample that names the busiest of these mailboxes and adds up the others. */
    public static LoadSample of(
            NodeId node, long sequence, double cpuLoad, double gcShare, SortedMap<PartitionPath, Long> mailboxes) {
        List<Mailbox> busiest = mailboxes.entrySet().stream()
                .map(entry -> new Mailbox(entry.getKey(), entry.getValue()))
                .filter(mailbox -> mailbox.waiting > 0)
                .sorted(Mailbox.FULLEST_FIRST)
                .limit(MOST_NAMED)
                .toList();
        long waiting = mailboxes.values().stream().mapToLong(Long::longValue).sum();
        return new LoadSample(node, sequence, cpuLoad, gcShare, waiting, busiest);
    }

    /** What waits for the instance of a path, if this sample names it. */
    public OptionalLong waitingFor(PartitionPath path) {
        return busiest.stream()
                .filter(mailbox -> mailbox.path.equals(path))
                .mapToLong(Mailbox::waiting)
                .findAny();
    }

    /** The same, also for a partition that is not named because nothing waits for it; empty if that is not known. */
    public OptionalLong knownToWaitFor(PartitionPath path) {
        OptionalLong named = waitingFor(path);
        return named.isPresent() || waitingUnnamed() > 0 ? named : OptionalLong.of(0);
    }

    /** What waits for all the partitions that this sample does not name. */
    public long waitingUnnamed() {
        return waiting - sum(busiest);
    }

    private static long sum(List<Mailbox> mailboxes) {
        return mailboxes.stream().mapToLong(Mailbox::waiting).sum();
    }

    /** The one of two samples of a node to believe. */
    public LoadSample join(LoadSample other) {
        return LATER_OR_LARGER.compare(this, other) >= 0 ? this : other;
    }

    private static int compareMailboxes(List<Mailbox> some, List<Mailbox> others) {
        for (int i = 0; i < Math.min(some.size(), others.size()); i++) {
            int order = Mailbox.FULLEST_FIRST.compare(some.get(i), others.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(some.size(), others.size());
    }
}
