package dev.muster.core.partition;

import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Who can host instances, and how many each has while a table is being written. New ones go round the ring, each into
 * the first space: to the next of those that have the fewest. Specification: "Partitioning".
 */
final class Hosts {
    private final Members members;
    private final TreeMap<NodeId, Integer> counts = new TreeMap<>();
    private int cursor;

    Hosts(Members members, PartitionTable table) {
        this.members = members;
        for (PartitionEntry entry : table.entries().values()) {
            entry.instances().forEach(node -> counts.merge(node, 1, Integer::sum));
        }
    }

    /** Those that can stay where they are, no more than wanted. */
    List<NodeId> staying(List<NodeId> instances, PartitionSpec spec) {
        List<NodeId> staying = new ArrayList<>();
        for (NodeId node : instances) {
            if (staying.size() < spec.instances() && mayStay(node, spec)) {
                staying.add(node);
            } else {
                counts.merge(node, -1, Integer::sum);
            }
        }
        return staying;
    }

    /** One that must be alone stays on a host that leaves until that has gone: two would be at work otherwise. */
    private boolean mayStay(NodeId node, PartitionSpec spec) {
        Member host = members.find(node).orElse(null);
        return host != null
                && (spec.fits(host)
                        || spec.policy().isExclusive()
                                && (host.status() == MemberStatus.LEAVING || host.status() == MemberStatus.EXITING));
    }

    /** These, and as many more as are wanted and there is room for. */
    List<NodeId> fill(List<NodeId> present, PartitionSpec spec) {
        List<NodeId> filled = new ArrayList<>(present);
        while (filled.size() < spec.instances()) {
            int next = next(filled, spec);
            if (next < 0) {
                break;
            }
            NodeId chosen = members.get(next).id();
            filled.add(chosen);
            counts.merge(chosen, 1, Integer::sum);
            cursor = next + 1;
        }
        return filled;
    }

    private int next(List<NodeId> taken, PartitionSpec spec) {
        int best = -1;
        for (int i = 0; i < members.size(); i++) {
            int place = (cursor + i) % members.size();
            Member member = members.get(place);
            if (spec.fits(member)
                    && !taken.contains(member.id())
                    && (best < 0 || count(member) < count(members.get(best)))) {
                best = place;
            }
        }
        return best;
    }

    private int count(Member member) {
        return counts.getOrDefault(member.id(), 0);
    }
}
