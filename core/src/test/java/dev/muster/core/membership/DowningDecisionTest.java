package dev.muster.core.membership;

import static dev.muster.core.membership.DowningStates.cluster;
import static dev.muster.core.membership.DowningStates.ids;
import static dev.muster.core.membership.DowningStates.names;
import static dev.muster.core.state.MemberStatus.DOWN;
import static dev.muster.core.state.MemberStatus.EXITING;
import static dev.muster.core.state.MemberStatus.JOINING;
import static dev.muster.core.state.MemberStatus.LEAVING;
import static dev.muster.core.state.MemberStatus.WEAKLY_UP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.membership.DowningStrategy.AutoDown;
import dev.muster.core.membership.DowningStrategy.DownAll;
import dev.muster.core.membership.DowningStrategy.KeepMajority;
import dev.muster.core.membership.DowningStrategy.KeepOldest;
import dev.muster.core.membership.DowningStrategy.Manual;
import dev.muster.core.membership.DowningStrategy.StaticQuorum;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DowningDecisionTest {
    private static final DowningStrategy MAJORITY = new KeepMajority("");
    private static final DowningStrategy AUTO = new AutoDown(Duration.ofSeconds(10));

    @Test
    void nothingIsDecidedWhileNobodyIsAccused() {
        assertThat(decide(cluster("a b c"), MAJORITY)).isEqualTo("nothing");
        assertThat(decide(cluster("a b c").seenBy("a"), MAJORITY, true)).isEqualTo("nothing");
    }

    @Test
    void offDecidesNothing() {
        assertThat(decide(cluster("a b c").cutOff("a b"), new Manual(), true)).isEqualTo("nothing");
    }

    @Test
    void accusationsOfAndByMembersThatAreDownDoNotMatter() {
        assertThat(decide(
                        cluster("a b c")
                                .are(DOWN, "c")
                                .accuse("a", "c")
                                .accuse("c", "a b")
                                .seenBy("a b"),
                        MAJORITY))
                .isEqualTo("nothing");
    }

    @Test
    void whoAccusesItselfIsNotTakenSeriously() {
        assertThat(decide(cluster("a b").accuse("b", "b"), MAJORITY)).isEqualTo("nothing");
    }

    @Test
    void whoIsNeitherHeardNorAccusedIsWaitedFor() {
        DowningStates states = cluster("a b c d e").accuse("a b", "e").seenBy("a b c");

        assertThat(decide(states, MAJORITY)).isEqualTo("nothing");
        assertThat(decide(states, MAJORITY, true)).isEqualTo("d e");
    }

    @Test
    void onlyTheWordOfWhoIsHeardMakesThePictureComplete() {
        DowningStates states =
                cluster("a b c d e").accuse("a b c", "e").accuse("e", "d").seenBy("a b c");

        assertThat(decide(states, MAJORITY)).isEqualTo("nothing");
        assertThat(decide(states.accuse("c", "d"), MAJORITY)).isEqualTo("d e");
    }

    @Test
    void joinersThatHaveNotHeardYetAreNotWaitedForAndDoNotGo() {
        DowningStates states = cluster("a b c d e f")
                .are(JOINING, "e")
                .are(WEAKLY_UP, "f")
                .accuse("a b c", "d")
                .seenBy("a b c");

        assertThat(decide(states, MAJORITY)).isEqualTo("d");
        assertThat(decide(states, MAJORITY, true)).isEqualTo("d");
        assertThat(decide(states.accuse("a", "e"), MAJORITY)).isEqualTo("d e");
    }

    @Test
    void aJoinerThatIsLostGoesWithoutAVote() {
        assertThat(decide(cluster("a b").are(JOINING, "b").cutOff("a"), new StaticQuorum(3, "")))
                .isEqualTo("b");
    }

    @Test
    void moreThanHalfGoesOn() {
        assertThat(decide(cluster("a b c d e").cutOff("c d e"), MAJORITY)).isEqualTo("a b");
        assertThat(decide(cluster("a b c d e").cutOff("a b"), MAJORITY)).isEqualTo("a b");
    }

    @Test
    void ofTwoHalvesTheOneWithTheLowestAddressGoesOn() {
        DowningStates states = cluster("a b c d").oldestFirst("d c b a");

        assertThat(decide(states.cutOff("a d"), MAJORITY)).isEqualTo("b c");
        assertThat(decide(cluster("a b c d").cutOff("b c"), MAJORITY)).isEqualTo("b c");
    }

    @Test
    void leavingMembersCountAndJoiningOnesDoNot() {
        DowningStates states =
                cluster("a b c d e f g").are(LEAVING, "d").are(JOINING, "e f").are(WEAKLY_UP, "g");

        assertThat(decide(states.cutOff("b c d"), MAJORITY)).isEqualTo("b c d"); // e, f or g may be up elsewhere
        assertThat(decide(
                        cluster("a b c d e")
                                .are(LEAVING, "c")
                                .are(JOINING, "d e")
                                .cutOff("a c"),
                        MAJORITY))
                .isEqualTo("b d e");
        assertThat(decide(cluster("a b c d e").are(JOINING, "d e").cutOff("a d e"), MAJORITY))
                .isEqualTo("a d e");
    }

    @Test
    void onlyMembersWithTheRoleCount() {
        DowningStates states = cluster("a b c d e").haveRole("core", "c d e");

        assertThat(decide(states.cutOff("d e"), new KeepMajority("core"))).isEqualTo("a b c");
        assertThat(decide(cluster("a b c d e").haveRole("core", "c d e").cutOff("a b c"), new KeepMajority("core")))
                .isEqualTo("a b c");
        assertThat(decide(cluster("a b c").cutOff("a b"), new KeepMajority("core")))
                .isEqualTo("a b");
    }

    @Test
    void theRoleCountsForQuorumAndOldestToo() {
        DowningStates states = cluster("a b c d e").haveRole("core", "c d e").cutOff("d e");

        assertThat(decide(states, new StaticQuorum(2, "core"))).isEqualTo("a b c");
        assertThat(decide(states, new StaticQuorum(3, "core"))).isEqualTo("d e");
        assertThat(decide(states, new KeepOldest(true, "core"))).isEqualTo("a b c");
        assertThat(decide(states, new KeepOldest(false, "core"))).isEqualTo("d e");
    }

    @Test
    void aQuorumIsExactlyItsSize() {
        assertThat(decide(cluster("a b c d e").cutOff("c d e"), new StaticQuorum(3, "")))
                .isEqualTo("a b");
        assertThat(decide(cluster("a b c d e").cutOff("d e"), new StaticQuorum(3, "")))
                .isEqualTo("d e");
    }

    @Test
    void aQuorumDoesNotGoOnWhereAnotherCouldToo() {
        assertThat(decide(cluster("a b c d e f").cutOff("a b c"), new StaticQuorum(3, "")))
                .isEqualTo("a b c");
        assertThat(decide(cluster("a b c d e f").cutOff("a b c d"), new StaticQuorum(3, "")))
                .isEqualTo("e f");
    }

    @Test
    void theOldestIsKeptUnlessItIsAlone() {
        DowningStrategy strict = new KeepOldest(true, "");
        DowningStrategy loyal = new KeepOldest(false, "");

        assertThat(decide(cluster("a b c").cutOff("a"), strict)).isEqualTo("a");
        assertThat(decide(cluster("a b c").cutOff("b c"), strict)).isEqualTo("a");
        assertThat(decide(cluster("a b c").cutOff("a"), loyal)).isEqualTo("b c");
        assertThat(decide(cluster("a b c").cutOff("b c"), loyal)).isEqualTo("b c");
        assertThat(decide(cluster("a b c").cutOff("a b"), strict)).isEqualTo("c");
        assertThat(decide(cluster("a b c").cutOff("c"), strict)).isEqualTo("c");
        assertThat(decide(cluster("a b c").oldestFirst("c b a").cutOff("b c"), strict))
                .isEqualTo("a");
    }

    @Test
    void aSideThatMayHaveMissedAChangeMustWinInEveryCase() {
        // Elsewhere a may have removed d: then b c d are two of four.
        assertThat(decide(cluster("a b c d e").are(EXITING, "d").cutOff("b c d"), MAJORITY))
                .isEqualTo("b c d");
        assertThat(decide(cluster("a b c d e f").are(EXITING, "d").cutOff("b c d e"), MAJORITY))
                .isEqualTo("a f");
        // Elsewhere a may have let e in: then b c are two of four.
        assertThat(decide(cluster("a b c e").are(JOINING, "e").cutOff("b c"), MAJORITY))
                .isEqualTo("b c");
    }

    @Test
    void aSideThatHasTheLeaderMissedNothing() {
        assertThat(decide(cluster("a b c d e").are(EXITING, "b").cutOff("a b c"), MAJORITY))
                .isEqualTo("d e");
        assertThat(decide(cluster("a b c e f").are(JOINING, "e f").cutOff("a b"), MAJORITY))
                .isEqualTo("c e f");
    }

    @Test
    void aLeaderThatIsDownMayHaveChangedSomethingBefore() {
        DowningStates states = cluster("a b c d e f").are(JOINING, "f").are(DOWN, "a");

        assertThat(decide(states.cutOff("b c d"), MAJORITY)).isEqualTo("b c d"); // with f, the others are three too
        assertThat(decide(cluster("a b c d e").are(DOWN, "a").cutOff("b c d"), MAJORITY))
                .isEqualTo("e");
        assertThat(decide(cluster("b c d e f").are(JOINING, "f").cutOff("b c d"), MAJORITY))
                .isEqualTo("e f");
        assertThat(decide(cluster("b c e f").are(JOINING, "e f").cutOff("b"), MAJORITY))
                .isEqualTo("c e f");
    }

    @Test
    void thoseWhoLeaveDoNotGoOnWithoutTheLeader() {
        DowningStates states = cluster("a b c d e").are(LEAVING, "c d e");

        assertThat(decide(states.cutOff("c d e"), MAJORITY)).isEqualTo("c d e");
        assertThat(decide(cluster("a b c d e").are(LEAVING, "c d").cutOff("c d e"), MAJORITY))
                .isEqualTo("a b");
        assertThat(decide(cluster("a b c").are(LEAVING, "a b").cutOff("a b"), MAJORITY))
                .isEqualTo("c");
    }

    @Test
    void exitingMembersThatCannotBeReachedAreLeftToTheLeader() {
        assertThat(decide(cluster("a b c").are(EXITING, "c").cutOff("a b"), MAJORITY))
                .isEqualTo("nothing");
        assertThat(decide(cluster("a b c d").are(EXITING, "d").cutOff("a b"), MAJORITY))
                .isEqualTo("c");
    }

    @Test
    void exitingMembersThatAccuseOthersOnTheirWayOutGoAlone() {
        DowningStates dead =
                cluster("a b c").are(EXITING, "c").accuse("c", "a b").seenBy("a b");
        DowningStates alive = cluster("a b c").are(EXITING, "a").accuse("a", "b c");

        assertThat(decide(dead, MAJORITY)).isEqualTo("c");
        assertThat(decide(alive, MAJORITY)).isEqualTo("a");
        assertThat(decide(alive, new StaticQuorum(9, ""))).isEqualTo("a");
    }

    @Test
    void exitingMembersThatRightlyAccuseTheLostStay() {
        assertThat(decide(cluster("a b c d").are(EXITING, "c").cutOff("a b c"), MAJORITY))
                .isEqualTo("d");
    }

    @Test
    void aJoinerThatIsNotHeardAndAccusesOthersGoes() {
        assertThat(decide(cluster("a b c").are(JOINING, "c").accuse("c", "a").seenBy("a b"), MAJORITY))
                .isEqualTo("c");
    }

    @Test
    void whoDiesAccusingOthersTakesNobodyAlong() {
        DowningStates states = cluster("a b c d e")
                .accuse("a", "b c d e")
                .accuse("b c d e", "a")
                .seenBy("b c d e");

        assertThat(decide(states, MAJORITY)).isEqualTo("a");
        assertThat(decide(states, MAJORITY, false, false)).isEqualTo("a");
    }

    @Test
    void ofTwoThatQuarrelTheYoungerGoesOrBothWithoutMinimalCut() {
        DowningStates states =
                cluster("a b c").oldestFirst("c b a").accuse("a", "c").accuse("c", "a");

        assertThat(decide(states, MAJORITY)).isEqualTo("a");
        assertThat(decide(states, MAJORITY, false, false)).isEqualTo("a c");
    }

    @Test
    void ofTwoThatQuarrelTheOneThatLeavesGoesAndBeforeItTheJoiner() {
        assertThat(decide(cluster("a b c").are(LEAVING, "a").accuse("a", "b"), MAJORITY))
                .isEqualTo("a");
        assertThat(decide(cluster("a b c").are(LEAVING, "b").are(JOINING, "a").accuse("b", "a"), MAJORITY))
                .isEqualTo("a");
        assertThat(decide(cluster("a b c").are(WEAKLY_UP, "a").accuse("b", "a"), MAJORITY))
                .isEqualTo("a");
    }

    @Test
    void aSideMustWinWithAndWithoutThoseThatItCuts() {
        DowningStates only = cluster("a b c d e").cutOff("c d e").accuse("c", "d"); // c and e are two of four
        DowningStates still = cluster("a b c d e").cutOff("a c e").accuse("c", "e"); // so are a and c, but a is lowest
        DowningStates many = cluster("a b c d e f g").cutOff("c d e f g").accuse("c", "d");

        assertThat(decide(only, MAJORITY)).isEqualTo("c d e");
        assertThat(decide(still, MAJORITY)).isEqualTo("b d e");
        assertThat(decide(still, MAJORITY, false, false)).isEqualTo("a c e"); // one of three
        assertThat(decide(many, MAJORITY)).isEqualTo("a b d");
        assertThat(decide(many, MAJORITY, false, false)).isEqualTo("a b c d");
        assertThat(decide(only, new StaticQuorum(3, ""))).isEqualTo("c d e");
        assertThat(decide(only, new KeepOldest(true, ""))).isEqualTo("c d e");
    }

    @Test
    void aSideThatLosesWithThoseItCutsDoesNotWinWithoutThem() {
        // a is alone with its old age only if b is left out.
        DowningStates states = cluster("a b c d e").oldestFirst("b a c d e").cutOff("c d e");

        assertThat(decide(states, new KeepOldest(true, ""))).isEqualTo("c d e");
        DowningStates quarrel = cluster("a b c d")
                .oldestFirst("b a c d")
                .are(LEAVING, "b")
                .cutOff("a b")
                .accuse("a", "b");
        assertThat(decide(quarrel, new KeepOldest(true, ""))).isEqualTo("a b"); // with b it wins, without it a is alone
        assertThat(decide(quarrel, new KeepOldest(false, ""))).isEqualTo("b c d");
    }

    @Test
    void whoIsDownButNotRemovedCountsForTheOthers() {
        assertThat(decide(cluster("a b c d").are(DOWN, "d").cutOff("a b"), MAJORITY))
                .isEqualTo("c");
        assertThat(decide(cluster("a b c d").are(DOWN, "a").cutOff("b c"), MAJORITY))
                .isEqualTo("b c");
        assertThat(decide(cluster("a b c d e").are(DOWN, "d e").cutOff("a b"), new StaticQuorum(2, "")))
                .isEqualTo("a b"); // three others could be a quorum
        assertThat(decide(cluster("a b c d").are(DOWN, "a").cutOff("b c"), new KeepOldest(false, "")))
                .isEqualTo("b c");
        assertThat(decide(cluster("a b c d").are(DOWN, "a").cutOff("b c"), new KeepOldest(true, "")))
                .isEqualTo("b c"); // d may be with a
        assertThat(decide(cluster("a b c").are(DOWN, "c").seenBy("a b").accuse("a", "b"), MAJORITY))
                .isEqualTo("b"); // nobody is elsewhere, so nobody votes
    }

    @Test
    void whereEverybodyWhoCountsQuarrelsAllGo() {
        DowningStates states = cluster("a b c").are(JOINING, "c").accuse("a", "b");

        assertThat(decide(states, MAJORITY, false, false)).isEqualTo("a b c");
        assertThat(decide(states, AUTO, false, false)).isEqualTo("a b");
        assertThat(decide(states, MAJORITY)).isEqualTo("b");
        assertThat(decide(
                        cluster("a b c d").are(EXITING, "c").cutOff("a b c").accuse("a", "b"), MAJORITY, false, false))
                .isEqualTo("a b c d");
    }

    @Test
    void downAllDownsAllOnAnyTrouble() {
        assertThat(decide(cluster("a b c d").are(EXITING, "d").accuse("a", "b").seenBy("a b c"), new DownAll()))
                .isEqualTo("a b c d");
        assertThat(decide(cluster("a b c").cutOff("a"), new DownAll())).isEqualTo("a b c");
        assertThat(decide(cluster("a b c").are(EXITING, "c").cutOff("a b"), new DownAll()))
                .isEqualTo("nothing");
    }

    @Test
    void autoDownTakesTheOthersAndNeverAsksWhoIsMore() {
        assertThat(decide(cluster("a b c d e").cutOff("a b"), AUTO)).isEqualTo("c d e");
        assertThat(decide(cluster("a b c d e").cutOff("c d e"), AUTO)).isEqualTo("a b");
        assertThat(decide(cluster("a b c").accuse("a", "b"), AUTO)).isEqualTo("b");
    }

    @Test
    void autoDownTakesOnlyWhoIsAccused() {
        DowningStates states = cluster("a b c d e").accuse("a b", "e").seenBy("a b c");

        assertThat(decide(states, AUTO)).isEqualTo("nothing");
        assertThat(decide(states, AUTO, true)).isEqualTo("e");
    }

    @Test
    void theReasonNamesRuleCountsAndMembers() {
        assertThat(reason(cluster("a b c d e").cutOff("a b c").accuse("a", "b"), MAJORITY))
                .isEqualTo("keep-majority: [d:2552#1, e:2552#1] cannot be reached, [b:2552#1] quarrel with members that"
                        + " are in touch; 2 of 4 members that count are on this side, the lowest address among them, so"
                        + " [a:2552#1, c:2552#1] go on");
        assertThat(reason(cluster("a b c d e").cutOff("a b c"), MAJORITY))
                .contains("; 3 of 5 members that count are on this side, so [a:2552#1, b:2552#1, c:2552#1] go on");
        assertThat(reason(cluster("a b c d").cutOff("c d"), MAJORITY))
                .isEqualTo(
                        "keep-majority: [a:2552#1, b:2552#1] cannot be reached; 2 of 4 members that count are on this"
                                + " side, the lowest address elsewhere, so this side stops: [c:2552#1, d:2552#1]");
        assertThat(reason(cluster("a b c d").cutOff("a d"), MAJORITY)).contains("the lowest address among them");
        assertThat(reason(cluster("a b c").cutOff("b c"), new StaticQuorum(2, "")))
                .contains("; 2 of the 2 members that are needed are on this side, so ");
        assertThat(reason(cluster("a b c d").cutOff("a b"), new StaticQuorum(2, "")))
                .contains(", and 2 elsewhere could have a quorum, so this side stops");
        assertThat(reason(cluster("a b c").cutOff("b c"), new KeepOldest(true, "")))
                .contains("; the oldest member is elsewhere, alone, so [b:2552#1, c:2552#1] go on");
        assertThat(reason(cluster("a b c").cutOff("a b"), new KeepOldest(true, "")))
                .contains("; the oldest member is on this side, so [a");
        assertThat(reason(cluster("a b").cutOff("a"), new KeepOldest(true, "core")))
                .contains("there is no member that counts");
    }

    @Test
    void theReasonTellsTheSpecialCases() {
        assertThat(reason(cluster("a b c e").are(JOINING, "e").cutOff("b c"), MAJORITY))
                .contains("2 of 3 members that count are on this side, but a change that was under way may have turned"
                        + " that: 2 of 4 members that count are on this side, the lowest address elsewhere");
        assertThat(reason(cluster("a b c").are(LEAVING, "b c").cutOff("b c"), MAJORITY))
                .contains("but nobody on this side is up for longer");
        assertThat(reason(cluster("a b c").are(EXITING, "c").accuse("c", "a"), MAJORITY))
                .isEqualTo(
                        "keep-majority: [c:2552#1] accuse members that stay; everybody who counts is on this side, so"
                                + " [a:2552#1, b:2552#1] go on");
        assertThat(reason(cluster("a b").cutOff("a"), new DownAll()))
                .isEqualTo("down-all: [b:2552#1] cannot be reached, so everybody goes down");
        assertThat(reason(cluster("a b").cutOff("a"), AUTO)).isEqualTo("auto-down: [b:2552#1] cannot be reached");
        assertThat(DowningDecision.decide(
                                cluster("a b").accuse("a", "b").state(),
                                DowningSettings.defaults().withMinimalCut(false),
                                false)
                        .orElseThrow()
                        .reason())
                .endsWith("but nobody who counts would be left, so all of it stops");
    }

    @Test
    void aLongListOfNamesIsCutShort() {
        assertThat(DowningView.names(ids("a b c d e f g h i j"))).endsWith("i:2552#1, j:2552#1]");
        assertThat(DowningView.names(ids("a b c d e f g h i j k l"))).endsWith("i:2552#1, j:2552#1] and 2 more");
    }

    @Test
    void aDecisionNamesSomebodyAndCannotBeChanged() {
        assertThatThrownBy(() -> new DowningDecision(ids(""), "boredom"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a downing decision must name somebody: boredom");
        assertThatThrownBy(() -> new DowningDecision(ids("a"), "x").down().clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    private static String decide(DowningStates states, DowningStrategy strategy) {
        return decide(states, strategy, false);
    }

    private static String decide(DowningStates states, DowningStrategy strategy, boolean overdue) {
        return decide(states, strategy, overdue, true);
    }

    private static String decide(DowningStates states, DowningStrategy strategy, boolean overdue, boolean minimalCut) {
        DowningSettings settings =
                DowningSettings.defaults().withStrategy(strategy).withMinimalCut(minimalCut);
        Optional<DowningDecision> decision = DowningDecision.decide(states.state(), settings, overdue);
        return decision.map(d -> names(d.down())).orElse("nothing");
    }

    private static String reason(DowningStates states, DowningStrategy strategy) {
        DowningSettings settings = DowningSettings.defaults().withStrategy(strategy);
        return DowningDecision.decide(states.state(), settings, false)
                .orElseThrow()
                .reason();
    }
}
