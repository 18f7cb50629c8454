package dev.muster.core.handoff;

import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import java.util.List;
import java.util.Optional;

/**
 * Where a node sends what it has for a partition. Whoever owns a route chooses a host and sends under one lock, and
 * calls {@link #onRow} under the same one: a node that is no host any more must hear so after the last message that was
 * sent to it, and before the first one that goes to another.
 *
 * @param <M> a message of users
 */
public final class PartitionRoute<M> {
    private final Hands<M> hands;
    private Optional<PartitionEntry> row = Optional.empty();

    public PartitionRoute(Hands<M> hands) {
        this.hands = hands;
    }

    /** Where instances are, in the order of the row; none if it is not known, or there is none. */
    public List<NodeId> hosts() {
        return row.map(PartitionEntry::instances).orElse(List.of());
    }

    public Optional<PartitionEntry> row() {
        return row;
    }

    /** The table has a new row for this partition. */
    public void onRow(PartitionEntry next) {
        List<NodeId> before = hosts();
        row = Optional.of(next);
        for (NodeId host : before) {
            if (!next.isOn(host)) {
                hands.send(host, new GateMessage.RouteSwitched<>(next.epoch()));
            }
        }
        next.move()
                .filter(move -> !move.isPending() && !before.contains(move.from()))
                .ifPresent(move -> hands.send(move.from(), new GateMessage.RouteSwitched<>(next.epoch())));
    }

    /**
     * A former host wants to know whether this node has heard of its move. It may have become a host again since; what
     * was sent to it before has been sent all the same.
     */
    public void onAsked(NodeId host, GateMessage.RouteAsked<M> asked) {
        row.filter(it -> it.epoch() > asked.move()
                        && it.pending()
                                .filter(move -> move.id() == asked.move())
                                .isEmpty())
                .ifPresent(it -> hands.send(host, new GateMessage.RouteSwitched<>(it.epoch())));
    }
}
