package dev.muster.core.partition;

import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where those were that ended and must be alone. They may still be at their last message, of which no row tells; one
 * that is wanted again waits for that in the same place, or until it hears that it is over.
 *
 * <p>Every node notes it when it learns of the end, so that the next leader knows it too. Whoever came later does not.
 */
final class EndedHosts {

    /** Who had it when it last had anybody. */
    private record Ended(long epoch, List<NodeId> hosts) {

        private Ended without(NodeId gone) {
            return new Ended(
                    epoch, hosts.stream().filter(host -> !host.equals(gone)).toList());
        }
    }

    private final TreeMap<PartitionPath, Ended> ended = new TreeMap<>();
    private PartitionTable followed = PartitionTable.EMPTY;

    /** Whoever is to write by a table has followed it before. */
    void follow(PartitionTable next) {
        if (next != followed) {
            PartitionTable before = followed;
            followed = next;
            next.newSince(before).forEach(row -> follow(before.row(row.path()), row));
        }
    }

    private void follow(PartitionEntry before, PartitionEntry now) {
        if (!now.instances().isEmpty()) {
            ended.remove(now.path());
        } else if (before != null
                && !before.instances().isEmpty()
                && before.spec().policy().isExclusive()) {
            ended.put(now.path(), new Ended(before.epoch(), before.instances()));
        }
    }

    /** The instance of a host was gone by that epoch. Returns whether that is news. */
    boolean isOver(PartitionPath path, NodeId host, long byEpoch) {
        Ended before = ended.get(path);
        boolean isNews = before != null && before.hosts.contains(host) && byEpoch > before.epoch;
        if (isNews) {
            ended.put(path, before.without(host));
        }
        return isNews;
    }

    /** Who has gone is at nothing any more, or is waited for like any lost host. */
    void forgetGone(Members members) {
        ended.values().removeIf(all -> all.hosts.stream().noneMatch(members::has));
    }

    /** What a host may be at the last message of. */
    List<PartitionPath> of(NodeId host) {
        return ended.entrySet().stream()
                .filter(it -> it.getValue().hosts.contains(host))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Nobody, if it was not there, has begun again, or is known to be over. */
    List<NodeId> of(PartitionPath path) {
        Ended all = ended.get(path);
        return all == null ? List.of() : all.hosts;
    }
}
