package dev.muster.core.laws;

import static dev.muster.core.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.membership.Convergence;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.StateMerge;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The laws M1 to M4 and M6 to M9 of merging, over states that a random but honest history brought about. */
class ClusterStateLawsTest {
    private static final int HISTORIES = 50;
    private static final int STEPS = 400;

    @Test
    void mergeIsCommutative() {
        forAllTriples(three -> {
            ClusterState ab = StateMerge.join(three.get(0), three.get(1));
            ClusterState ba = StateMerge.join(three.get(1), three.get(0));
            assertSame(ab, ba);
        });
    }

    @Test
    void mergeIsAssociative() {
        forAllTriples(three -> {
            ClusterState left = StateMerge.join(StateMerge.join(three.get(0), three.get(1)), three.get(2));
            ClusterState right = StateMerge.join(three.get(0), StateMerge.join(three.get(1), three.get(2)));
            assertSame(left, right);
        });
    }

    @Test
    void mergeIsIdempotent() {
        forAllTriples(three -> assertSame(StateMerge.join(three.get(0), three.get(0)), three.get(0)));
    }

    /** Letting go of tombstones is the one exception, see T2. */
    @Test
    void mergeLosesNothing() {
        forAllTriples(false, (history, three) -> {
            ClusterState merged = StateMerge.join(three.get(0), three.get(1));
            assertIsBelow(three.get(0), merged);
            assertIsBelow(three.get(1), merged);
        });
    }

    @Test
    void anOlderVersionHasNothingThatANewerOneLacks() {
        forAllTriples(three -> {
            if (three.get(0).version().relationTo(three.get(1).version()) == VectorClock.Relation.BEFORE) {
                ClusterState joined = StateMerge.join(three.get(0), three.get(1));
                assertSame(joined, three.get(1));
            }
        });
    }

    @Test
    void sameVersionMeansSameContent() {
        for (boolean letsGo : List.of(false, true)) {
            forAllHistories(letsGo, history -> {
                Map<VectorClock, ClusterState> known = new HashMap<>();
                for (ClusterState state : history.all) {
                    ClusterState first = known.putIfAbsent(state.version(), state);
                    if (first != null) {
                        assertThat(state.sameContentAs(first))
                                .as("%s%n%s", first, state)
                                .isTrue();
                    }
                }
            });
        }
    }

    @Test
    void referencesAreClosed() {
        forAllHistories(true, history -> history.all.forEach(ClusterStateLawsTest::assertClosed));
    }

    @Test
    void atConvergenceTheVersionNamesOnlyMembersAndTheRemoved() {
        forAllHistories(
                true,
                history -> history.holding.forEach((id, state) -> {
                    if (Convergence.hasConverged(state, id, new TreeSet<>())) {
                        TreeSet<String> known = new TreeSet<>();
                        state.members().forEach(m -> known.add(m.id().clockKey()));
                        state.tombstones().ids().forEach(removed -> known.add(removed.clockKey()));
                        for (int i = 0; i < state.version().size(); i++) {
                            assertThat(known).contains(state.version().key(i));
                        }
                    }
                }));
    }

    @Test
    void aMergeThatMakesANewVersionIsSeenByTheMergerAlone() {
        forAllTriples((history, three) -> {
            for (Map.Entry<NodeId, ClusterState> entry : history.holding.entrySet()) {
                NodeId self = entry.getKey();
                ClusterState mine = entry.getValue();
                for (ClusterState theirs : three) {
                    if (theirs.members().has(self) && !mine.equals(theirs)) {
                        assertSeenRule(mine, theirs, self);
                    }
                }
            }
        });
    }

    private static void assertSeenRule(ClusterState mine, ClusterState theirs, NodeId self) {
        StateMerge.Result result = StateMerge.merge(mine, theirs, self);
        ClusterState next = result.state();
        switch (result.outcome()) {
            case SAME ->
                assertThat(next.seen())
                        .isEqualTo(mine.seen().union(theirs.seen()).with(ordinal(next, self)));
            case TOOK_THEIRS -> assertThat(next).isEqualTo(theirs.seenBy(self));
            case KEPT_MINE -> assertThat(next).isEqualTo(mine.seenBy(self));
            case MERGED -> {
                assertThat(next.seen()).isEqualTo(SeenSet.only(ordinal(next, self)));
                assertThat(next.version()).isNotEqualTo(mine.version()).isNotEqualTo(theirs.version());
            }
        }
    }

    private static int ordinal(ClusterState state, NodeId id) {
        return state.members().ordinalOf(id);
    }

    @Test
    void theHistoriesTellOfEverythingThatMatters() {
        TreeSet<String> seen = new TreeSet<>();
        forAllTriples(true, (history, three) -> {
            ClusterState one = three.get(0);
            ClusterState other = three.get(1);
            seen.add(one.version().relationTo(other.version()).toString());
            one.members().forEach(m -> seen.add(m.status().toString()));
            seen.add(one.tombstones().isEmpty() ? "no tombstone" : "tombstone");
            seen.add(one.reachability().isAllReachable() ? "calm" : "accused");
            VectorClock merged = one.version().merge(other.version());
            seen.add(StateMerge.join(one, other).version().equals(merged) ? "plain clock" : "pruned clock");
        });
        assertThat(seen)
                .containsExactly(
                        "AFTER",
                        "BEFORE",
                        "CONCURRENT",
                        "DOWN",
                        "EXITING",
                        "JOINING",
                        "LEAVING",
                        "SAME",
                        "UP",
                        "accused",
                        "calm",
                        "no tombstone",
                        "plain clock",
                        "pruned clock",
                        "tombstone");
    }

    /** Every triple of the eight statuses that a row can have and removed: 9³ = 729. */
    @Test
    void theStatusModelIsASemilattice() {
        List<ClusterState> model = statusModel();
        assertThat(model).hasSize(9);
        int triples = 0;
        for (ClusterState a : model) {
            assertSame(StateMerge.join(a, a), a);
            for (ClusterState b : model) {
                assertSame(StateMerge.join(a, b), StateMerge.join(b, a));
                for (ClusterState c : model) {
                    assertSame(StateMerge.join(StateMerge.join(a, b), c), StateMerge.join(a, StateMerge.join(b, c)));
                    triples++;
                }
            }
        }
        assertThat(triples).isEqualTo(729);
    }

    private static List<ClusterState> statusModel() {
        NodeId subject = node("x");
        List<ClusterState> model = new ArrayList<>();
        for (MemberStatus status : MemberStatus.values()) {
            List<Member> rows = status == MemberStatus.REMOVED
                    ? List.of()
                    : List.of(new Member(subject, status, status.isNotYetUp() ? Member.NOT_YET_UP : 1, List.of(), "1"));
            Tombstones stones = status == MemberStatus.REMOVED ? Tombstones.NONE.with(subject, 1) : Tombstones.NONE;
            // Each written by another node, so that all versions conflict.
            VectorClock version = VectorClock.EMPTY.increment("author of " + status);
            model.add(ClusterState.of(Members.of(rows), stones, Reachability.ALL_REACHABLE, version, SeenSet.NOBODY));
        }
        return model;
    }

    private static void assertSame(ClusterState one, ClusterState other) {
        assertThat(one.version()).isEqualTo(other.version());
        assertThat(one.sameContentAs(other)).as("%s%n%s", one, other).isTrue();
    }

    /** Everything in {@code lower} is in {@code upper}, at least as far along. */
    private static void assertIsBelow(ClusterState lower, ClusterState upper) {
        for (NodeId removed : lower.tombstones().ids()) {
            assertThat(upper.tombstones().stampMillisOf(removed))
                    .isGreaterThanOrEqualTo(lower.tombstones().stampMillisOf(removed));
        }
        for (Member member : lower.members()) {
            assertThat(member.status().isFurtherThan(upper.members().statusOf(member.id())))
                    .isFalse();
        }
        for (ReachabilityRow row : lower.reachability().rows()) {
            if (upper.members().has(row.observer())) {
                assertThat(upper.reachability().versionOf(row.observer())).isGreaterThanOrEqualTo(row.version());
            }
        }
        VectorClock known = lower.version();
        for (NodeId removed : upper.tombstones().ids()) {
            known = known.without(removed.clockKey());
        }
        assertThat(known.relationTo(upper.version())).isIn(VectorClock.Relation.BEFORE, VectorClock.Relation.SAME);
    }

    private static void assertClosed(ClusterState state) {
        assertThat(state.seen().contains(state.members().size())).isFalse();
        for (NodeId removed : state.tombstones().ids()) {
            assertThat(state.members().has(removed)).isFalse();
        }
        for (ReachabilityRow row : state.reachability().rows()) {
            assertThat(state.members().has(row.observer())).isTrue();
            row.records()
                    .forEach(r -> assertThat(state.members().has(r.subject())).isTrue());
        }
        ClusterState rebuilt = ClusterState.of(
                state.members(), state.tombstones(), state.reachability(), state.version(), state.seen());
        assertThat(rebuilt).isEqualTo(state);
    }

    @FunctionalInterface
    private interface TripleLaw {
        void check(HonestHistory history, List<ClusterState> three);
    }

    private static void forAllTriples(Consumer<List<ClusterState>> law) {
        forAllTriples((history, three) -> law.accept(three));
    }

    private static void forAllTriples(TripleLaw law) {
        forAllTriples(false, law);
        forAllTriples(true, law);
    }

    /** Thousands of triples, taken while the histories unfold. */
    private static void forAllTriples(boolean letsGoOfTombstones, TripleLaw law) {
        int[] triples = {0};
        for (int seed = 1; seed <= HISTORIES; seed++) {
            HonestHistory history = new HonestHistory(seed, letsGoOfTombstones);
            for (int step = 0; step < STEPS; step++) {
                history.step();
                Optional<List<ClusterState>> three = history.threeOnSpeakingTerms();
                int now = step;
                three.ifPresent(states -> {
                    triples[0]++;
                    replayable(history, "step " + now, () -> law.check(history, states));
                });
            }
        }
        assertThat(triples[0]).isGreaterThan(4_000);
    }

    private static void forAllHistories(boolean letsGoOfTombstones, Consumer<HonestHistory> law) {
        for (int seed = 1; seed <= HISTORIES; seed++) {
            HonestHistory history = new HonestHistory(seed, letsGoOfTombstones);
            for (int step = 0; step < STEPS; step++) {
                history.step();
            }
            replayable(history, "its end", () -> law.accept(history));
        }
    }

    private static void replayable(HonestHistory history, String where, Executable check) {
        try {
            check.execute();
        } catch (Throwable broken) {
            throw new AssertionError("broken by " + history + " at " + where, broken);
        }
    }
}
