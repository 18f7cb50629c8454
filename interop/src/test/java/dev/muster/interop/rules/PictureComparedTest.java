package dev.muster.interop.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.membership.DowningDecision;
import dev.muster.core.membership.DowningSettings;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Whose word counts when it is decided who goes, and when it is too early; all by keep-majority. */
class PictureComparedTest {
    private static final int CASES = Integer.getInteger("interop.cases", 2_000);
    private static final DowningSettings MAJORITY = DowningSettings.defaults();

    /** While somebody was neither heard nor accused nothing is decided here; they take it as reachable (decision 6). */
    @Test
    void anIncompletePictureIsDecidedByThemOnly() {
        int incomplete = 0;
        for (int i = 0; i < CASES; i++) {
            SplittableRandom random = new SplittableRandom(i);
            Splits splits = new Splits(random);
            Members members = splits.membersAtRest();
            SortedSet<NodeId> side = splits.side(members);
            SortedSet<NodeId> accused = new TreeSet<>(Splits.others(side, members));
            accused.removeIf(it -> random.nextBoolean());
            if (accused.isEmpty()) {
                continue;
            }
            Reachability words = splits.accusedBySome(side, members, accused::contains);
            ClusterState state = Splits.state(members, side, words);
            boolean isComplete = accused.equals(Splits.others(side, members));
            SortedSet<NodeId> theirs = theirs(state, side);
            assertThat(theirs).as("case %s: %s", i, state).isNotEmpty();
            assertThat(down(state, false)).as("case %s: %s", i, state).isEqualTo(isComplete ? theirs : new TreeSet<>());
            assertThat(down(state, true))
                    .as("case %s, when it is overdue: %s", i, state)
                    .isEqualTo(theirs(splits.seenFrom(side, members), side));
            incomplete += isComplete ? 0 : 1;
        }
        assertThat(incomplete).as("cases in which the difference shows").isPositive();
    }

    /** What a member says that is down does not count (decision 4). */
    @Test
    void theWordOfWhoIsDownCountsForThemOnly() {
        int different = 0;
        for (int i = 0; i < CASES; i++) {
            SplittableRandom random = new SplittableRandom(i + 1_000_000);
            Splits splits = new Splits(random);
            Members members = withOneDown(splits.membersAtRest(), random);
            SortedSet<NodeId> side = splits.side(members);
            side.removeIf(it -> members.statusOf(it) == MemberStatus.DOWN);
            if (side.isEmpty()) {
                continue;
            }
            ClusterState calm = splits.seenFrom(side, members);
            Reachability words = accusingBySome(downOf(members), side, calm.reachability(), random);
            ClusterState state = Splits.state(members, side, words);
            assertThat(down(state, false)).as("case %s: %s", i, state).isEqualTo(theirs(calm, side));
            different += theirs(state, side).equals(theirs(calm, side)) ? 0 : 1;
        }
        assertThat(different).as("cases in which the difference shows").isPositive();
    }

    /** What those say who are lost themselves takes nobody along here; to them both ends are sick (decision 6). */
    @Test
    void theWordOfWhoIsLostCountsForThemOnly() {
        int different = 0;
        for (int i = 0; i < CASES; i++) {
            SplittableRandom random = new SplittableRandom(i + 2_000_000);
            Splits splits = new Splits(random);
            Members members = splits.membersAtRest();
            SortedSet<NodeId> side = splits.side(members);
            ClusterState calm = splits.seenFrom(side, members);
            List<NodeId> lost = new ArrayList<>(Splits.others(side, members));
            ClusterState state = Splits.state(members, side, accusingBySome(lost, side, calm.reachability(), random));
            assertThat(down(state, false)).as("case %s: %s", i, state).isEqualTo(theirs(calm, side));
            different += theirs(state, side).equals(theirs(calm, side)) ? 0 : 1;
        }
        assertThat(different).as("cases in which the difference shows").isPositive();
    }

    private static Members withOneDown(Members members, SplittableRandom random) {
        Member member = members.get(random.nextInt(members.size()));
        return members.with(
                new Member(member.id(), MemberStatus.DOWN, Member.NOT_YET_UP, member.roles(), member.appVersion()));
    }

    private static List<NodeId> downOf(Members members) {
        return members.stream()
                .filter(it -> it.status() == MemberStatus.DOWN)
                .map(Member::id)
                .toList();
    }

    private static Reachability accusingBySome(
            List<NodeId> observers, SortedSet<NodeId> side, Reachability words, SplittableRandom random) {
        List<NodeId> subjects = new ArrayList<>(side);
        Reachability next = words;
        for (int i = random.nextInt(3); i > 0; i--) {
            next = next.marked(
                    observers.get(random.nextInt(observers.size())),
                    subjects.get(random.nextInt(subjects.size())),
                    ReachabilityStatus.UNREACHABLE);
        }
        return next;
    }

    /** At the first of this side whom nobody accuses, if there is one: that one decides. */
    private static SortedSet<NodeId> theirs(ClusterState state, SortedSet<NodeId> side) {
        SortedSet<NodeId> accused =
                Theirs.ours(Theirs.words(state.reachability()).allUnreachableOrTerminated());
        NodeId self =
                side.stream().filter(it -> !accused.contains(it)).findFirst().orElse(side.first());
        return new TheirDowning(state, self, MAJORITY.strategy()).down();
    }

    private static SortedSet<NodeId> down(ClusterState state, boolean overdue) {
        return DowningDecision.decide(state, MAJORITY, overdue)
                .map(DowningDecision::down)
                .orElseGet(TreeSet::new);
    }
}
