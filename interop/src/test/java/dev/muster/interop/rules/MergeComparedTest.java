package dev.muster.interop.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.StateMerge;
import dev.muster.core.state.StateMerge.Outcome;
import dev.muster.core.state.VectorClock;
import dev.muster.core.state.VectorClock.Relation;
import dev.muster.interop.rules.Pairs.Pair;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Two states become one. Where ours differ on purpose, the difference is exactly what decisions 2 and 7 say. */
class MergeComparedTest {
    private static final int CASES = Integer.getInteger("interop.cases", 2_000);
    private static final TheirMerge THEIRS = new TheirMerge(TheirRules.shared());

    @Test
    void theJoinIsTheirMergeButForFourThings() {
        int kept = 0;
        int numbered = 0;
        int stamped = 0;
        int letGo = 0;
        int same = 0;
        for (int i = 0; i < CASES; i++) {
            Pair pair = new Pairs(new SplittableRandom(i)).pair();
            ClusterState joined = StateMerge.join(pair.mine(), pair.received());
            ClusterState theirs = THEIRS.merged(pair.mine(), pair.received());
            MergeDifferences differences = MergeDifferences.between(pair.mine(), pair.received());
            assertThat(differences.takenBackFrom(joined))
                    .as("case %s: %s", i, pair)
                    .isEqualTo(theirs);
            assertThat(joined.equals(theirs)).as("case %s: %s", i, pair).isEqualTo(differences.areNone());
            kept += differences.kept().size();
            numbered += differences.numbered().size();
            stamped += differences.stamped().size();
            letGo += differences.letGo().size();
            same += differences.areNone() ? 1 : 0;
        }
        assertThat(kept).as("members that are kept here and dropped there").isPositive();
        assertThat(numbered).as("members that keep the lower number here").isPositive();
        assertThat(stamped).as("tombstones that have the later stamp here").isPositive();
        assertThat(letGo).as("tombstones that are let go here and kept there").isPositive();
        assertThat(same).as("cases without any difference").isPositive();
    }

    /** They take over a newer state as it is. Here it is merged, and so nothing is lost that it lacks. */
    @Test
    void aNewerStateThatHasEverythingIsTakenOverByBoth() {
        int lost = 0;
        int takenOver = 0;
        for (int i = 0; i < CASES; i++) {
            Pair pair = new Pairs(new SplittableRandom(i + 1_000_000)).pair(MergeComparedTest::isOneNewerOrBothAreSame);
            ClusterState ours =
                    StateMerge.merge(pair.mine(), pair.received(), pair.self()).state();
            ClusterState theirs = THEIRS.onReceived(pair.mine(), pair.received(), pair.self());
            ClusterState joined = StateMerge.join(pair.mine(), pair.received());
            boolean hasEverything =
                    joined.sameContentAs(theirs) && joined.version().equals(theirs.version());
            assertThat(ours.equals(theirs)).as("case %s: %s", i, pair).isEqualTo(hasEverything);
            assertThat(ours.sameContentAs(joined)).as("case %s: %s", i, pair).isTrue();
            assertThat(losesNobody(ours, pair)).as("case %s: %s", i, pair).isTrue();
            takenOver += hasEverything && pair.relation() == Relation.BEFORE ? 1 : 0;
            lost += losesNobody(theirs, pair) ? 0 : 1;
        }
        assertThat(takenOver).as("cases in which both take over the same").isPositive();
        assertThat(lost)
                .as("cases in which their taking over loses a member's step")
                .isPositive();
    }

    /** Two contents of one version are nothing that they can write. */
    private static boolean isOneNewerOrBothAreSame(Pair pair) {
        return switch (pair.relation()) {
            case BEFORE, AFTER -> true;
            case SAME -> pair.mine().sameContentAs(pair.received());
            case CONCURRENT -> false;
        };
    }

    /** Whoever is a member on some side is one still, and not further back, unless it has been removed. */
    private static boolean losesNobody(ClusterState result, Pair pair) {
        return notFurtherBack(result, pair.mine(), pair.received())
                && notFurtherBack(result, pair.received(), pair.mine());
    }

    private static boolean notFurtherBack(ClusterState result, ClusterState side, ClusterState other) {
        for (Member member : side.members()) {
            MemberStatus status = result.members().statusOf(member.id());
            boolean isBehind = status == MemberStatus.REMOVED || member.status().isFurtherThan(status);
            if (isBehind && !other.tombstones().has(member.id())) {
                return false;
            }
        }
        return true;
    }

    /** A version must not mean two contents, so our merge adds an entry of its own where the clock alone would. */
    @Test
    void mergedVersionsAreTheSameUnlessTheyCouldBeMistaken() {
        int mistaken = 0;
        int keptSeen = 0;
        for (int i = 0; i < CASES; i++) {
            Pair pair = new Pairs(new SplittableRandom(i + 2_000_000)).pair(it -> it.relation() == Relation.CONCURRENT);
            StateMerge.Result ours = StateMerge.merge(pair.mine(), pair.received(), pair.self());
            ClusterState theirs = THEIRS.onReceived(pair.mine(), pair.received(), pair.self());
            assertThat(theirs.seen()).as("case %s: %s", i, pair).isEqualTo(onlySeenBy(pair.self(), theirs));
            assertThat(couldBeMistaken(ours.state(), pair))
                    .as("case %s: %s", i, pair)
                    .isFalse();
            if (ours.outcome() == Outcome.MERGED) {
                assertThat(ours.state().seen())
                        .as("case %s: %s", i, pair)
                        .isEqualTo(onlySeenBy(pair.self(), ours.state()));
            } else {
                keptSeen += ours.state().seen().count() > 1 ? 1 : 0;
            }
            if (MergeDifferences.between(pair.mine(), pair.received()).areNone()) {
                VectorClock version = theirs.version();
                boolean addsOne = ours.outcome() == Outcome.MERGED
                        && !version.equals(
                                pair.mine().version().merge(pair.received().version()));
                assertThat(ours.state().version())
                        .as("case %s: %s", i, pair)
                        .isEqualTo(addsOne ? version.increment(pair.self().clockKey()) : version);
            }
            mistaken += couldBeMistaken(theirs, pair) ? 1 : 0;
        }
        assertThat(mistaken)
                .as("cases in which their version means two contents")
                .isPositive();
        assertThat(keptSeen)
                .as("cases in which a side is taken over here, with its seen set")
                .isPositive();
    }

    private static SeenSet onlySeenBy(NodeId self, ClusterState state) {
        return SeenSet.only(state.members().ordinalOf(self));
    }

    private static boolean couldBeMistaken(ClusterState merged, Pair pair) {
        return merged.version().equals(pair.mine().version()) && !merged.sameContentAs(pair.mine())
                || merged.version().equals(pair.received().version()) && !merged.sameContentAs(pair.received());
    }
}
