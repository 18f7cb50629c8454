package dev.muster.simulator.check;

import dev.muster.core.exchange.ClusterEvent.DowningDecided;
import dev.muster.core.exchange.Effect;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One downing decision, with the state on which it was made.
 *
 * @param state what the author says that it decided on: seen by all whom it counted as being in touch
 */
record DowningMoment(Step step, DowningDecided decided, ClusterState state) {

    static Optional<DowningMoment> in(Step step) {
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.PublishEvent published
                    && published.event() instanceof DowningDecided decided) {
                return Optional.of(new DowningMoment(step, decided, decided.basis()));
            }
        }
        return Optional.empty();
    }

    boolean isHeard(NodeId id) {
        return state.isSeenBy(id) && state.members().statusOf(id) != MemberStatus.DOWN;
    }

    /** Whether the decision put this member on another side: it goes without a quarrel, or others go instead. */
    boolean countsAsLost(NodeId id) {
        boolean authorGoes = decided.down().contains(step.node().id());
        boolean quarrels = accusations().stream().anyMatch(pair -> pair[0].equals(id) || pair[1].equals(id));
        return authorGoes ? !decided.down().contains(id) : decided.down().contains(id) && !quarrels;
    }

    /** How many members count for the strategies and their patience. */
    int voters() {
        return (int) state.members().stream()
                .filter(m -> m.status().countsForConvergence() || m.status() == MemberStatus.EXITING)
                .count();
    }

    /** The members that are heard, in the order in which they are to act. */
    List<NodeId> inLine() {
        Set<NodeId> accusedByHeard = new HashSet<>();
        accusations().stream().filter(a -> isHeard(a[0])).forEach(a -> accusedByHeard.add(a[1]));
        List<Member> heard = new ArrayList<>();
        state.members().stream().filter(m -> isHeard(m.id())).forEach(heard::add);
        heard.sort(Comparator.comparing((Member m) -> accusedByHeard.contains(m.id()))
                .thenComparingInt(m -> LeaderRule.preference(m.status()))
                .thenComparing(Member::id));
        return heard.stream().map(Member::id).toList();
    }

    /** Pairs of accuser and accused, where both stay in the cluster as far as is known. */
    List<NodeId[]> accusations() {
        List<NodeId[]> found = new ArrayList<>();
        for (ReachabilityRow row : state.reachability().rows()) {
            boolean heeded = state.members().statusOf(row.observer()).compareTo(MemberStatus.DOWN) < 0;
            for (ReachabilityRow.Observation record : row.records()) {
                boolean stays = state.members().statusOf(record.subject()).compareTo(MemberStatus.EXITING) < 0;
                if (heeded && stays && record.status() != ReachabilityStatus.REACHABLE) {
                    found.add(new NodeId[] {row.observer(), record.subject()});
                }
            }
        }
        return found;
    }
}
