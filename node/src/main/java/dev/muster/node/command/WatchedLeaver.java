package dev.muster.node.command;

import dev.muster.node.client.ClusterView;
import dev.muster.node.client.ClusterView.Row;
import dev.muster.node.client.PartitionView;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What a member that leaves still hosts, one look at the table between two looks at the members.
 *
 * <p>The table of many partitions is megabytes, and the asked node is busy with handing over too. So it is looked at
 * seldom as long as nothing is decided, and at once when the member is exiting, for it is not for long.
 */
final class WatchedLeaver {

    private static final long BETWEEN_TABLES_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Of the time at most one part in so many and one more goes into looking at the table. */
    private static final int PAUSES_OF_ANSWERS = 10;

    private Optional<Row> member;
    private List<String> paths = List.of();
    private boolean isKnown;
    private String askedAs = "";
    private long askedNanos;
    private long tookNanos;

    WatchedLeaver(Row leaver) {
        member = Optional.of(leaver);
    }

    boolean wantsTable(long nowNanos) {
        long atLeast = isDraining() ? Math.max(BETWEEN_TABLES_NANOS, PAUSES_OF_ANSWERS * tookNanos) : tookNanos;
        return !status().equals(askedAs) || nowNanos - askedNanos >= atLeast;
    }

    /** The table has been asked for, whether or not somebody answered. */
    void asked(long startNanos, long endNanos) {
        askedAs = status();
        askedNanos = endNanos;
        tookNanos = endNanos - startNanos;
    }

    /**
     * Returns whether it has gone. Rows of that moment tell nothing: what it had may be elsewhere already.
     *
     * @param table if it was looked at since the last look at the members
     */
    boolean look(Optional<PartitionView> table, ClusterView members) {
        Row before = member.orElseThrow();
        boolean wasDraining = isDraining();
        member = members.members().stream().filter(before::isSameAs).findFirst();
        if (member.isPresent()) {
            table.ifPresent(rows -> {
                List<String> now = rows.pathsOn(before.shortName());
                boolean wereLeft = isKnown && paths.containsAll(now);
                paths = now;
                // Nobody gives anything to one that leaves, and one that is exiting gives nothing away any more. But
                // that it is exiting may be heard of before the rows of what it has given away.
                isKnown = paths.isEmpty() || !wasDraining && (rows.hasConverged() || wereLeft);
            });
        }
        return member.isEmpty();
    }

    boolean isKnown() {
        return isKnown;
    }

    List<String> paths() {
        return paths;
    }

    private boolean isDraining() {
        return List.of("Up", "Leaving").contains(status());
    }

    private String status() {
        return member.map(Row::status).orElse("");
    }
}
