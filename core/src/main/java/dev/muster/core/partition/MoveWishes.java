package dev.muster.core.partition;

import dev.muster.core.exchange.ClusterEvent.CommandRefused;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What people asked this node to have moved. Whoever leads is told again and again, so that nothing is lost with a
 * message or with a leader; and what does not begin in time is refused rather than forgotten.
 *
 * <p>A wish for one move names the row by which this node still has it. Each row comes to this node before the leader
 * writes the next one, so it sees its wish begin whatever happens then, and what was said by an older row counts no
 * more. A wish to even things out has a number, for the same reason.
 */
final class MoveWishes {
    static final long TELL_AGAIN_NANOS = 1_000_000_000L;
    static final long LONGEST_NANOS = 60_000_000_000L;

    /** So long before it is refused nobody is told of a wish any more, so that it is not granted afterwards. */
    private static final long SILENT_NANOS = MoveQueue.FORGET_NANOS + TELL_AGAIN_NANOS;

    private record Wish(Command.Migrate command, long untilNanos) {}

    private final TreeMap<PartitionPath, Wish> moves = new TreeMap<>();
    private long rebalancing; // the number of the last wish to even things out
    private long rebalanceUntilNanos = Long.MIN_VALUE;
    private long nextTellNanos = Long.MAX_VALUE;

    void move(Command.Migrate wish, long nowNanos) {
        moves.put(wish.path(), new Wish(wish, nowNanos + LONGEST_NANOS));
        nextTellNanos = nowNanos;
    }

    /** The leader said no. Returns what somebody here had wanted. */
    Optional<Command.Migrate> forget(PartitionPath path) {
        return Optional.ofNullable(moves.remove(path)).map(Wish::command);
    }

    /** Where this node was asked to have it moved, and for how much longer it is told to whoever leads. */
    Optional<String> wantedHere(PartitionPath path, long nowNanos) {
        return Optional.ofNullable(moves.get(path))
                .map(wish -> "this node was asked to have it moved to "
                        + wish.command().to() + ", and refuses that in "
                        + Prospects.seconds(Math.max(0, wish.untilNanos() - nowNanos))
                        + " if it has not begun by then");
    }

    void rebalance(long nowNanos) {
        rebalancing++;
        rebalanceUntilNanos = nowNanos + LONGEST_NANOS;
        nextTellNanos = nowNanos;
    }

    /** Forgets what has begun and what has waited for too long. Returns what will not be. */
    List<CommandRefused> settle(PartitionTable table, Members members, long nowNanos) {
        if (nowNanos >= rebalanceUntilNanos) {
            rebalanceUntilNanos = Long.MIN_VALUE; // what is not planned by now can be asked for again
        }
        List<CommandRefused> refused = new ArrayList<>();
        for (Iterator<Wish> it = moves.values().iterator(); it.hasNext(); ) {
            Wish wish = it.next();
            PartitionEntry row = table.find(wish.command().path()).orElse(null);
            if (row == null) {
                it.remove();
                refused.add(new CommandRefused(
                        wish.command(), "the partition " + wish.command().path() + " has ended"));
            } else if (isSeen(row, wish.command().to(), members)) {
                it.remove();
            } else if (nowNanos >= wish.untilNanos()) {
                it.remove();
                refused.add(new CommandRefused(wish.command(), tooLate(row)));
            }
        }
        return refused;
    }

    private static String tooLate(PartitionEntry row) {
        return "it could not begin within " + LONGEST_NANOS / 1_000_000_000L + " s; explain partition " + row.path()
                + " says what holds up whoever leads the table, then ask again";
    }

    /** One that ran at the same address before is another node, and its instance is lost. */
    private static boolean isSeen(PartitionEntry row, NodeAddress to, Members members) {
        return row.instances().stream().anyMatch(it -> isThere(it, to, members))
                || row.pending().filter(it -> isThere(it.to(), to, members)).isPresent();
    }

    private static boolean isThere(NodeId node, NodeAddress to, Members members) {
        return node.address().equals(to) && members.has(node);
    }

    /** What to say to the leader now, if it is time to; asked after {@link #settle}. */
    List<TableMessage> due(PartitionTable table, NodeId leader, long nowNanos) {
        List<TableMessage> due = new ArrayList<>();
        if (isEmpty() || nowNanos < nextTellNanos) {
            return due;
        }
        moves.forEach((path, wish) -> {
            Command.Migrate move = wish.command();
            if (nowNanos < wish.untilNanos() - SILENT_NANOS) {
                long epoch = table.row(path).epoch();
                due.add(new TableMessage.WantMove(leader, path, move.to(), move.from(), epoch));
            }
        });
        if (wantsRebalance()) {
            due.add(new TableMessage.WantRebalance(leader, rebalancing));
        }
        nextTellNanos = nowNanos + TELL_AGAIN_NANOS;
        return due;
    }

    private boolean isEmpty() {
        return moves.isEmpty() && !wantsRebalance();
    }

    private boolean wantsRebalance() {
        return rebalanceUntilNanos != Long.MIN_VALUE;
    }

    /** When whoever leads is told next. */
    long nextTellNanos() {
        return isEmpty() ? Long.MAX_VALUE : nextTellNanos;
    }

    /** When a wish has waited for too long, whether anybody leads or not. */
    long nextOverNanos() {
        long next = wantsRebalance() ? rebalanceUntilNanos : Long.MAX_VALUE;
        for (Wish wish : moves.values()) {
            next = Math.min(next, wish.untilNanos());
        }
        return next;
    }
}
