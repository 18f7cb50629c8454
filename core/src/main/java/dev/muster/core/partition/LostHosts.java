package dev.muster.core.partition;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Hosts that were removed and may not know it yet, and which instances went with them that must be alone: nobody else
 * may begin with those before the down-removal-margin has passed.
 *
 * <p>The row does without such a host at once, so it does not tell afterwards whom to wait for. Every node notes it
 * when it sees the member go, which is before the leader writes; so the next leader waits as well. One that has come
 * only since cannot have seen that. It waits from when it sees the row, if that still names the host, and else from
 * when it came.
 */
final class LostHosts {
    private final long marginNanos;
    /** When this node saw hosts go that might still be at work. */
    private final TreeMap<NodeId, Long> goneSinceNanos = new TreeMap<>();
    /** What was theirs, and since when it has nobody. */
    private final TreeMap<PartitionPath, TreeMap<NodeId, Long>> losses = new TreeMap<>();
    /** Until when a host may be at work that went before this node came. */
    private long strangersUntilNanos = Long.MIN_VALUE;
    /** Whether anybody had ever gone when this node came. */
    private boolean areStrangersKnown;

    LostHosts(long marginNanos) {
        this.marginNanos = marginNanos;
    }

    void follow(Members before, ClusterState state, PartitionTable table, long nowNanos) {
        Members after = state.members();
        forgetGone(nowNanos);
        if (before.size() == 0) {
            areStrangersKnown = !state.tombstones().isEmpty();
            strangersUntilNanos = areStrangersKnown || after.size() > 1 ? nowNanos + marginNanos : Long.MIN_VALUE;
        }
        for (Member member : before) {
            // One that went in good order has nothing left. Its time may have been up, or nobody may have heard of it.
            boolean mayBeAtWork = member.status() != MemberStatus.EXITING || isHost(member.id(), table);
            if (mayBeAtWork && !after.has(member.id())) {
                goneSinceNanos.put(member.id(), nowNanos);
            }
        }
        note(table, after, nowNanos);
    }

    private static boolean isHost(NodeId node, PartitionTable table) {
        return table.entries().values().stream().anyMatch(row -> !row.isDeleted() && isHost(node, row));
    }

    /** Or about to be one, which it may have become without a word. */
    private static boolean isHost(NodeId node, PartitionEntry row) {
        return row.isOn(node)
                || row.pending().filter(it -> it.to().equals(node)).isPresent();
    }

    private void forgetGone(long nowNanos) {
        goneSinceNanos.values().removeIf(since -> nowNanos - since >= marginNanos);
    }

    /** Looks at the table once more: rows may have come later than the news that their host is gone. */
    void look(PartitionTable table, Members members, long nowNanos) {
        forgetGone(nowNanos);
        note(table, members, nowNanos);
    }

    private void note(PartitionTable table, Members members, long nowNanos) {
        if (goneSinceNanos.isEmpty() && nowNanos >= strangersUntilNanos) {
            return;
        }
        for (PartitionEntry row : table.entries().values()) {
            if (!row.isDeleted() && row.spec().policy().isExclusive()) {
                row.instances().forEach(host -> note(row, host, members, nowNanos));
            }
        }
    }

    private void note(PartitionEntry row, NodeId host, Members members, long nowNanos) {
        TreeMap<NodeId, Long> noted = losses.get(row.path());
        boolean isNoted = noted != null && noted.containsKey(host);
        Long since = goneSinceNanos.get(host);
        if (since == null && !isNoted && !members.has(host)) {
            since = nowNanos;
        }
        // What was being handed over may have been at work at the other end, if that is lost too.
        Long other = row.pending()
                .filter(it -> it.from().equals(host))
                .map(it -> goneSinceNanos.get(it.to()))
                .orElse(null);
        boolean isLost = since != null || isNoted;
        if (isLost) {
            long latest = Math.max(since == null ? Long.MIN_VALUE : since, other == null ? Long.MIN_VALUE : other);
            losses.computeIfAbsent(row.path(), it -> new TreeMap<>()).merge(host, latest, Math::max);
        }
    }

    /** A host has gone that was to end its instance of it, and had not said that it has. No row tells of that. */
    void add(PartitionPath path, NodeId host, long nowNanos) {
        losses.computeIfAbsent(path, it -> new TreeMap<>()).put(host, nowNanos);
    }

    /** How many instances of it were lost and have not been seen to since. */
    int lostOf(PartitionPath path) {
        return losses.containsKey(path) ? losses.get(path).size() : 0;
    }

    /** The hosts that an instance of it has to be waited for. */
    List<NodeId> awaited(PartitionPath path, long nowNanos) {
        List<NodeId> awaited = new ArrayList<>();
        if (losses.containsKey(path)) {
            losses.get(path).forEach((host, since) -> {
                if (nowNanos - since < marginNanos) {
                    awaited.add(host);
                }
            });
        }
        return awaited;
    }

    boolean isGoneForLessThanTheMargin(NodeId host, long nowNanos) {
        Long since = goneSinceNanos.get(host);
        return since == null ? nowNanos < strangersUntilNanos : nowNanos - since < marginNanos;
    }

    /**
     * Whether any host may still be at work.
     *
     * @param isNew whether the partition is new to the table. It may have been in one that went with all who had it;
     *     but where nobody has ever gone there was none, and a young cluster need not wait
     */
    boolean isAnyAwaited(boolean isNew, long nowNanos) {
        boolean mayBeStrangers = nowNanos < strangersUntilNanos && (areStrangersKnown || !isNew);
        return mayBeStrangers || !goneSinceNanos.isEmpty();
    }

    /** What was waited for long enough has been seen to. */
    void forgetOver(long nowNanos) {
        losses.values().forEach(hosts -> hosts.values().removeIf(since -> nowNanos - since >= marginNanos));
        losses.values().removeIf(TreeMap::isEmpty);
    }

    /** When the next one has been waited for. */
    long nextOverNanos(long nowNanos) {
        long next = Stream.concat(
                        goneSinceNanos.values().stream(),
                        losses.values().stream().flatMap(hosts -> hosts.values().stream()))
                .mapToLong(since -> since + marginNanos)
                .filter(over -> over > nowNanos)
                .min()
                .orElse(Long.MAX_VALUE);
        return nowNanos < strangersUntilNanos ? Math.min(next, strangersUntilNanos) : next;
    }
}
