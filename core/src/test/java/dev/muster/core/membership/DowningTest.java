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
    void aJoinerDoesNotStartTheClockAgainButMustNotEmptyTheSeenSetUnnoticed() {
        Downing downing = downing("a", SETTINGS);
        downing.perform(cluster("a b c").cutOff("a b").state(), START, effects);
        long joined = START + STABLE - SECOND;
        ClusterState withJoiner = cluster("a b c j")
                .are(MemberStatus.JOINING, "j")
                .accuse("a b", "c")
                .seenBy("a b j")
                .changedBy("b")
                .state();
        downing.perform(withJoiner, joined, effects);

        assertThat(downing.nextWakeUpNanos()).isEqualTo(joined + 3 * SECOND / 2);
        assertThat(downing.perform(withJoiner, joined + 3 * SECOND / 2 - 1, effects))
                .isSameAs(withJoiner);
        assertThat(down(downing.perform(withJoiner, joined + 3 * SECOND / 2, effects)))
                .isEqualTo("c");
    }

    @Test
    void withAShortStableAfterNewsHaveAQuarterOfItToGoRound() {
        Downing downing = downing("a", SETTINGS.withStableAfter(Optional.of(Duration.ofSeconds(4))));
        downing.perform(cluster("a b c").cutOff("a b").state(), START, effects);
        downing.perform(cluster("a b c").cutOff("a b").changedBy("b").state(), START + 4 * SECOND - 1, effects);

        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + 5 * SECOND - 1);
    }

    @Test
    void whileThePictureIsIncompleteItWaitsAndDecidesAsSoonAsItIsNot() {
        Downing downing = downing("a", SETTINGS);
        ClusterState unheard =
                cluster("a b c d").accuse("a b", "d").seenBy("a b").state();
        downing.perform(unheard, START, effects);
        assertThat(downing.perform(unheard, START + STABLE, effects)).isSameAs(unheard);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + STABLE * 7 / 4);

        ClusterState heard = unheard.seenBy(id("c"));
        assertThat(down(downing.perform(heard, START + STABLE + 1, effects))).isEqualTo("d");
    }

    @Test
    void nobodyIsAskedTwiceAboutTheSameState() {
        Downing downing = downing("a", SETTINGS);
        ClusterState unheard =
                cluster("a b c d").accuse("a b", "d").seenBy("a b").state();
        downing.perform(unheard, START, effects);
        downing.perform(unheard, START + STABLE, effects);
        downing.perform(unheard, START + STABLE + 1, effects);

        assertThat(asked).containsExactly(false);
    }

    @Test
    void whatIsStillIncompleteIsOverdueToTheNanosecond() {
        Downing downing = downing("a", SETTINGS);
        ClusterState unheard =
                cluster("a b c d e").accuse("a b", "e").seenBy("a b c").state();
        downing.perform(unheard, START, effects);
        downing.perform(unheard, START + STABLE, effects);
        assertThat(downing.perform(unheard, START + STABLE * 7 / 4 - 1, effects))
                .isSameAs(unheard);

        assertThat(down(downing.perform(unheard, START + STABLE * 7 / 4, effects)))
                .isEqualTo("d e");
        assertThat(asked).containsExactly(false, false, true);
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
    void whatCouldBeDecidedInTimeIsNotUnstable() {
        Downing downing = downing("a", SETTINGS.withDownAllWhenUnstable(true));
        ClusterState cut = cluster("a b c").cutOff("a b").state();
        downing.perform(cut, START, effects);

        assertThat(down(downing.perform(cut, START + 10 * STABLE, effects))).isEqualTo("c");
    }

    @Test
    void whenNothingCouldBeDecidedItTriesAgainAfterStableAfter() {
        Downing downing = new Downing(id("a"), SETTINGS, (state, settings, overdue) -> {
            asked.add(overdue);
            return Optional.empty();
        });
        ClusterState cut = cluster("a b c").cutOff("a b").state();
        downing.perform(cut, START, effects);
        downing.perform(cut, START + STABLE, effects);
        downing.perform(cut, START + 35 * SECOND, effects);

        assertThat(asked).containsExactly(false, false, true);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + 55 * SECOND);
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
        assertThat(downing.nextWakeUpNanos()).isEqualTo(later + 35 * SECOND);
    }

    @Test
    void onlyTheFirstInLineActsAndTheNextStandsInLater() {
        Downing second = downing("b", SETTINGS);
        ClusterState cut = cluster("a b c d e").cutOff("a b c").state();
        second.perform(cut, START, effects);
        assertThat(second.nextWakeUpNanos()).isEqualTo(START + STABLE);
        assertThat(second.perform(cut, START + STABLE, effects)).isSameAs(cut);
        assertThat(second.nextWakeUpNanos()).isEqualTo(START + 2 * STABLE);
        assertThat(second.perform(cut, START + 2 * STABLE - 1, effects)).isSameAs(cut);
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

        assertThat(asked).containsExactly(false);
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
        ClusterState first = cluster("a b c d").accuse("a", "d").seenBy("a b c").state();
        downing.perform(first, START, effects);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + 10 * SECOND);
        ClusterState both = cluster("a b c d")
                .accuse("a", "c d")
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
                        both)));
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + 14 * SECOND);

        ClusterState seen = decided.seenBy(id("b"));
        assertThat(downing.perform(seen, START + 14 * SECOND - 1, effects)).isSameAs(seen);
        assertThat(down(downing.perform(seen, START + 14 * SECOND, effects))).isEqualTo("c d");
    }

    @Test
    void autoDownStartsAgainForWhoCameBackInBetween() {
        Downing downing = downing("a", autoDown(10));
        downing.perform(cluster("a b c").accuse("a", "b c").seenBy("a").state(), START, effects);
        downing.perform(cluster("a b c").accuse("a", "b").seenBy("a c").state(), START + SECOND, effects);
        ClusterState again = cluster("a b c").accuse("a", "b c").seenBy("a").state();
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

        assertThat(down(downing.perform(sick, START + 10 * SECOND, effects))).isEmpty();
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + 20 * SECOND); // d is first in line: nobody accuses it
        Downing first = downing("d", autoDown(10));
        first.perform(sick, START, effects);
        assertThat(down(first.perform(sick, START + 10 * SECOND, effects))).isEqualTo("d");
    }

    @Test
    void autoDownWaitsForACompletePictureUntilItIsOverdue() {
        Downing downing = downing("a", autoDown(10).withDownAllWhenUnstable(true));
        ClusterState unheard = cluster("a b c d").accuse("a", "d").seenBy("a b").state();
        downing.perform(unheard, START, effects);
        assertThat(downing.perform(unheard, START + 10 * SECOND, effects)).isSameAs(unheard);
        assertThat(downing.nextWakeUpNanos()).isEqualTo(START + 35 * SECOND / 2);
        assertThat(downing.perform(unheard, START + 35 * SECOND / 2 - 1, effects))
                .isSameAs(unheard);

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
                .contains(
                        "[c:2552#1] cannot be reached by all; keep-majority decides now if nothing changes, and otherwise"
                                + " in 15.0 s; first in line to act is a:2552#1");
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
