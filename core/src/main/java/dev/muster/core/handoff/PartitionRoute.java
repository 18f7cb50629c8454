package dev.muster.core.handoff;

import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

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
    /** Null as long as nothing was said about them. */
    private SortedSet<NodeId> members;

    private List<NodeId> hosts = List.of();

    public PartitionRoute(Hands<M> hands) {
        this.hands = hands;
    }

    /**
     * Where instances are that can be sent to, in the order of the row; none if there is none, or it is not known.
     *
     * <p>A host that was removed stays in its row until the leader writes the next one. It may still be at work, and
     * nobody would know what it makes of a message, or when.
     */
    public List<NodeId> hosts() {
        return hosts;
    }

    private List<NodeId> instances() {
        return row.map(PartitionEntry::instances).orElse(List.of());
    }

    /** These are members now. */
    public void onMembers(SortedSet<NodeId> present) {
        members = present;
        choose();
    }

    private void choose() {
        List<NodeId> all = instances();
        hosts = members == null || members.containsAll(all)
                ? all
                : all.stream().filter(members::contains).toList();
    }

    public Optional<PartitionEntry> row() {
        return row;
    }

    /** The table has a new row for this partition. */
    public void onRow(PartitionEntry next) {
        List<NodeId> before = instances();
        row = Optional.of(next);
        choose();
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
