package dev.muster.interop.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.membership.DowningDecision;
import dev.muster.core.membership.DowningSettings;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A cluster of both kinds falls in two, and each side is judged by a node of one kind. At most one side may go on. */
class MixedKindsComparedTest {
    private static final int CASES = Integer.getInteger("interop.cases", 2_000);

    @Test
    void atRestNotBothGoOn() {
        for (int i = 0; i < CASES; i++) {
            Cut cut = Cut.atRest(i);
            assertThat(cut.oursGoesOn(cut.side()) && cut.theirsGoesOn(cut.others()))
                    .as("case %s: %s", i, cut)
                    .isFalse();
        }
    }

    /** Members that are exiting, and leavers that never were up, are counted by one kind only (decision 6). */
    @Test
    void whileMembersComeAndGoNotBothGoOnUnlessTheyCountDifferently() {
        int both = 0;
        for (int i = 0; i < CASES; i++) {
            Cut cut = Cut.underWay(i + 1_000_000);
            boolean bothGoOn = cut.oursGoesOn(cut.side()) && cut.theirsGoesOn(cut.others());
            if (bothGoOn) {
                assertThat(cut.members())
                        .as("case %s: %s", i, cut)
                        .anyMatch(MixedKindsComparedTest::isCountedByOneKindOnly);
                both++;
            }
        }
        assertThat(both).as("cases in which both go on").isPositive();
    }

    private static boolean isCountedByOneKindOnly(Member member) {
        boolean wasUp = member.upNumber() != Member.NOT_YET_UP;
        return member.status() == MemberStatus.EXITING && wasUp || member.status() == MemberStatus.LEAVING && !wasUp;
    }

    @Test
    void eachKindForItselfLetsNoTwoSidesGoOn() {
        for (int i = 0; i < CASES; i++) {
            Cut cut = Cut.underWay(i + 2_000_000);
            assertThat(cut.oursGoesOn(cut.side()) && cut.oursGoesOn(cut.others()))
                    .as("case %s, ours: %s", i, cut)
                    .isFalse();
            assertThat(cut.theirsGoesOn(cut.side()) && cut.theirsGoesOn(cut.others()))
                    .as("case %s, theirs: %s", i, cut)
                    .isFalse();
        }
    }

    /** Two sides that hold the same members; each has a complete picture. */
    private record Cut(Splits splits, DowningStrategy strategy, Members members, SortedSet<NodeId> side) {
        static Cut atRest(int seed) {
            Splits splits = new Splits(new SplittableRandom(seed));
            return of(splits, splits.membersAtRest());
        }

        static Cut underWay(int seed) {
            Splits splits = new Splits(new SplittableRandom(seed));
            return of(
                    splits,
                    splits.membersUnderWay(
                            MemberStatus.JOINING, MemberStatus.LEAVING, MemberStatus.EXITING, MemberStatus.DOWN));
        }

        private static Cut of(Splits splits, Members members) {
            return new Cut(splits, splits.strategy(), members, splits.side(members));
        }

        SortedSet<NodeId> others() {
            return Splits.others(side, members);
        }

        boolean oursGoesOn(SortedSet<NodeId> judges) {
            ClusterState state = splits.seenFrom(judges, members);
            DowningSettings settings = DowningSettings.defaults().withStrategy(strategy);
            return leavesSomebody(
                    judges,
                    DowningDecision.decide(state, settings, false)
                            .map(DowningDecision::down)
                            .orElseGet(TreeSet::new));
        }

        boolean theirsGoesOn(SortedSet<NodeId> judges) {
            return judges.stream()
                    .filter(it -> members.statusOf(it) != MemberStatus.DOWN)
                    .findFirst()
                    .map(it -> new TheirDowning(splits.seenFrom(judges, members), it, strategy).down())
                    .filter(down -> leavesSomebody(judges, down))
                    .isPresent();
        }

        private boolean leavesSomebody(SortedSet<NodeId> judges, SortedSet<NodeId> down) {
            return judges.stream().anyMatch(it -> members.statusOf(it).countsForConvergence() && !down.contains(it));
        }

        @Override
        public String toString() {
            return strategy + ", " + side + " of " + members;
        }
    }
}
