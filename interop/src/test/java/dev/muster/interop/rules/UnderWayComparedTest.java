package dev.muster.interop.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.membership.DowningDecision;
import dev.muster.core.membership.DowningSettings;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A cluster falls apart cleanly while members come and go. Decision 6 lists what is different. */
class UnderWayComparedTest {
    private static final int CASES = Integer.getInteger("interop.cases", 2_000);
    private static final String CASE = "case %s: %s on the side of %s in %s";

    @Test
    void whileMembersComeAndGoOnlyTheKnownDifferencesShow() {
        int different = differences(
                0,
                MemberStatus.JOINING,
                MemberStatus.WEAKLY_UP,
                MemberStatus.LEAVING,
                MemberStatus.EXITING,
                MemberStatus.DOWN);
        assertThat(different).as("cases in which a difference shows").isBetween(1, CASES - 1);
    }

    /** They look at joiners elsewhere always, here only if their leader is elsewhere, too; and they stop both sides. */
    @Test
    void joinersMakeADifference() {
        assertThat(differences(1_000_000, MemberStatus.JOINING)).isBetween(1, CASES / 2);
    }

    /** They take it that who is leaving may be gone elsewhere; and they count those who leave and never were up. */
    @Test
    void leaversMakeADifference() {
        assertThat(differences(2_000_000, MemberStatus.LEAVING)).isBetween(1, CASES / 2);
    }

    @Test
    void whoIsExitingCountsHereOnly() {
        assertThat(differences(3_000_000, MemberStatus.EXITING)).isBetween(1, CASES / 2);
    }

    @Test
    void whoIsDownCountsForTheOthersHereOnly() {
        assertThat(differences(4_000_000, MemberStatus.DOWN)).isBetween(1, CASES / 2);
    }

    @Test
    void downAllStopsTheSameButForTheExiting() {
        DowningStrategy strategy = new DowningStrategy.DownAll();
        int different = 0;
        for (int i = 0; i < CASES; i++) {
            Splits splits = new Splits(new SplittableRandom(i + 5_000_000));
            Members members = splits.membersUnderWay(MemberStatus.JOINING, MemberStatus.EXITING, MemberStatus.DOWN);
            SortedSet<NodeId> side = splits.side(members);
            SortedSet<NodeId> heard = without(side, members, MemberStatus.DOWN);
            ClusterState state = splits.seenFrom(side, members);
            SortedSet<NodeId> ours = down(state, strategy);
            if (ours.isEmpty()) {
                continue; // nobody was lost but the exiting
            }
            SortedSet<NodeId> theirs = new TheirDowning(state, heard.first(), strategy).down();
            assertThat(without(ours, members, MemberStatus.EXITING))
                    .as("case %s: %s", i, state)
                    .isEqualTo(theirs);
            different += ours.equals(theirs) ? 0 : 1;
        }
        assertThat(different).as("cases in which exiting members go here").isPositive();
    }

    private static int differences(int firstSeed, MemberStatus... statuses) {
        int different = 0;
        for (int i = 0; i < CASES; i++) {
            Splits splits = new Splits(new SplittableRandom(firstSeed + i));
            Members members = splits.membersUnderWay(statuses);
            SortedSet<NodeId> side = splits.side(members);
            SortedSet<NodeId> heard = without(side, members, MemberStatus.DOWN);
            if (heard.isEmpty()) {
                continue;
            }
            DowningStrategy strategy = splits.strategy();
            ClusterState state = splits.seenFrom(side, members);
            Object[] named = {i, strategy, side, state};

            SortedSet<NodeId> ours = down(state, strategy);
            TheirDowning theirs = new TheirDowning(state, heard.first(), strategy);
            assertThat(without(heard, members, MemberStatus.EXITING))
                    .as(CASE, named)
                    .isEqualTo(theirs.downOfThisSide());
            SortedSet<NodeId> others = theirs.downOfTheOthers();
            if (others.isEmpty()) {
                assertThat(ours).as(CASE, named).isEmpty(); // who is exiting or down is not waited for
            } else if (!new UnderWayVote(strategy, members, side).goesOn()) {
                assertThat(ours).as(CASE, named).isEqualTo(heard);
            } else if (heard.stream().anyMatch(it -> members.statusOf(it).countsForConvergence())) {
                assertThat(ours).as(CASE, named).isEqualTo(others);
            } else {
                others.addAll(heard);
                assertThat(ours).as(CASE, named).isEqualTo(others);
            }
            different += without(ours, members, MemberStatus.EXITING).equals(theirs.down()) ? 0 : 1;
        }
        return different;
    }

    private static SortedSet<NodeId> without(SortedSet<NodeId> ids, Members members, MemberStatus status) {
        SortedSet<NodeId> left = new TreeSet<>(ids);
        left.removeIf(it -> members.statusOf(it) == status);
        return left;
    }

    private static SortedSet<NodeId> down(ClusterState state, DowningStrategy strategy) {
        DowningSettings settings = DowningSettings.defaults().withStrategy(strategy);
        return DowningDecision.decide(state, settings, false)
                .map(DowningDecision::down)
                .orElseGet(TreeSet::new);
    }
}
