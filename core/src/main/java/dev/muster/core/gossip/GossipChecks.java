package dev.muster.core.gossip;

import dev.muster.core.exchange.Refusal;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityStatus;
import java.util.Optional;

/** What a received state must look like before a single bit of it is believed. It is taken whole or not at all. */
public final class GossipChecks {
    /** Nobody makes this many changes between two exchanges; a clock that says so is broken or forged. */
    private static final long GREATEST_LEAP = 1L << 32;

    private GossipChecks() {}

    /** Whether gossip from this sender to that receiver may be looked at. */
    public static Optional<Refusal> refuseSender(ClusterState mine, NodeId self, NodeId from, NodeId to) {
        if (!to.equals(self)) {
            return Optional.of(Refusal.NOT_FOR_ME);
        }
        if (!mine.members().has(from)) {
            return Optional.of(Refusal.FROM_NON_MEMBER);
        }
        boolean unheeded = mine.reachability().statusOf(self, from) != ReachabilityStatus.REACHABLE
                || mine.members().statusOf(from) == MemberStatus.DOWN;
        return unheeded ? Optional.of(Refusal.FROM_UNREACHABLE) : Optional.empty();
    }

    /** Whether the content of a received state can be true. */
    public static Optional<Refusal> refuseContent(ClusterState mine, NodeId self, ClusterState received) {
        Optional<Member> me = received.members().find(self);
        if (me.isEmpty()) {
            return Optional.of(Refusal.WITHOUT_ME);
        }
        if (claimsMyChanges(mine, self, received)) {
            return Optional.of(Refusal.CLAIMS_MY_CHANGES);
        }
        if (received.version().greatestLeadOver(mine.version()) > GREATEST_LEAP) {
            return Optional.of(Refusal.CLOCK_OUT_OF_RANGE);
        }
        if (received.members().areAllInRealmOf(me.get())) {
            return Optional.empty();
        }
        boolean foreign =
                received.members().stream().anyMatch(m -> !m.id().address().sameSystemAs(self.address()));
        return Optional.of(foreign ? Refusal.OTHER_SYSTEM : Refusal.OTHER_DATA_CENTER);
    }

    private static boolean claimsMyChanges(ClusterState mine, NodeId self, ClusterState received) {
        String key = self.clockKey();
        return received.version().counterOf(key) > mine.version().counterOf(key)
                || received.reachability().versionOf(self) > mine.reachability().versionOf(self);
    }
}
