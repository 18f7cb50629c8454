package dev.muster.simulator.check;

import dev.muster.core.exchange.ClusterEvent.DowningDecided;
import dev.muster.core.exchange.Effect;
import dev.muster.core.membership.DowningDecision;
import dev.muster.core.membership.DowningSettings;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import java.util.ArrayList;
import java.util.Collection;
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

    DowningSettings settings() {
        return step.node().settings().downing();
    }

    boolean isAuto() {
        return settings().strategy() instanceof DowningStrategy.AutoDown;
    }

    /** How long the picture, or with auto-down each accusation, must have stood. */
    long patienceNanos() {
        return settings().strategy() instanceof DowningStrategy.AutoDown auto
                ? auto.after().toNanos()
                : settings().stableAfterNanos(voters());
    }

    /** What the rule says about a state; a picture that is overdue is decided upon even where one that is not waits. */
    Optional<DowningDecision> ruleOn(ClusterState basis) {
        return DowningDecision.decide(basis, settings(), true);
    }

    /** Whether all members go, because the strategy or the settings for an unstable picture say so. */
    boolean everybodyGoes() {
        boolean mayBe = settings().downAllWhenUnstable() || settings().strategy() instanceof DowningStrategy.DownAll;
        return mayBe
                && state.members().stream()
                        .allMatch(m -> m.status() == MemberStatus.DOWN
                                || decided.down().contains(m.id()));
    }

    /** Whether nobody who counts is left on the author's side, by the decision or by what the rule says. */
    boolean sideStops() {
        return everybodyGoes()
                || leavesNobodyHere(decided.down())
                || ruleOn(state).filter(rule -> leavesNobodyHere(rule.down())).isPresent();
    }

    private boolean leavesNobodyHere(Collection<NodeId> down) {
        return state.members().stream()
                .noneMatch(m -> m.status().countsForConvergence() && isHeard(m.id()) && !down.contains(m.id()));
    }

    /** Accusations between members that are both heard; the exiting do not count as accusers. */
    List<NodeId[]> quarrels() {
        return accusations().stream()
                .filter(pair -> isHeard(pair[0])
                        && isHeard(pair[1])
                        && state.members().statusOf(pair[0]) != MemberStatus.EXITING)
                .toList();
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

    /** Those with whom this one quarrels. */
    Set<NodeId> opponentsOf(NodeId id) {
        Set<NodeId> found = new HashSet<>();
        for (NodeId[] pair : quarrels()) {
            if (pair[0].equals(id) || pair[1].equals(id)) {
                found.add(pair[0].equals(id) ? pair[1] : pair[0]);
            }
        }
        return found;
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
