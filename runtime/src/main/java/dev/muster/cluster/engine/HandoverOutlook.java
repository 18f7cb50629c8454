package dev.muster.cluster.engine;

import dev.muster.core.ClusterSnapshot;
import dev.muster.core.membership.DowningDecision;
import dev.muster.core.membership.DowningSettings;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Whether a node that is told to stop has a chance that others take over what runs on it.
 *
 * <p>While members cannot be reached nothing is handed over, for the leader writes nothing then. Mostly that passes:
 * the downing strategy has them removed, and the rest of the cluster goes on. So it is waited for, unless that would
 * not help: nobody decides without a person, this side would have to go itself, or nobody is left who could take
 * anything.
 *
 * <p>Used by one thread at a time.
 */
final class HandoverOutlook {
    /** Each accusation has to go round before it is clear who is on which side, and a link may come back. */
    static final long PATIENCE_NANOS = 3_000_000_000L;

    private static final long NEVER = Long.MAX_VALUE;

    private final DowningSettings downing;
    private long pointlessSinceNanos = NEVER;

    HandoverOutlook(DowningSettings downing) {
        this.downing = downing;
    }

    /** Why nobody will take over, if that has been so at each look for a while. */
    Optional<String> whyPointless(ClusterSnapshot now, long nowNanos) {
        Optional<String> why = whyPointlessNow(now);
        pointlessSinceNanos = why.isEmpty() ? NEVER : Math.min(pointlessSinceNanos, nowNanos);
        return why.filter(it -> nowNanos - pointlessSinceNanos >= PATIENCE_NANOS);
    }

    private Optional<String> whyPointlessNow(ClusterSnapshot now) {
        ClusterState state = now.state();
        List<NodeId> inTheWay = state.unreachable().stream()
                .filter(it -> !state.members().statusOf(it).isOnItsWayOut()) // the leader does without those
                .toList();
        SortedSet<NodeId> going = Collections.emptySortedSet();
        if (!inTheWay.isEmpty()) {
            if (downing.strategy() instanceof DowningStrategy.Manual) {
                return Optional.of(inTheWay + " cannot be reached, and are removed only when somebody declares them "
                        + "down; do that before you stop a node");
            }
            going = DowningDecision.decide(state.seenBy(now.self()), downing, true)
                    .map(DowningDecision::down)
                    .orElse(going);
            if (going.contains(now.self())) {
                return Optional.of(inTheWay + " cannot be reached, and this side is the one that would have to go");
            }
        }
        boolean isBlocked = !inTheWay.isEmpty() && now.selfStatus() != MemberStatus.EXITING;
        return canBeTaken(now, going, isBlocked)
                ? Optional.empty()
                : Optional.of("there is nobody left who can be reached and could take it");
    }

    private static boolean canBeTaken(ClusterSnapshot now, SortedSet<NodeId> going, boolean isBlocked) {
        List<Member> takers = now.state().members().stream()
                .filter(it -> isTaker(it, now) && !going.contains(it.id()))
                .toList();
        List<PartitionEntry> here = now.partitions().entries().values().stream()
                .filter(row -> row.isOn(now.self()))
                .toList();
        // Who need not wait for others goes as soon as nobody could take anything; there may be messages to pass on.
        return here.isEmpty() || !isBlocked
                ? !takers.isEmpty()
                : here.stream().anyMatch(row -> takers.stream().anyMatch(row.spec()::mayFit));
    }

    /** Also who is still coming up, as the leader waits for those too. */
    private static boolean isTaker(Member member, ClusterSnapshot now) {
        boolean stays = member.status() == MemberStatus.UP || member.status().isNotYetUp();
        return stays
                && member.isMuster()
                && !member.id().equals(now.self())
                && now.state().isReachable(member.id());
    }
}
