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
import java.util.function.Predicate;

/**
 * Members that leave, and since when. They are exiting only once they have handed over what they host, or their time is
 * up. Specification: "Additional Leader Responsibilities".
 */
final class Drains {
    private final long timeoutNanos;
    private final TreeMap<NodeId, Long> leavingSinceNanos = new TreeMap<>();
    /** Those who have nothing left, and how many changes of the table it takes to know that. */
    private final TreeMap<NodeId, Long> drainedAtChange = new TreeMap<>();

    private Members known = Members.of(List.of());

    Drains(PartitionSettings settings) {
        this.timeoutNanos = settings.drainTimeout().toNanos();
    }

    void follow(ClusterState state, long nowNanos) {
        if (state.members() == known) {
            return;
        }
        known = state.members();
        leavingSinceNanos.keySet().removeIf(id -> known.statusOf(id) != MemberStatus.LEAVING);
        drainedAtChange.keySet().removeIf(id -> known.statusOf(id) != MemberStatus.LEAVING);
        for (Member member : known) {
            if (member.status() == MemberStatus.LEAVING) {
                leavingSinceNanos.putIfAbsent(member.id(), nowNanos);
            }
        }
    }

    boolean isTimeUp(NodeId leaving, long nowNanos) {
        Long since = leavingSinceNanos.get(leaving);
        return since != null && nowNanos - since >= timeoutNanos;
    }

    /**
     * Whether a member has nothing left and knows it. What its instances have not come to it passes on only then, and
     * it would go at once if it heard first that it may.
     */
    boolean isDrained(NodeId leaving, boolean hasNothingLeft, long changes, long knownChanges) {
        if (!hasNothingLeft) {
            drainedAtChange.remove(leaving);
            return false;
        }
        return knownChanges >= drainedAtChange.computeIfAbsent(leaving, it -> changes);
    }

    static List<PartitionPath> leftOn(NodeId host, ClusterState state, PartitionTable table) {
        return leftOn(host, state, table, nobody -> false);
    }

    /**
     * What a member hosts that somebody else could, be it a little later, or is just being given: that may be at work
     * there already. Where others host it too, the row has to do without this one before it goes: what its instance
     * holds goes to them.
     *
     * @param isGoing who takes nothing over, because it is about to leave itself
     */
    static List<PartitionPath> leftOn(
            NodeId host, ClusterState state, PartitionTable table, Predicate<NodeId> isGoing) {
        List<PartitionPath> left = new ArrayList<>();
        for (PartitionEntry entry : table.entries().values()) {
            boolean isComing =
                    entry.pending().filter(it -> it.to().equals(host)).isPresent();
            boolean isThere =
                    entry.isOn(host) && (entry.pending().isPresent() || hasOthers(host, entry, state, isGoing));
            if (isComing || isThere) {
                left.add(entry.path());
            }
        }
        return left;
    }

    private static boolean hasOthers(NodeId host, PartitionEntry entry, ClusterState state, Predicate<NodeId> isGoing) {
        for (Member member : state.members()) {
            NodeId id = member.id();
            if (entry.spec().mayFit(member) && !id.equals(host) && !isGoing.test(id)) {
                return true;
            }
        }
        return false;
    }

    /** When the time of the next one is up that still has some. */
    long nextWakeUpNanos(long nowNanos) {
        long next = Long.MAX_VALUE;
        for (long since : leavingSinceNanos.values()) {
            if (since + timeoutNanos > nowNanos) {
                next = Math.min(next, since + timeoutNanos);
            }
        }
        return next;
    }
}
