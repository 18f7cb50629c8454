package dev.muster.interop.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.membership.Convergence;
import dev.muster.core.membership.Leader;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.VectorClock;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every case that is drawn goes through our rule and through theirs, and both must say the same. */
class ComparedRulesTest {
    private static final int CASES = Integer.getInteger("interop.cases", 2_000);
    private static final TheirRules THEIRS = TheirRules.shared();

    private final SplittableRandom random = new SplittableRandom(42);
    private final Cases cases = new Cases(random);

    @Test
    void statesSurviveTheirClasses() {
        for (int i = 0; i < CASES; i++) {
            ClusterState state = cases.state();
            assertThat(THEIRS.roundTrip(state)).as("case %s", i).isEqualTo(state);
        }
    }

    @Test
    void digestsOfSeenSetsAreEqual() {
        for (int i = 0; i < CASES; i++) {
            ClusterState state = cases.state();
            assertThat(state.seenDigest().hex()).as("case %s: %s", i, state).isEqualTo(THEIRS.seenDigest(state));
        }
    }

    @Test
    void versionsStandInTheSameOrder() {
        for (int i = 0; i < CASES; i++) {
            VectorClock one = cases.state().version();
            VectorClock other = cases.near(one);
            assertThat(one.relationTo(other).name().toLowerCase(Locale.ROOT))
                    .as("case %s: %s and %s", i, one, other)
                    .isEqualTo(THEIRS.relation(one, other).toLowerCase(Locale.ROOT));
        }
    }

    /** They differ in one thing: what a member says that is down does not count here (decision 4). */
    @Test
    void theSameMemberLeadsUnlessOneThatIsDownAccuses() {
        int different = 0;
        for (int i = 0; i < CASES; i++) {
            ClusterState state = cases.state();
            ClusterState without = withoutWordsOfTheDown(state);
            NodeId self = anyOf(state);
            Optional<NodeId> ours = Leader.of(state, self);
            assertThat(ours)
                    .as("case %s: %s, %s, seen from %s", i, state, state.reachability(), self)
                    .isEqualTo(THEIRS.leader(without, self));
            different += ours.equals(THEIRS.leader(state, self)) ? 0 : 1;
        }
        assertThat(different).as("cases in which the difference shows").isPositive();
    }

    private static ClusterState withoutWordsOfTheDown(ClusterState state) {
        return ClusterState.of(
                state.members(),
                state.tombstones(),
                Reachability.of(state.reachability().rows().stream()
                        .filter(row -> state.members().statusOf(row.observer()) != MemberStatus.DOWN)
                        .toList()),
                state.version(),
                state.seen());
    }

    @Test
    void convergenceIsTheSame() {
        for (int i = 0; i < CASES; i++) {
            ClusterState state = cases.state();
            NodeId self = anyOf(state);
            assertThat(Convergence.hasConverged(state, self, new TreeSet<>()))
                    .as("case %s: %s, %s, seen from %s", i, state, state.reachability(), self)
                    .isEqualTo(THEIRS.hasConverged(state, self));
        }
    }

    private NodeId anyOf(ClusterState state) {
        return state.members().get(random.nextInt(state.members().size())).id();
    }
}
