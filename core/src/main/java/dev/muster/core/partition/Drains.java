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

/**
 * Members that leave, and since when. They are exiting only once they have handed over what they host, or their time is
 * up. Specification: "Additional Leader Responsibilities".
 */
final class Drains {
    private final long timeoutNanos;
    private final TreeMap<NodeId, Long> leavingSinceNanos = new TreeMap<>();
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

    /** What a member hosts that somebody else could, or is just being given: that may be at work there already. */
    static List<PartitionPath> leftOn(NodeId host, ClusterState state, PartitionTable table) {
        List<PartitionPath> left = new ArrayList<>();
        for (PartitionEntry entry : table.entries().values()) {
            boolean isComing =
                    entry.pending().filter(it -> it.to().equals(host)).isPresent();
            boolean isThere = entry.isOn(host) && (entry.pending().isPresent() || canGoElsewhere(entry, state));
            if (isComing || isThere) {
                left.add(entry.path());
            }
        }
        return left;
    }

    private static boolean canGoElsewhere(PartitionEntry entry, ClusterState state) {
        for (Member member : state.members()) {
            if (entry.spec().fits(member) && !entry.isOn(member.id())) {
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
