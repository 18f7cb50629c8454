package dev.muster.core.failure;

import dev.muster.core.state.Member;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Who watches whom: all members stand in a ring ordered by a hash, and each watches the next few after itself.
 *
 * <p>The hash scatters neighbours over racks; the order is the same on all nodes, so together they leave nobody out.
 * Unreachable members are watched along, so that somebody notices when they come back, but they do not use up a place
 * that a reachable one needs; once as many as wanted are chosen, further unreachable ones are passed over.
 *
 * <p>Specification: "Failure Detector".
 */
public final class MonitorRing {
    private MonitorRing() {}

    /** The members that {@code self} sends heartbeats to, in ring order; none while it is no member itself. */
    public static List<NodeId> targetsOf(NodeId self, Members members, int count, Predicate<NodeId> isUnreachable) {
        if (!members.has(self)) {
            return List.of();
        }
        Members ring = members.inRingOrder();
        boolean takesAll = ring.size() - 1 <= count;
        List<NodeId> targets = new ArrayList<>(Math.min(count, ring.size()));
        int reachable = 0;
        int at = ring.ringPositionOf(self);
        for (int step = 1; step < ring.size() && (takesAll || reachable < count); step++) {
            at = at + 1 == ring.size() ? 0 : at + 1;
            NodeId next = ring.get(at).id();
            if (takesAll) {
                targets.add(next);
            } else if (!isUnreachable.test(next)) {
                targets.add(next);
                reachable++;
            } else if (targets.size() < count) {
                targets.add(next);
            }
        }
        return targets;
    }

    /** The members that send heartbeats to {@code subject}, in member order. Asks every member: for checkers. */
    public static List<NodeId> watchersOf(NodeId subject, Members members, int count, Predicate<NodeId> isUnreachable) {
        List<NodeId> watchers = new ArrayList<>();
        for (Member member : members) {
            if (targetsOf(member.id(), members, count, isUnreachable).contains(subject)) {
                watchers.add(member.id());
            }
        }
        return watchers;
    }
}
