package dev.muster.simulator.check;

import dev.muster.core.exchange.ClusterEvent.DowningDecided;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Input;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.StateMerge;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One downing decision, with the state on which it was made.
 *
 * @param state what the author held when it decided; its seen set may have grown since
 * @param exact whether that state is known for sure: the author changed nothing else in the step before deciding
 */
record DowningMoment(Step step, DowningDecided decided, ClusterState state, boolean exact) {

    static Optional<DowningMoment> in(Step step, StepReader reader) {
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.PublishEvent published
                    && published.event() instanceof DowningDecided decided) {
                return Optional.of(of(step, reader.read(step), decided));
            }
        }
        return Optional.empty();
    }

    private static DowningMoment of(Step step, StepReading reading, DowningDecided decided) {
        NodeId self = step.node().id();
        ClusterState state = step.before();
        boolean learned = reading.received() != null
                && reading.received().members().has(self)
                && !reading.base().version().equals(step.before().version());
        if (learned) {
            state = StateMerge.merge(step.before(), reading.received(), self).state();
        }
        boolean exact = !changedBefore(step, reading, state);
        return new DowningMoment(step, decided, asHeard(state, decided), exact);
    }

    /** The state as seen by all whom the author counted as being in touch. */
    private static ClusterState asHeard(ClusterState state, DowningDecided decided) {
        ClusterState seen = state;
        for (NodeId id : decided.heard()) {
            if (seen.members().has(id)) {
                seen = seen.seenBy(id);
            }
        }
        return seen;
    }

    /** Whether the author changed the state in this step before it decided: asked to, told to, or by its watch. */
    private static boolean changedBefore(Step step, StepReading reading, ClusterState state) {
        NodeId self = step.node().id();
        boolean asked = step.input() instanceof Input.CommandGiven
                || step.input() instanceof Input.IncarnationProved
                || step.input() instanceof Input.PeerQuarantined
                || step.input() instanceof Input.MessageReceived received
                        && reading.ownChanges().stream()
                                .anyMatch(change -> change.isNew() && change.id().equals(received.from()));
        return asked && reading.ownIncrements() > 1
                || step.after().reachability().versionOf(self)
                        > state.reachability().versionOf(self);
    }

    /** Whether nobody but the author can have seen the version on which it decided. */
    boolean onBrandNewVersion() {
        boolean merged = !state.version().equals(step.before().version()) && state.seen().count() == 1;
        return merged || changedBefore(step, new StepReading(step), state);
    }

    /** In touch with the author, by its own account. */
    boolean isHeard(NodeId id) {
        return decided.heard().contains(id) && state.members().statusOf(id) != MemberStatus.DOWN;
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
