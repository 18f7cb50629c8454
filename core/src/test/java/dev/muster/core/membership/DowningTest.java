package dev.muster.core.membership;

import static dev.muster.core.membership.DowningStates.cluster;
import static dev.muster.core.membership.DowningStates.id;
import static dev.muster.core.membership.DowningStates.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.membership.DowningStrategy.AutoDown;
import dev.muster.core.membership.DowningStrategy.KeepMajority;
import dev.muster.core.membership.DowningStrategy.Manual;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DowningTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long START = 100 * SECOND;
    private static final long STABLE = 20 * SECOND;
    private static final long LOOK_AGAIN = SECOND / 5;
    private static final DowningSettings SETTINGS =
            DowningSettings.defaults().withStableAfter(Optional.of(Duration.ofSeconds(20)));

    private final Effects effects = new Effects();
    private final List<Boolean> asked = new ArrayList<>();

    @Test
    void nothingHappensAndNothingIsPlannedWhileAllIsCalm() {
        Downing downing = downing("a", SETTINGS);
        ClusterState calm = cluster("a b c").state();

        assertThat(downing.perform(calm, START, effects)).isSameAs(calm);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
        downing.distrustClock(START);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(downing.pendingSentence(START)).isEmpty();
        assertThat(asked).isEmpty();
    }

    @Test
    void itDecidesWhenThePictureWasStillForStableAfterToTheNanosecond() {
        Downing downing = downing("a", SETTINGS);
        ClusterState cut = cluster("a b c").cutOff("a b").state();

        assertThat(downing.perform(cut, START, effects)).isSameAs(cut);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + STABLE);
        assertThat(downing.perform(cut, START + STABLE - 1, effects)).isSameAs(cut);
        assertThat(asked).isEmpty();

        ClusterState decided = downing.perform(cut, START + STABLE, effects);
        assertThat(down(decided)).isEqualTo("c");
        assertThat(asked).containsExactly(false);
        assertThat(decided)
                .isEqualTo(cut.withMember(
                        id("a"), cut.members().find(id("c")).orElseThrow().withStatus(MemberStatus.DOWN)));
        assertThat(downing.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatWasDecidedIsPublished() {
        Downing downing = downing("a", SETTINGS);
        ClusterState cut = cluster("a b c d e").cutOff("a b c").state();
        downing.perform(cut, START, effects);
        downing.perform(cut, START + STABLE, effects);

        DowningDecision decision = DowningDecision.decide(cut, SETTINGS, false).orElseThrow();
        assertThat(effects.list())
                .containsExactly(new Effect.PublishEvent(new ClusterEvent.DowningDecided(
                        "keep-majority", List.of(id("d"), id("e")), decision.reason(), cut)));
    }

    @Test
    void aSideThatLosesDownsItselfInOneChange() {
        Downing downing = downing("d", SETTINGS);
        ClusterState cut = cluster("a b c d e").cutOff("d e").state();
        downing.perform(cut, START, effects);

        ClusterState decided = downing.perform(cut, START + STABLE, effects);
        assertThat(down(decided)).isEqualTo("d e");
        assertThat(decided.version()).isEqualTo(cut.version().increment(id("d").clockKey()));
    }

    @Test
    void stableAfterGrowsWithTheMembersThatCount() {
        DowningSettings settings = DowningSettings.defaults();
        Downing downing = downing("a", settings);
        downing.perform(
                cluster("a b c d e f g h i j")
                        .are(MemberStatus.EXITING, "i")
                        .are(MemberStatus.JOINING, "j")
                        .accuse("a", "b")
                        .state(),
                START,
                effects);

        assertThat(settings.stableAfterNanos(9)).isNotEqualTo(settings.stableAfterNanos(8));
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + settings.stableAfterNanos(9));
    }

    @Test
    void anotherAccusationStartsTheClockAgain() {
        Downing downing = downing("a", SETTINGS);
        downing.perform(cluster("a b c d e").accuse("a", "e").seenBy("a b c d").state(), START, effects);
        long later = START + 5 * SECOND;
        ClusterState cut = cluster("a b c d e")
                .accuse("a b", "e")
                .seenBy("a b c d")
                .changedBy("b")
                .state();
        downing.perform(cut, later, effects);

        assertThat(downing.nextWakeUpNanos()).isEqualTo(later + STABLE);
        assertThat(downing.perform(cut, later + STABLE - 1, effects)).isSameAs(cut);
        assertThat(down(downing.perform(cut, later + STABLE, effects))).isEqualTo("e");
    }

    @Test
    void accusationsThatAreWithdrawnEndTheTrouble() {
        Downing downing = downing("a", SETTINGS);
        downing.perform(cluster("a b c").cutOff("a b").state(), START, effects);
        downing.perform(cluster("a b c").state(), START + STABLE - 1, effects);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);

        long later = START + 10 * STABLE;
        ClusterState again = cluster("a b c").cutOff("a b").state();
        assertThat(downing.perform(again, later, effects)).isSameAs(again);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(later + STABLE);
    }

    @Test
    void aJoinerStartsNoClockAgainAndThoseWhoSawTheStateBeforeItCount() {
        Downing downing = downing("a", SETTINGS);
        downing.perform(cluster("a b c d e").cutOff("a b c d").state(), START, effects);
        ClusterState withJoiner = cluster("a b c d e j")
                .are(MemberStatus.JOINING, "j")
                .accuse("a b c d", "e")
                .seenBy("a b c")
                .changedBy("a")
                .state();
        downing.perform(withJoiner, START + STABLE - SECOND, effects);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + STABLE);
        assertThat(downing.perform(withJoiner, START + STABLE - 1, effects)).isSameAs(withJoiner);

        assertThat(down(downing.perform(withJoiner, START + STABLE, effects))).isEqualTo("e");
        assertThat(basis()).isEqualTo(withJoiner.seenBy(id("d")));
    }

    @Test
    void whoseSilenceIsInDoubtDoesNotMakeASideGoOn() {
        Downing downing = downing("a", SETTINGS);
        DowningStates states = cluster("a b c").accuse("a", "c");
        downing.perform(states.seenBy("a b").state(), START, effects);
        ClusterState next = states.seenBy("a").changedBy("a").state();
        downing.perform(next, START, effects);

        assertThat(downing.perform(next, START + STABLE, effects)).isSameAs(next); // with b yes, without it no
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + STABLE + SECOND);
        assertThat(asked).containsExactly(false, true);
        ClusterState heard = next.seenBy(id("b"));
        assertThat(down(downing.perform(heard, START + STABLE + LOOK_AGAIN, effects)))
                .isEqualTo("c");
        assertThat(basis()).isEqualTo(heard);
    }

    @Test
    void onceTheDoubtIsOverTheSideThatIsTooSmallStops() {
        Downing downing = downing("a", SETTINGS);
        DowningStates states = cluster("a b c").accuse("a", "c");
        downing.perform(states.seenBy("a b").state(), START, effects);
        ClusterState next = states.seenBy("a").changedBy("a").state();
        downing.perform(next, START, effects);
        assertThat(downing.perform(next, START + 2 * STABLE - 1, effects)).isSameAs(next);

        assertThat(down(downing.perform(next, START + 2 * STABLE - 1 + SECOND, effects)))
                .isEqualTo("a");
        assertThat(basis()).isEqualTo(next);
    }

    @Test
    void aSideThatStopsTakesAlongOnlyWhomItIsSureOf() {
        Downing downing = downing("a", SETTINGS);
        DowningStates states = cluster("a b c d e f g").accuse("a", "d e f g");
        downing.perform(states.seenBy("a b c").state(), START, effects);
        ClusterState next = states.seenBy("a b").changedBy("a").state();
        downing.perform(next, START, effects);

        assertThat(down(downing.perform(next, START + STABLE, effects))).isEqualTo("a b");
        assertThat(basis()).isEqualTo(next.seenBy(id("c")));
    }

    @Test
    void aSideThatWouldGoOnWithoutThoseInDoubtDoesNotStop() {
        Downing downing = new Downing(
                id("a"),
                SETTINGS,
                (state, settings, overdue) -> Optional.of(new DowningDecision(
                        DowningStates.ids(state.isSeenBy(id("b")) ? "a b" : "b c"), "the fewer the better")));
        DowningStates states = cluster("a b c").accuse("a", "c");
        downing.perform(states.seenBy("a b").state(), START, effects);
        ClusterState next = states.seenBy("a").changedBy("a").state();
        downing.perform(next, START, effects);

        assertThat(downing.perform(next, START + STABLE, effects)).isSameAs(next);
        assertThat(effects.list()).isEmpty();
    }

    @Test
    void whoIsNotAccusedCountsAsInTouchForTwiceStableAfter() {
        assertThat(decidedWithSilentD(2 * STABLE - 1)).isEqualTo("e");
        assertThat(decidedWithSilentD(2 * STABLE)).isEqualTo("nothing");
    }

    /** d saw the first state, and nothing that came later. */
    private String decidedWithSilentD(long silentNanos) {
        Downing downing = downing("a", SETTINGS);
        DowningStates states = cluster("a b c d e").accuse("a", "e");
        downing.perform(states.seenBy("a b c d").state(), START, effects);
        downing.perform(states.seenBy("a b c").changedBy("a").state(), START, effects);
        downing.distrustClock(START + silentNanos - STABLE); // so that it is not overdue
        ClusterState last = downing.perform(states.state(), START + silentNanos, effects);
        return down(last).isEmpty() ? "nothing" : down(last);
    }

    @Test
    void whoSawTheStateThatWasReplacedCountsAsHeardThen() {
        Downing downing = downing("a", SETTINGS);
        downing.perform(cluster("a b c d e").state(), START - 1000 * SECOND, effects);
        ClusterState cut = cluster("a b c d e")
                .accuse("a", "e")
                .seenBy("a b c")
                .changedBy("a")
                .state();
        downing.perform(cut, START, effects);

        assertThat(down(downing.perform(cut, START + STABLE, effects))).isEqualTo("e");
        assertThat(basis()).isEqualTo(cut.seenBy(id("d")));
    }

    @Test
    void aChangeOfTheSeenSetAloneReplacesNothing() {
        Downing downing = downing("a", SETTINGS);
        ClusterState cut = cluster("a b c").accuse("a", "c").seenBy("a").state();
        downing.perform(cut, START, effects);
        ClusterState seen = cut.seenBy(id("b"));
        downing.perform(seen, START + SECOND, effects);

        downing.perform(seen, START + STABLE, effects);
        assertThat(basis()).isEqualTo(seen);
    }

    @Test
    void whoseAccusationWasWithdrawnWasHeardByWhoeverWithdrewIt() {
        Downing downing = downing("a", SETTINGS);
        downing.perform(cluster("a b c d").accuse("a b", "c d").seenBy("a b").state(), START, effects);
        ClusterState back = cluster("a b c d")
                .accuse("a b", "d")
                .seenBy("a b")
                .changedBy("b")
                .state();
        downing.perform(back, START + SECOND, effects);

        ClusterState decided = downing.perform(back, START + SECOND + STABLE, effects);
        assertThat(down(decided)).isEqualTo("d");
        assertThat(basis()).isEqualTo(back.seenBy(id("c")));
    }

    @Test
    void whenAllIsCalmAgainWhoWasHeardIsForgotten() {
        Downing downing = downing("a", SETTINGS);
        downing.perform(cluster("a b c d").accuse("a", "d").seenBy("a b c").state(), START, effects);
        downing.perform(cluster("a b c d").seenBy("a").changedBy("a").state(), START + SECOND, effects);
        ClusterState again = cluster("a b c d")
                .accuse("a", "d")
                .seenBy("a")
                .changedBy("a")
                .changedBy("a")
                .state();
        downing.perform(again, START + 2 * SECOND, effects);

        assertThat(downing.perform(again, START + 2 * SECOND + STABLE, effects)).isSameAs(again);
        assertThat(asked).containsExactly(false);
    }

    @Test
    void nobodyIsJudgedByAYoungAccusation() {
        Downing downing = downing("a", SETTINGS);
        downing.perform(cluster("a b c d e").accuse("a", "e").seenBy("a b c d").state(), START, effects);
        ClusterState younger = cluster("a b c d e")
                .accuse("a", "d e")
                .seenBy("a b c")
                .changedBy("a")
                .state();
        downing.perform(younger, START + 15 * SECOND + 1, effects);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + 35 * SECOND);

        assertThat(down(downing.perform(younger, START + 35 * SECOND, effects))).isEqualTo("e");
        assertThat(asked).containsExactly(true, true);
        assertThat(basis())
                .isEqualTo(younger.disregarding(DowningStates.ids("d")).seenBy(id("d")));
        assertThat(basis().isReachable(id("d"))).isTrue();
    }

    @Test
    void anAccusationIsOldEnoughAfterExactlyStableAfter() {
        Downing downing = downing("a", SETTINGS);
        downing.perform(cluster("a b c d e").accuse("a", "e").seenBy("a b c d").state(), START, effects);
        ClusterState younger = cluster("a b c d e")
                .accuse("a", "d e")
                .seenBy("a b c")
                .changedBy("a")
                .state();
        downing.perform(younger, START + 15 * SECOND, effects);

        assertThat(down(downing.perform(younger, START + 35 * SECOND, effects))).isEqualTo("d e");
        assertThat(basis()).isEqualTo(younger);
    }

    @Test
    void inAQuarrelYoungAccusationsCountToo() {
        Downing downing = downing("b", SETTINGS);
        DowningStates states = cluster("a b c d").accuse("a", "c"); // a is sick, and the oldest
        downing.perform(states.state(), START, effects);
        ClusterState younger = states.accuse("b c d", "a").changedBy("b").state();
        downing.perform(younger, START + 15 * SECOND + 1, effects);

        assertThat(down(downing.perform(younger, START + 35 * SECOND, effects))).isEqualTo("a");
        assertThat(basis()).isEqualTo(younger);
    }

    @Test
    void theYoungAccusationsThatAMemberInAQuarrelMakesCountToo() {
        Downing downing = downing("a", SETTINGS);
        DowningStates states = cluster("a b c d e").accuse("a", "c");
        downing.perform(states.state(), START, effects);
        ClusterState younger =
                states.accuse("a", "d").accuse("b", "e").changedBy("a").state();
        downing.perform(younger, START + 15 * SECOND + 1, effects);

        assertThat(down(downing.perform(younger, START + 35 * SECOND, effects))).isEqualTo("a");
        assertThat(basis()).isEqualTo(younger.disregarding(DowningStates.ids("e"))); // that one is another matter
    }

    @Test
    void anAccusationByAnotherObserverMakesTheOldOneNoYounger() {
        Downing downing = downing("a", SETTINGS);
        downing.perform(cluster("a b c d e").accuse("a", "e").seenBy("a b c d").state(), START, effects);
        ClusterState more = cluster("a b c d e")
                .accuse("a b", "e")
                .seenBy("a b c d")
                .changedBy("b")
                .state();
        downing.perform(more, START + 19 * SECOND, effects);

        assertThat(down(downing.perform(more, START + 35 * SECOND, effects))).isEqualTo("e");
    }

    @Test
    void whoIsAccusedCountsAsInTouchOnlyBriefly() {
        assertThat(decidedWhenLastHeardBefore(20, 3 * SECOND - 1)).isEqualTo("c");
        assertThat(decidedWhenLastHeardBefore(20, 3 * SECOND)).isEqualTo("b c");
        assertThat(decidedWhenLastHeardBefore(4, 2 * SECOND - 1)).isEqualTo("c");
        assertThat(decidedWhenLastHeardBefore(4, 2 * SECOND)).isEqualTo("b c");
    }

    /** Decides while b and c are accused, and c was heard for the last time so long ago. */
    private String decidedWhenLastHeardBefore(int stableSeconds, long beforeNanos) {
        DowningSettings settings = SETTINGS.withStableAfter(Optional.of(Duration.ofSeconds(stableSeconds)));
        Downing downing = new Downing(id("a"), settings, (state, given, overdue) -> {
            boolean heard = state.isSeenBy(id("c"));
            return Optional.of(new DowningDecision(DowningStates.ids(heard ? "c" : "b c"), "as heard"));
        });
        long due = START + stableSeconds * SECOND;
        DowningStates states = cluster("a b c").accuse("a", "b c");
        downing.perform(states.seenBy("a").state(), START, effects);
        downing.perform(states.seenBy("a c").state(), due - beforeNanos, effects);
        ClusterState last = states.seenBy("a").changedBy("a").state();
        downing.perform(last, due - beforeNanos, effects);
        return down(downing.perform(last, due, effects));
    }

    @Test
    void whileThePictureIsIncompleteItWaitsAndDecidesAsSoonAsItIsNot() {
        Downing downing = downing("a", SETTINGS);
        ClusterState unheard =
                cluster("a b c d").accuse("a b", "d").seenBy("a b").state();
        downing.perform(unheard, START, effects);
        assertThat(downing.perform(unheard, START + STABLE, effects)).isSameAs(unheard);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + STABLE + SECOND);

        ClusterState heard = unheard.seenBy(id("c"));
        assertThat(down(downing.perform(heard, START + STABLE + LOOK_AGAIN, effects)))
                .isEqualTo("d");
    }

    @Test
    void howeverOftenTheStateChangesItIsLookedAtFiveTimesASecondAtMost() {
        Downing downing = downing("a", SETTINGS);
        ClusterState unheard = cluster("a b c d").accuse("a b", "d").seenBy("a").state();
        downing.perform(unheard, START, effects);
        downing.perform(unheard, START + STABLE, effects);
        assertThat(asked).containsExactly(false);
        ClusterState more = unheard.seenBy(id("b"));
        assertThat(downing.perform(more, START + STABLE + 1, effects)).isSameAs(more);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + STABLE + LOOK_AGAIN);
        ClusterState all = more.seenBy(id("c"));
        assertThat(downing.perform(all, START + STABLE + LOOK_AGAIN - 1, effects))
                .isSameAs(all);
        assertThat(asked).containsExactly(false);

        assertThat(down(downing.perform(all, START + STABLE + LOOK_AGAIN, effects)))
                .isEqualTo("d");
    }

    @Test
    void theSameStateIsLookedAtAgainEverySecond() {
        Downing downing = downing("a", SETTINGS);
        ClusterState unheard =
                cluster("a b c d").accuse("a b", "d").seenBy("a b").state();
        downing.perform(unheard, START, effects);
        downing.perform(unheard, START + STABLE, effects);
        downing.perform(unheard, START + STABLE + SECOND - 1, effects);
        assertThat(asked).containsExactly(false);

        downing.perform(unheard, START + STABLE + SECOND, effects);
        assertThat(asked).containsExactly(false, false);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + STABLE + 2 * SECOND);
    }

    @Test
    void whatIsStillIncompleteIsOverdueToTheNanosecond() {
        Downing downing = downing("a", SETTINGS);
        ClusterState unheard =
                cluster("a b c d e").accuse("a b", "e").seenBy("a b c").state();
        downing.perform(unheard, START, effects);
        downing.perform(unheard, START + STABLE, effects);
        assertThat(downing.perform(unheard, START + STABLE * 7 / 4 - SECOND, effects))
                .isSameAs(unheard);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + STABLE * 7 / 4);

        assertThat(down(downing.perform(unheard, START + STABLE * 7 / 4, effects)))
                .isEqualTo("d e");
        assertThat(asked).containsExactly(false, false, false, true);
    }

    @Test
    void aPictureThatNeverRestsIsDecidedWhenOverdue() {
        Downing downing = downing("a", SETTINGS);
        ClusterState one = cluster("a b c").accuse("a", "c").seenBy("a b").state();
        ClusterState both =
                cluster("a b c").accuse("a b", "c").seenBy("a b").changedBy("b").state();
        downing.perform(one, START, effects);
        downing.perform(both, START + 10 * SECOND, effects);
        downing.perform(one, START + 19 * SECOND, effects);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + 35 * SECOND);
        assertThat(downing.perform(one, START + 35 * SECOND - 1, effects)).isSameAs(one);

        assertThat(down(downing.perform(one, START + 35 * SECOND, effects))).isEqualTo("c");
        assertThat(asked).containsExactly(true);
    }

    @Test
    void whatNeverRestsMayBeSetToDownEverybody() {
        Downing downing = downing("a", SETTINGS.withDownAllWhenUnstable(true));
        ClusterState unheard =
                cluster("a b c d e").accuse("a b", "e").seenBy("a b c").state();
        downing.perform(unheard, START, effects);
        downing.perform(unheard, START + STABLE, effects);

        assertThat(down(downing.perform(unheard, START + 35 * SECOND, effects))).isEqualTo("a b c d e");
        assertThat(effects.list())
                .containsExactly(new Effect.PublishEvent(new ClusterEvent.DowningDecided(
                        "keep-majority",
                        List.of(id("a"), id("b"), id("c"), id("d"), id("e")),
                        "keep-majority: [e:2552#1] cannot be reached by all, and the picture has not come to rest for"
                                + " 35.0 s: everybody goes down",
                        unheard)));
        assertThat(asked).containsExactly(false, false);
    }

    @Test
    void whereEverybodyIsToGoNobodysSilenceIsInDoubt() {
        Downing downing = downing("a", SETTINGS.withDownAllWhenUnstable(true));
        DowningStates states = cluster("a b c d e").accuse("a", "e");
        downing.perform(states.seenBy("a b c d").state(), START, effects);
        ClusterState next =
                states.accuse("b", "e").seenBy("a b c").changedBy("b").state();
        downing.perform(next, START + 19 * SECOND, effects);

        assertThat(down(downing.perform(next, START + 35 * SECOND, effects))).isEqualTo("a b c d e");
        assertThat(basis()).isEqualTo(next.seenBy(id("d")));
        assertThat(asked).isEmpty();
    }

    @Test
    void whatCouldBeDecidedInTimeIsNotUnstable() {
        Downing downing = downing("a", SETTINGS.withDownAllWhenUnstable(true));
        ClusterState cut = cluster("a b c").cutOff("a b").state();
        downing.perform(cut, START, effects);

        assertThat(down(downing.perform(cut, START + 10 * STABLE, effects))).isEqualTo("c");
    }

    @Test
    void whenNothingCouldBeDecidedItTriesAgainSoon() {
        Downing downing = new Downing(id("a"), SETTINGS, (state, settings, overdue) -> {
            asked.add(overdue);
            return Optional.empty();
        });
        ClusterState cut = cluster("a b c").cutOff("a b").state();
        downing.perform(cut, START, effects);
        downing.perform(cut, START + STABLE, effects);
        downing.perform(cut, START + 35 * SECOND, effects);

        assertThat(asked).containsExactly(false, false, true);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + 36 * SECOND);
        assertThat(effects.list()).isEmpty();
    }

    @Test
    void onceSomebodyWentTheRestIsANewQuestion() {
        Downing downing = downing("a", SETTINGS);
        DowningStates states =
                cluster("a b c d e f").accuse("a", "e").accuse("a b", "f").seenBy("a b c");
        downing.perform(states.state(), START, effects);
        long later = START + 30 * SECOND;
        downing.perform(states.are(MemberStatus.DOWN, "e").changedBy("b").state(), later, effects);

        assertThat(downing.nextWakeUpNanos()).isEqualTo(later + STABLE);
        ClusterState still = states.state();
        downing.perform(still, later + STABLE, effects);
        assertThat(downing.perform(still, later + 34 * SECOND, effects)).isSameAs(still);
        assertThat(asked).containsExactly(false, false);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(later + 35 * SECOND);
        downing.perform(still, later + 35 * SECOND, effects);
        assertThat(asked).containsExactly(false, false, false, true);
    }

    @Test
    void onlyTheFirstInLineActsAndTheNextStandsInLater() {
        Downing second = downing("b", SETTINGS);
        ClusterState cut = cluster("a b c d e").cutOff("a b c").state();
        second.perform(cut, START, effects);
        assertThat(second.nextWakeUpNanos()).isEqualTo(START + STABLE);
        assertThat(second.perform(cut, START + STABLE, effects)).isSameAs(cut);
        assertThat(second.nextWakeUpNanos()).isEqualTo(START + STABLE + SECOND);
        assertThat(second.perform(cut, START + 2 * STABLE - SECOND, effects)).isSameAs(cut);
        assertThat(second.nextWakeUpNanos()).isEqualTo(START + 2 * STABLE);
        assertThat(asked).isEmpty();

        assertThat(down(second.perform(cut, START + 2 * STABLE, effects))).isEqualTo("d e");
    }

    @Test
    void theLineIsThatOfLeadersAndWhoIsAccusedComesLast() {
        DowningStates states = cluster("a b c d e f g h")
                .are(MemberStatus.EXITING, "a")
                .are(MemberStatus.JOINING, "b")
                .are(MemberStatus.WEAKLY_UP, "c")
                .are(MemberStatus.LEAVING, "e")
                .are(MemberStatus.DOWN, "f")
                .accuse("g", "d")
                .accuse("h", "e")
                .seenBy("a b c d e f g");

        assertThat(names(new DowningView(states.state()).deciders())).isEqualTo("e g c b a d");
    }

    @Test
    void whoHasNotSeenTheStateDoesNotAct() {
        Downing downing = downing("c", SETTINGS);
        ClusterState cut = cluster("a b c").cutOff("a b").state();
        downing.perform(cut, START, effects);

        assertThat(downing.perform(cut, START + 10 * STABLE, effects)).isSameAs(cut);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void afterALocalPauseEverythingMustHoldStillAnew() {
        Downing downing = downing("a", SETTINGS);
        ClusterState cut = cluster("a b c").cutOff("a b").state();
        downing.perform(cut, START, effects);
        long awake = START + 100 * SECOND;
        downing.distrustClock(awake);

        assertThat(downing.nextWakeUpNanos()).isEqualTo(awake + STABLE);
        assertThat(downing.perform(cut, awake, effects)).isSameAs(cut);
        assertThat(downing.perform(cut, awake + STABLE - 1, effects)).isSameAs(cut);
        assertThat(asked).isEmpty();
        assertThat(down(downing.perform(cut, awake + STABLE, effects))).isEqualTo("c");
    }

    @Test
    void afterALocalPauseNothingIsOverdue() {
        Downing downing = downing("a", SETTINGS);
        ClusterState unheard =
                cluster("a b c d e").accuse("a b", "e").seenBy("a b c").state();
        downing.perform(unheard, START, effects);
        long awake = START + 34 * SECOND;
        downing.distrustClock(awake);
        downing.perform(unheard, awake + STABLE, effects);

        assertThat(downing.perform(unheard, awake + 35 * SECOND - 1, effects)).isSameAs(unheard);
        assertThat(asked).containsExactly(false, false);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(awake + 35 * SECOND);
    }

    @Test
    void offNeverActsButTellsWhatItWaitsFor() {
        Downing downing = downing("a", SETTINGS.withStrategy(new Manual()));
        ClusterState cut = cluster("a b c").cutOff("a b").state();
        downing.perform(cut, START, effects);

        assertThat(downing.perform(cut, START + 100 * STABLE, effects)).isSameAs(cut);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(downing.pendingSentence(START))
                .contains("[c:2552#1] cannot be reached by all; downing is off, so an operator must say who is down");
        assertThat(asked).isEmpty();
    }

    @Test
    void autoDownGivesEachMemberItsOwnTime() {
        Downing downing = downing("a", autoDown(10));
        ClusterState first =
                cluster("a b c d").accuse("a b", "d").seenBy("a b c").state();
        downing.perform(first, START, effects);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + 10 * SECOND);
        ClusterState both = cluster("a b c d")
                .accuse("a b", "c d")
                .seenBy("a b")
                .changedBy("a")
                .state();
        downing.perform(both, START + 4 * SECOND, effects);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + 10 * SECOND);
        assertThat(downing.perform(both, START + 10 * SECOND - 1, effects)).isSameAs(both);

        ClusterState decided = downing.perform(both, START + 10 * SECOND, effects);
        assertThat(down(decided)).isEqualTo("d");
        assertThat(effects.list())
                .containsExactly(new Effect.PublishEvent(new ClusterEvent.DowningDecided(
                        "auto-down",
                        List.of(id("d")),
                        "auto-down: [d:2552#1] cannot be reached",
                        both.disregarding(DowningStates.ids("c")).seenBy(id("c")))));
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + 14 * SECOND);

        ClusterState seen = decided.seenBy(id("b"));
        assertThat(downing.perform(seen, START + 14 * SECOND - 1, effects)).isSameAs(seen);
        assertThat(down(downing.perform(seen, START + 14 * SECOND, effects))).isEqualTo("c d");
    }

    @Test
    void autoDownStartsAgainForWhoCameBackInBetween() {
        Downing downing = downing("a", autoDown(10));
        downing.perform(cluster("a b c d").accuse("a d", "b c").seenBy("a d").state(), START, effects);
        downing.perform(cluster("a b c d").accuse("a d", "b").seenBy("a c d").state(), START + SECOND, effects);
        ClusterState again =
                cluster("a b c d").accuse("a d", "b c").seenBy("a d").state();
        downing.perform(again, START + 2 * SECOND, effects);

        ClusterState decided = downing.perform(again, START + 10 * SECOND, effects);
        assertThat(down(decided)).isEqualTo("b");
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + 12 * SECOND);
    }

    @Test
    void autoDownTakesWhoQuarrelsWithSomebodyWhoseTimeIsUp() {
        Downing downing = downing("a", autoDown(10));
        ClusterState sick = cluster("a b c d").accuse("d", "a b c").state();
        downing.perform(sick, START, effects);

        assertThat(down(downing.perform(sick, START + 20 * SECOND - LOOK_AGAIN, effects)))
                .isEmpty(); // d is first in line
        assertThat(down(downing.perform(sick, START + 20 * SECOND, effects))).isEqualTo("d");
    }

    @Test
    void autoDownLetsTheOnlyAccuserJudgeAfterOthers() {
        Downing downing = downing("a", autoDown(10));
        ClusterState alone = cluster("a b c").accuse("a", "c").seenBy("a b").state();
        downing.perform(alone, START, effects);

        assertThat(down(downing.perform(alone, START + 30 * SECOND - LOOK_AGAIN, effects)))
                .isEmpty();
        assertThat(down(downing.perform(alone, START + 30 * SECOND, effects))).isEqualTo("c");
    }

    @Test
    void autoDownLetsTheOnlyAccuserJudgeInTimeWhenNobodyElseIsLeft() {
        Downing downing = downing("a", autoDown(10));
        ClusterState alone = cluster("a b").accuse("a", "b").seenBy("a").state();
        downing.perform(alone, START, effects);

        assertThat(down(downing.perform(alone, START + 10 * SECOND, effects))).isEqualTo("b");
    }

    @Test
    void aMajorityMayFollowItsOnlyAccuserInTime() {
        Downing downing = downing("a", SETTINGS);
        ClusterState alone = cluster("a b c").accuse("a", "c").seenBy("a b").state();
        downing.perform(alone, START, effects);

        assertThat(down(downing.perform(alone, START + STABLE, effects))).isEqualTo("c");
    }

    @Test
    void autoDownGivesAQuarrelOfTwoMoreTime() {
        Downing downing = downing("c", autoDown(10));
        ClusterState two = cluster("a b c").accuse("a", "b").accuse("b", "a").state();
        downing.perform(two, START, effects);

        assertThat(down(downing.perform(two, START + 29 * SECOND, effects))).isEmpty();
        assertThat(down(downing.perform(two, START + 30 * SECOND, effects))).isEqualTo("b");
    }

    @Test
    void whoIsAtOddsWithMoreThanItsAccuserJudgesAfterOthers() {
        Downing sick = downing("a", SETTINGS);
        ClusterState cut = cluster("a b c d e")
                .accuse("a", "d e")
                .accuse("e", "a")
                .seenBy("a b c")
                .state();
        sick.perform(cut, START, effects);

        assertThat(sick.perform(cut, START + 3 * STABLE - LOOK_AGAIN, effects)).isSameAs(cut);
        assertThat(down(sick.perform(cut, START + 3 * STABLE, effects))).isEqualTo("d e");
    }

    @Test
    void whatWasTakenBackTellsWhichOfTwoIsSick() {
        Downing downing = downing("a", SETTINGS);
        downing.perform(cluster("a b c d").accuse("b", "c").accuse("d", "b").state(), START, effects);
        ClusterState left = cluster("a b c d").accuse("b", "c").changedBy("d").state();
        downing.perform(left, START + SECOND, effects);

        assertThat(down(downing.perform(left, START + SECOND + STABLE, effects)))
                .isEqualTo("b");
    }

    @Test
    void withoutMinimalCutNobodyGoesForWhatWasTakenBack() {
        Downing downing = downing("a", SETTINGS.withMinimalCut(false));
        downing.perform(cluster("a b c d").accuse("b", "c").accuse("d", "b").state(), START, effects);
        ClusterState left = cluster("a b c d").accuse("b", "c").changedBy("d").state();
        downing.perform(left, START + SECOND, effects);

        assertThat(down(downing.perform(left, START + SECOND + STABLE, effects)))
                .isEqualTo("b c");
    }

    @Test
    void whatWasTakenBackLongAgoIsForgotten() {
        Downing downing = downing("a", SETTINGS);
        downing.perform(cluster("a b c d").accuse("b", "c").accuse("d", "b").state(), START, effects);
        ClusterState left = cluster("a b c d").accuse("b", "c").changedBy("d").state();
        downing.perform(left, START + SECOND, effects);

        assertThat(down(downing.perform(left, START + SECOND + 2 * STABLE, effects)))
                .isEqualTo("c");
    }

    @Test
    void autoDownWaitsForACompletePictureUntilItIsOverdue() {
        Downing downing = downing("a", autoDown(10).withDownAllWhenUnstable(true));
        ClusterState unheard =
                cluster("a b c d").accuse("a b", "d").seenBy("a b").state();
        downing.perform(unheard, START, effects);
        assertThat(downing.perform(unheard, START + 10 * SECOND, effects)).isSameAs(unheard);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + 11 * SECOND);
        assertThat(downing.perform(unheard, START + 33 * SECOND / 2, effects)).isSameAs(unheard);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + 35 * SECOND / 2);

        assertThat(down(downing.perform(unheard, START + 35 * SECOND / 2, effects)))
                .isEqualTo("d");
    }

    @Test
    void afterALocalPauseAutoDownStartsAgain() {
        Downing downing = downing("a", autoDown(10));
        ClusterState cut = cluster("a b c").cutOff("a b").state();
        downing.perform(cut, START, effects);
        downing.distrustClock(START + 30 * SECOND);

        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + 40 * SECOND);
        assertThat(downing.perform(cut, START + 40 * SECOND - 1, effects)).isSameAs(cut);
        assertThat(down(downing.perform(cut, START + 40 * SECOND, effects))).isEqualTo("c");
    }

    @Test
    void autoDownAtOnceDoesNotSpinWhenThereIsNothingToDo() {
        Downing downing = new Downing(id("a"), autoDown(0), (state, settings, overdue) -> Optional.empty());
        downing.perform(cluster("a b").cutOff("a").state(), START, effects);

        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + SECOND);
        assertThat(down(downing("a", autoDown(0))
                        .perform(cluster("a b").cutOff("a").state(), START, effects)))
                .isEqualTo("b");
        assertThatThrownBy(() -> autoDown(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("auto-down-unreachable-after must not be negative, was PT-1S");
    }

    @Test
    void aRuleThatNamesOnlyWhoIsDownOrUnknownChangesNothing() {
        Downing downing = new Downing(
                id("a"),
                SETTINGS,
                (state, settings, overdue) -> Optional.of(new DowningDecision(DowningStates.ids("d x"), "bug")));
        ClusterState cut =
                cluster("a b c d").are(MemberStatus.DOWN, "d").cutOff("a b").state();
        downing.perform(cut, START, effects);

        assertThat(downing.perform(cut, START + STABLE, effects)).isSameAs(cut);
        assertThat(effects.list()).isEmpty();
    }

    @Test
    void itTellsWhatItWaitsFor() {
        Downing downing = downing("b", SETTINGS);
        ClusterState unheard =
                cluster("a b c d e").accuse("a b", "e").seenBy("a b c").state();
        downing.perform(unheard, START, effects);

        assertThat(downing.pendingSentence(START + SECOND + 1))
                .contains("[e:2552#1] cannot be reached by all; keep-majority decides in 19.0 s if nothing changes, and"
                        + " otherwise in 34.0 s; first in line to act is a:2552#1; [d:2552#1] neither answered nor were"
                        + " accused yet");
        downing.perform(cluster("a b c").cutOff("a b").state(), START, effects);
        assertThat(downing.pendingSentence(START + STABLE))
                .contains("[c:2552#1] cannot be reached by all; keep-majority decides now if nothing changes, and"
                        + " otherwise in 15.0 s; first in line to act is a:2552#1");
    }

    @Test
    void theDecisionIsToldWithoutItsBasis() {
        assertThat(new ClusterEvent.DowningDecided("s", List.of(id("a")), "why", ClusterState.EMPTY))
                .hasToString("DowningDecided[strategy=s, down=[a:2552#1], reason=why]");
    }

    /** The state on which the last decision was made. */
    private ClusterState basis() {
        Effect last = effects.list().get(effects.list().size() - 1);
        return ((ClusterEvent.DowningDecided) ((Effect.PublishEvent) last).event()).basis();
    }

    private static DowningSettings autoDown(int seconds) {
        return SETTINGS.withStrategy(new AutoDown(Duration.ofSeconds(seconds)));
    }

    private Downing downing(String self, DowningSettings settings) {
        assertThat(settings.strategy()).isInstanceOfAny(KeepMajority.class, AutoDown.class, Manual.class);
        return new Downing(id(self), settings, (state, given, overdue) -> {
            asked.add(overdue);
            return DowningDecision.decide(state, given, overdue);
        });
    }

    private static String down(ClusterState state) {
        return names(state.members().stream()
                .filter(m -> m.status() == MemberStatus.DOWN)
                .map(Member::id)
                .toList());
    }
}
