package dev.muster.core.partition;

import dev.muster.core.state.Member;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * What is to become of a partition and what holds that up, in sentences, as far as whoever leads can tell: nobody else
 * has the queue of moves, and who failed was said to the leader alone.
 */
final class Prospects {
    private final PartitionTable table;
    private final Members members;
    private final EligibleNodes hosts;
    private final PartitionSettings settings;
    private final MoveQueue queue;
    private final BarredHosts barred;
    private final long nowNanos;

    Prospects(
            PartitionTable table,
            Members members,
            EligibleNodes hosts,
            PartitionSettings settings,
            MoveQueue queue,
            BarredHosts barred,
            long nowNanos) {
        this.table = table;
        this.members = members;
        this.hosts = hosts;
        this.settings = settings;
        this.queue = queue;
        this.barred = barred;
        this.nowNanos = nowNanos;
    }

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }

    /** Each move of it that waits in the queue, with its place there, and what the move waits for. */
    List<String> queued(PartitionEntry row) {
        List<String> sentences = new ArrayList<>();
        List<Move> waiting = queue.waiting();
        Optional<Move> asked = queue.askedFor(row.path());
        for (int i = 0; i < waiting.size(); i++) {
            Move move = waiting.get(i);
            if (move.path().equals(row.path())) {
                String why = asked.filter(move::equals).isPresent()
                        ? "for which " + queue.askedBy(row.path()).orElseThrow() + " was asked"
                        : "as rebalancing has planned: it " + move.reason();
                sentences.add("it waits to be moved from " + move.from() + " to " + move.to() + ", number " + (i + 1)
                        + " of " + waiting.size() + " in the queue of moves, " + why);
                hold(row, move.to()).ifPresent(sentences::add);
            }
        }
        return sentences;
    }

    /** What keeps a move of it there from beginning. */
    Optional<String> hold(PartitionEntry row, NodeId to) {
        if (row.pending().isPresent()) {
            return Optional.of("its next move begins when the one that is under way is over");
        }
        List<RowDraft> drafts = table.entries().values().stream()
                .filter(it -> !it.isDeleted())
                .map(RowDraft::of)
                .toList();
        MoveRoom room = new MoveRoom(drafts, settings.mostParallelMoves());
        if (room.isEmpty()) {
            return Optional.of("no move begins now, because " + settings.mostParallelMoves()
                    + " are under way, which is as many as may be at once (most-parallel-moves)");
        }
        return room.take(to)
                ? Optional.empty()
                : Optional.of("no move to " + to + " begins now, because that node is getting as many as it may at "
                        + "once: one more than it has");
    }

    /** Who is not to get an instance of it now, and why. */
    List<String> leftOut(PartitionPath path, String role) {
        List<String> sentences = new ArrayList<>();
        SortedMap<NodeId, BarredHosts.Bar> bars = barred.barsOf(path, nowNanos);
        boolean isAnybodyElse = hosts.sizeOf(role)
                > bars.keySet().stream()
                        .filter(it -> hosts.whyNot(it, role).isEmpty())
                        .count();
        bars.forEach((node, bar) -> sentences.add(node + " could not start it, or take it over: " + bar.why()
                + "; while somebody else can host it, that node is left out for another "
                + seconds(bar.untilNanos() - nowNanos) + (isAnybodyElse ? "" : ", but now nobody else can")));
        return sentences;
    }

    /** Versions of the application that differ keep everything from being evened out, but not from being moved. */
    Optional<String> frozen() {
        SortedSet<String> versions = settings.rebalance().freezing(EligibleNodes.of(members, Member::isMuster));
        return versions.isEmpty()
                ? Optional.empty()
                : Optional.of("nothing is evened out while members run different versions of the application, "
                        + String.join(", ", versions) + "; what people ask for, and what hosts must give away, moves");
    }
}
