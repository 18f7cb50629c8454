package dev.muster.core.gossip;

import static dev.muster.core.Nodes.node;
import static dev.muster.core.StateBuilder.aState;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Nodes;
import dev.muster.core.StateBuilder;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.GossipMessage.GossipState;
import dev.muster.core.exchange.GossipMessage.GossipStatus;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.SeenDigest;
import dev.muster.core.state.StateMerge;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GossipProtocolTest {
    private static final NodeId SELF = node("a");
    private static final NodeId B = node("b");
    private static final long SECOND = 1_000_000_000L;

    /** How long what comes in waits for more. */
    private static final long WAITED = SECOND / 100;

    /** Dice that always show zero: a phase of 0, the first member of all. */
    private static final RandomGenerator ZEROES = () -> 0L;

    private final Effects effects = new Effects();
    private final GossipProtocol gossip = protocol(GossipSettings.defaults());

    private static GossipProtocol protocol(GossipSettings settings) {
        return new GossipProtocol(SELF, settings, StateMerge::merge, ZEROES, 0);
    }

    // ---- Who answers what.

    @Test
    void aStateThatTheSenderKnowsMeToHaveSeenNeedsNoAnswer() {
        ClusterState mine = threeUp().seenBy("a").build();
        ClusterState received = threeUp().seenBy("a", "b").build();

        ClusterState next = hears(mine, received, WAITED);

        assertThat(next).isEqualTo(received);
        assertThat(effects.list()).isEmpty();
    }

    @Test
    void theSameStateIsAnsweredUntilTheSenderKnowsThatIHaveSeenItAndNoLonger() {
        ClusterState mine = threeUp().seenBy("a", "c").build();

        ClusterState next = hears(mine, threeUp().seenBy("a", "b").build(), WAITED);
        assertThat(next).isEqualTo(threeUp().seenByAll().build());
        assertThat(effects.list()).isEmpty(); // of c it will hear in some round

        hears(mine, threeUp().seenBy("b").build(), WAITED);
        assertThat(effects.list()).containsExactly(fullState(B, next));
    }

    @Test
    void fiftyAnswersPerIntervalAreEnough() {
        ClusterState mine =
                aState().up("a", "b").joining("c").version("a", 2).seenBy("a").build();
        ClusterState older = aState().up("a", "b").version("a", 1).seenByAll().build();
        for (int i = 0; i < 60; i++) {
            assertThat(hears(mine, older, WAITED)).isSameAs(mine);
        }
        assertThat(effects.list()).hasSize(50);

        hears(mine, older, WAITED + SECOND / 50 - 1);
        assertThat(effects.list()).hasSize(50);
        hears(mine, older, WAITED + SECOND / 50);
        assertThat(effects.list()).hasSize(51);
        hears(mine, older, WAITED); // a clock that goes back earns nothing
        hears(mine, older, WAITED + SECOND / 50);
        assertThat(effects.list()).hasSize(51);
        gossip.tick(mine, true, WAITED + 100 * SECOND, effects); // the round that is due by then
        effects.clear();
        for (int i = 0; i < 60; i++) {
            hears(mine, older, WAITED + 100 * SECOND);
        }
        assertThat(effects.list()).hasSize(50);
    }

    @Test
    void aNewerStateIsTakenAndConfirmed() {
        ClusterState mine = aState().up("a", "b").version("a", 1).seenBy("a").build();
        ClusterState newer = aState().up("a", "b")
                .joining("c")
                .version("a", 1)
                .version("b", 1)
                .seenBy("b")
                .build();

        ClusterState next = hears(mine, newer, WAITED);

        assertThat(next).isEqualTo(newer.seenBy(SELF));
        assertThat(effects.list()).containsExactly(fullState(B, next));
    }

    @Test
    void aNewerStateThatNamesMeAsSeenNeedsNoConfirmation() {
        ClusterState mine = aState().up("a", "b").version("a", 1).seenBy("a").build();
        ClusterState newer = aState().up("a", "b")
                .joining("c")
                .version("a", 1)
                .version("b", 1)
                .seenBy("a", "b")
                .build();

        assertThat(hears(mine, newer, WAITED)).isEqualTo(newer);
        assertThat(effects.list()).isEmpty();
    }

    @Test
    void anOlderStateIsAnsweredWithMine() {
        ClusterState mine =
                aState().up("a", "b").joining("c").version("a", 2).seenBy("a").build();
        ClusterState older = aState().up("a", "b").version("a", 1).seenByAll().build();

        assertThat(hears(mine, older, WAITED)).isSameAs(mine);
        assertThat(effects.list()).containsExactly(fullState(B, mine));
    }

    @Test
    void conflictingStatesAreMergedAndSentBack() {
        ClusterState mine =
                aState().up("a", "b").joining("c").version("a", 2).seenBy("a").build();
        ClusterState other = aState().up("a", "b")
                .joining("d")
                .version("a", 1)
                .version("b", 1)
                .seenBy("b")
                .build();

        ClusterState next = hears(mine, other, WAITED);

        assertThat(next)
                .isEqualTo(aState().up("a", "b")
                        .joining("c", "d")
                        .version("a", 2)
                        .version("b", 1)
                        .seenBy("a")
                        .build());
        assertThat(effects.list()).containsExactly(fullState(B, next));
    }

    @Test
    void theMergeRuleCanBeExchanged() {
        GossipProtocol careless = new GossipProtocol(
                SELF,
                GossipSettings.defaults(),
                (mine, theirs, self) -> new StateMerge.Result(theirs, StateMerge.Outcome.TOOK_THEIRS),
                ZEROES,
                0);
        ClusterState theirs = aState().up("a").version("b", 1).seenBy("a").build();

        assertThat(careless.onState(threeUp().build(), B, theirs, 0)).isSameAs(theirs);
    }

    @Test
    void aStatusOfTheSameVersionAndEyesNeedsNoAnswer() {
        ClusterState mine = threeUp().seenBy("a").build();

        gossip.onStatus(mine, B, statusOf(threeUp().seenBy("a")), effects);
        gossip.onStatus(mine, B, new GossipStatus(SELF, mine.version(), SeenDigest.UNKNOWN), effects);

        assertThat(effects.list()).isEmpty();
    }

    @Test
    void aStatusOfTheSameVersionWithOtherEyesIsAnsweredWithTheState() {
        ClusterState mine = threeUp().seenBy("a").build();

        gossip.onStatus(mine, B, statusOf(threeUp().seenBy("b")), effects);

        assertThat(effects.list()).containsExactly(fullState(B, mine));
    }

    @Test
    void aNewerStatusIsAnsweredWithMyStatusToAskForIt() {
        ClusterState mine = threeUp().seenBy("a").build();

        gossip.onStatus(mine, B, statusOf(threeUp().version("b", 1)), effects);

        assertThat(effects.list()).containsExactly(status(B, mine));
    }

    @Test
    void anOlderOrConflictingStatusIsAnsweredWithTheState() {
        ClusterState mine = threeUp().version("c", 1).seenBy("a").build();

        gossip.onStatus(mine, B, statusOf(threeUp()), effects);
        gossip.onStatus(mine, B, statusOf(threeUp().version("b", 1)), effects);

        assertThat(effects.list()).containsExactly(fullState(B, mine), fullState(B, mine));
    }

    // ---- When and what it sends by itself.

    @Test
    void thereIsOneRoundPerInterval() {
        ClusterState state = threeUp().seenByAll().build();

        assertThat(roundsIn(gossip, state, 10 * SECOND)).isEqualTo(10);
        assertThat(gossip.nextWakeUpNanos(state)).isEqualTo(11 * SECOND);
    }

    @Test
    void thereAreThreeRoundsPerIntervalWhileFewerThanHalfHaveSeen() {
        ClusterState oneOfThree = threeUp().seenBy("a").build();

        assertThat(gossip.nextWakeUpNanos(oneOfThree)).isEqualTo(SECOND / 3);
        assertThat(roundsIn(gossip, oneOfThree, 10 * SECOND)).isEqualTo(30);
    }

    @Test
    void halfIsNotFewerThanHalf() {
        ClusterState oneOfTwo = aState().up("a", "b").seenBy("a").build();
        ClusterState twoOfFour =
                aState().up("a", "b", "c", "d").seenBy("a", "b").build();
        ClusterState twoOfFive =
                aState().up("a", "b", "c", "d", "e").seenBy("a", "b").build();

        assertThat(GossipPace.isEarly(oneOfTwo)).isFalse();
        assertThat(GossipPace.isEarly(twoOfFour)).isFalse();
        assertThat(GossipPace.isEarly(twoOfFive)).isTrue();
        assertThat(gossip.nextWakeUpNanos(twoOfFour)).isEqualTo(SECOND);
        assertThat(gossip.nextWakeUpNanos(twoOfFive)).isEqualTo(SECOND / 3);
    }

    @Test
    void theIntervalIsTheOneThatIsSet() {
        GossipProtocol slow = protocol(GossipSettings.defaults().withInterval(Duration.ofSeconds(5)));
        ClusterState state = threeUp().seenByAll().build();

        assertThat(slow.nextWakeUpNanos(state)).isEqualTo(5 * SECOND);
        assertThat(roundsIn(slow, state, 10 * SECOND)).isEqualTo(2);
    }

    @Test
    void aRoundSendsAStatusToThoseWhoHaveSeenAndTheStateToOthers() {
        ClusterState seen = aState().up("a", "b").seenByAll().build();
        gossip.tick(seen, true, SECOND, effects);
        assertThat(effects.list()).containsExactly(status(B, seen));
        effects.clear();

        ClusterState unseen = aState().up("a", "b").seenBy("a").build();
        gossip.tick(unseen, false, 2 * SECOND - 1, effects);
        assertThat(effects.list()).isEmpty();
        gossip.tick(unseen, false, 2 * SECOND, effects);
        assertThat(effects.list()).containsExactly(fullState(B, unseen));
    }

    @Test
    void nodesThatStartTogetherDoNotGossipInStep() {
        ClusterState state = threeUp().seenByAll().build();
        TreeSet<Long> firstRounds = new TreeSet<>();
        for (int i = 0; i < 100; i++) {
            GossipProtocol one = new GossipProtocol(
                    SELF, GossipSettings.defaults(), StateMerge::merge, new SplittableRandom(i), 7 * SECOND);
            firstRounds.add(one.nextWakeUpNanos(state));
        }

        assertThat(firstRounds).hasSize(100);
        assertThat(firstRounds.first()).isBetween(7 * SECOND, 7 * SECOND + SECOND / 10);
        assertThat(firstRounds.last()).isBetween(8 * SECOND - SECOND / 10, 8 * SECOND);
    }

    @Test
    void myOwnNewsGoesToEverybodyAtOnce() {
        ClusterState state = threeUp().seenBy("a").build();
        gossip.newsOfMyOwn(state, false, 0);

        gossip.tick(state, false, 0, effects);

        assertThat(effects.list())
                .hasSize(2)
                .allMatch(e -> e.equals(fullState(B, state)) || e.equals(fullState(node("c"), state)));
        effects.clear();
        gossip.tick(state, false, 1, effects);
        assertThat(effects.list()).isEmpty();
    }

    @Test
    void newsOfOthersIsPassedOnToTwo() {
        ClusterState state =
                aState().up("a", "b", "c", "d", "e", "f").seenBy("a").build();
        gossip.newsFromOthers(false, 0);
        gossip.newsFromOthers(false, 0);

        gossip.tick(state, false, 0, effects);

        assertThat(effects.list()).hasSize(2);
    }

    @Test
    void newsOfOthersDoesNotShortenNewsOfMyOwn() {
        ClusterState state =
                aState().up("a", "b", "c", "d", "e", "f").seenBy("a").build();
        gossip.newsOfMyOwn(state, false, 0);
        gossip.newsFromOthers(false, 0);

        gossip.tick(state, false, 0, effects);

        assertThat(effects.list()).hasSize(5);
    }

    @Test
    void newsStopsWhenNobodyIsLeftToHearIt() {
        ClusterState state = threeUp().seenByAll().build();
        gossip.newsOfMyOwn(state, false, 0);

        gossip.tick(state, true, 0, effects);

        assertThat(effects.list()).isEmpty();
        assertThat(gossip.nextWakeUpNanos(state)).isEqualTo(SECOND);
    }

    @Test
    void aStormOfNewsIsBoundedByTheBurstWhichRefillsOverTheInterval() {
        ClusterState crowd = crowd(75);
        assertUsualBurst(crowd, 0);

        assertThat(gossip.nextWakeUpNanos(crowd)).isEqualTo(SECOND / 8);
        assertThat(spreadAt(crowd, SECOND / 8 - 1)).isZero();
        assertThat(spreadAt(crowd, SECOND / 8)).isEqualTo(1);
        assertThat(spreadAt(crowd, SECOND / 4)).isEqualTo(1);
        assertThat(spreadAt(crowd, SECOND / 4)).isZero();
    }

    /** Eight messages, two for each piece of news, and none for the fifth. */
    private void assertUsualBurst(ClusterState crowd, long nowNanos) {
        for (int i = 0; i < 4; i++) {
            gossip.newsFromOthers(false, 0);
            assertThat(spreadAt(crowd, nowNanos)).isEqualTo(2);
        }
        gossip.newsFromOthers(false, 0);
        assertThat(spreadAt(crowd, nowNanos)).isZero();
    }

    @Test
    void newsOfMyOwnHasFiveTimesTheBurst() {
        ClusterState crowd = crowd(75);
        gossip.newsOfMyOwn(crowd, false, 0);

        assertThat(spreadAt(crowd, 0)).isEqualTo(40);
        assertThat(gossip.nextWakeUpNanos(crowd)).isEqualTo(SECOND / 40);
        assertThat(spreadAt(crowd, SECOND / 40)).isEqualTo(1);
    }

    @Test
    void theAllowanceNeverHoldsMoreThanTheBurst() {
        ClusterState crowd = crowd(75);
        gossip.tick(crowd, false, 100 * SECOND, effects);
        effects.clear();
        gossip.newsOfMyOwn(crowd, false, 0);

        assertThat(spreadAt(crowd, 100 * SECOND)).isEqualTo(40);
    }

    @Test
    void whenAllHaveHeardMyOwnNewsTheBurstIsTheUsualOne() {
        ClusterState crowd = crowd(75);
        ClusterState known = crowd;
        for (Member member : crowd.members()) {
            known = known.seenBy(member.id());
        }
        gossip.newsOfMyOwn(crowd, false, 0);
        assertThat(spreadAt(known, 0)).isZero();

        assertUsualBurst(crowd, 0);
    }

    @Test
    void timeThatSeemsToGoBackGivesNoAllowance() {
        ClusterState crowd = crowd(75);
        GossipPace pace = new GossipPace(GossipSettings.defaults().withBurst(2), 10 * SECOND, 0);

        assertThat(pace.takeFromAllowance(crowd, 10 * SECOND)).isTrue();
        assertThat(pace.takeFromAllowance(crowd, 5 * SECOND)).isTrue();
        assertThat(pace.takeFromAllowance(crowd, 5 * SECOND)).isFalse();
        assertThat(pace.takeFromAllowance(crowd, 10 * SECOND)).isFalse();
        assertThat(pace.nextAllowanceNanos(crowd)).isEqualTo(10 * SECOND + SECOND / 2);
        assertThat(pace.isRoundDue(crowd, 10 * SECOND)).isFalse();
    }

    @Test
    void aFullAllowanceIsThereNow() {
        assertThat(new GossipPace(GossipSettings.defaults(), 3 * SECOND, 0).nextAllowanceNanos(crowd(75)))
                .isEqualTo(3 * SECOND);
    }

    /** Twice as many messages of half the length. */
    @ParameterizedTest
    @CsvSource({
        "8, 300, 8",
        "8, 76, 8",
        "8, 75, 8",
        "8, 74, 8",
        "8, 50, 12",
        "8, 25, 24",
        "8, 15, 40",
        "8, 1, 40",
        "1, 75, 1",
        "1, 25, 3",
        "1, 2, 5",
        "0, 2, 0"
    })
    void theBurstIsLargerInASmallCluster(int burst, int members, int expected) {
        ClusterState crowd = crowd(members);
        GossipPace pace = new GossipPace(GossipSettings.defaults().withBurst(burst), 0, 0);
        int first = takeAll(pace, crowd, 0);
        long next = pace.nextAllowanceNanos(crowd);

        assertThat(first).isEqualTo(expected);
        assertThat(next).isEqualTo(expected == 0 ? Long.MAX_VALUE : (SECOND + expected - 1) / expected);
        assertThat(takeAll(pace, crowd, SECOND)).isEqualTo(expected);
        assertThat(takeAll(pace, crowd, 20 * SECOND)).as("nothing is saved up").isEqualTo(expected);
    }

    private static int takeAll(GossipPace pace, ClusterState state, long nowNanos) {
        int taken = 0;
        while (pace.takeFromAllowance(state, nowNanos)) {
            taken++;
        }
        return taken;
    }

    private static ClusterState crowd(int members) {
        StateBuilder crowd = aState().up("a").seenBy("a");
        for (int i = 1; i < members; i++) {
            crowd.with(Nodes.member(Nodes.node("n" + i, i), MemberStatus.UP));
        }
        return crowd.build();
    }

    @Test
    void newsGoesToDifferentPeers() {
        ClusterState crowd = crowd(30);
        gossip.newsOfMyOwn(crowd, false, 0);

        gossip.tick(crowd, true, 0, effects);

        assertThat(effects.list().stream().map(e -> ((Effect.SendMessage) e).to()))
                .hasSize(29)
                .doesNotHaveDuplicates();
    }

    @Test
    void newsThatMayWaitIsToldTogetherWithWhatFollows() {
        ClusterState state = threeUp().seenBy("a").build();
        gossip.newsOfMyOwn(state, true, 0);
        gossip.newsFromOthers(true, WAITED - 1); // does not make the first wait any longer

        gossip.tick(state, false, WAITED - 1, effects);
        assertThat(effects.list()).isEmpty();
        assertThat(gossip.nextWakeUpNanos(state)).isEqualTo(WAITED);

        gossip.tick(state, false, WAITED, effects);
        assertThat(effects.list()).hasSize(2);
        assertThat(gossip.nextWakeUpNanos(state)).isEqualTo(SECOND / 3);
    }

    @Test
    void newsThatMayNotWaitTakesAlongWhatDoes() {
        ClusterState state = threeUp().seenBy("a").build();
        gossip.newsFromOthers(true, 0);
        gossip.newsOfMyOwn(state, false, 1);

        gossip.tick(state, false, 1, effects);

        assertThat(effects.list()).hasSize(2);
    }

    @Test
    void whatIsLeftWhenTheAllowanceIsUsedUpComesWithWhatFollows() {
        ClusterState crowd = crowd(75);
        assertUsualBurst(crowd, 0);
        gossip.newsFromOthers(true, SECOND / 16);

        assertThat(gossip.nextWakeUpNanos(crowd)).isEqualTo(SECOND / 16 + WAITED);
        assertThat(spreadAt(crowd, SECOND / 16 + WAITED)).isZero();
        long whole = gossip.nextWakeUpNanos(crowd);
        assertThat(whole).isBetween(SECOND / 8, SECOND / 8 + 1);
        assertThat(spreadAt(crowd, whole)).isEqualTo(1);
    }

    @Test
    void aRoundDoesNotWaitForWhatFollows() {
        ClusterState state = threeUp().seenByAll().build();
        gossip.newsFromOthers(true, 2 * SECOND);

        gossip.tick(state, true, 2 * SECOND, effects);

        assertThat(effects.list()).hasSize(1);
    }

    @Test
    void answersWaitForMoreAsNewsDoes() {
        ClusterState mine =
                aState().up("a", "b").joining("c").version("a", 2).seenBy("a").build();
        ClusterState older = aState().up("a", "b").version("a", 1).seenByAll().build();

        gossip.onState(mine, B, older, 0);
        gossip.onState(mine, B, older, 1);
        gossip.tick(mine, true, WAITED - 1, effects);
        assertThat(effects.list()).isEmpty();
        assertThat(gossip.nextWakeUpNanos(mine)).isEqualTo(WAITED);

        gossip.tick(mine, true, WAITED, effects);
        assertThat(effects.list()).containsExactly(fullState(B, mine));
        gossip.tick(mine, true, 2 * WAITED, effects);
        assertThat(effects.list()).hasSize(1);
    }

    @Test
    void whoKnowsAllBeforeItWasAnsweredNeedsNoAnswer() {
        ClusterState mine = threeUp().seenBy("a", "c").build();

        gossip.onState(mine, B, threeUp().seenBy("b").build(), 0);
        gossip.onState(mine, B, threeUp().seenByAll().build(), 1);
        gossip.tick(mine, true, WAITED, effects);

        assertThat(effects.list()).isEmpty();
    }

    @Test
    void whoIsNoMemberAnyMoreGetsNoAnswer() {
        gossip.onState(threeUp().seenBy("a").build(), B, threeUp().seenBy("b").build(), 0);

        gossip.tick(aState().up("a", "c").build(), true, WAITED, effects);

        assertThat(effects.list()).isEmpty();
    }

    @Test
    void whomIHoldUnreachableByNowGetsNoAnswer() {
        gossip.onState(threeUp().seenBy("a").build(), B, threeUp().seenBy("b").build(), 0);

        gossip.tick(threeUp().unreachable("a", "b").seenByAll().build(), true, WAITED, effects);

        assertThat(effects.list()).isEmpty();
    }

    @Test
    void anAnswerCountsAsPassingNewsOn() {
        ClusterState mine =
                aState().up("a", "b", "c", "d", "e", "f").seenBy("a").build();
        ClusterState received =
                aState().up("a", "b", "c", "d", "e", "f").seenBy("b").build();
        ClusterState next = gossip.onState(mine, B, received, 0);
        gossip.newsFromOthers(true, 0);

        gossip.tick(next, false, WAITED, effects);

        assertThat(effects.list()).hasSize(2).contains(fullState(B, next));
    }

    @Test
    void anAnswerDoesNotShortenNewsOfMyOwn() {
        ClusterState mine = threeUp().version("a", 2).seenBy("a").build();
        ClusterState next = gossip.onState(mine, B, threeUp().seenBy("b").build(), 0);
        gossip.newsOfMyOwn(next, true, 0);

        gossip.tick(next, false, WAITED, effects);

        assertThat(effects.list()).containsExactlyInAnyOrder(fullState(B, next), fullState(node("c"), next));
    }

    @Test
    void aReportIsAlsoTheAnswer() {
        ClusterState next = gossip.onState(
                threeUp().seenBy("a").build(), B, threeUp().seenBy("b", "c").build(), 0);

        gossip.reportConvergence(next, B, effects);
        gossip.tick(next, true, WAITED, effects);

        assertThat(effects.list()).containsExactly(fullState(B, next));
    }

    @Test
    void aConvergenceIsReportedAtOnceButNotAtThePaceOfRoundsAlone() {
        ClusterState mine = threeUp().seenByAll().build();

        gossip.reportConvergence(mine, B, effects);
        protocol(GossipSettings.defaults().withBurst(0)).reportConvergence(mine, node("c"), effects);

        assertThat(effects.list()).containsExactly(fullState(B, mine));
    }

    @Test
    void withoutABurstNewsWaitsForTheNextRound() {
        GossipProtocol patient = protocol(GossipSettings.defaults().withBurst(0));
        ClusterState state = threeUp().seenBy("a").build();
        patient.newsOfMyOwn(state, false, 0);

        patient.tick(state, false, 0, effects);

        assertThat(effects.list()).isEmpty();
        assertThat(patient.nextWakeUpNanos(state)).isEqualTo(SECOND / 3);
        patient.tick(state, false, SECOND / 3, effects);
        assertThat(effects.list()).hasSize(1);
    }

    @Test
    void goodbyesAreFullStatesToAsManyAsWanted() {
        ClusterState state = aState().up("a", "b").seenByAll().build();

        gossip.sayGoodbye(state, 3, effects);

        assertThat(effects.list()).containsExactly(fullState(B, state), fullState(B, state), fullState(B, state));
        effects.clear();
        gossip.sayGoodbye(aState().up("a").build(), 3, effects);
        assertThat(effects.list()).isEmpty();
    }

    /** B says something, and what follows from that is told. */
    private ClusterState hears(ClusterState mine, ClusterState received, long nowNanos) {
        ClusterState next = gossip.onState(mine, B, received, nowNanos - WAITED);
        gossip.tick(next, true, nowNanos, effects);
        return next;
    }

    private int spreadAt(ClusterState state, long nowNanos) {
        effects.clear();
        gossip.tick(state, true, nowNanos, effects);
        return (int) effects.list().stream()
                .filter(e -> e instanceof Effect.SendMessage send && send.message() instanceof GossipState)
                .count();
    }

    private int roundsIn(GossipProtocol protocol, ClusterState state, long nanos) {
        int rounds = 0;
        for (long now = protocol.nextWakeUpNanos(state); now <= nanos; now = protocol.nextWakeUpNanos(state)) {
            effects.clear();
            protocol.tick(state, false, now - 1, effects);
            protocol.tick(state, false, now, effects);
            rounds += effects.list().size();
        }
        return rounds;
    }

    private static StateBuilder threeUp() {
        return aState().up("a", "b", "c").version("a", 1);
    }

    private static GossipStatus statusOf(StateBuilder builder) {
        ClusterState state = builder.build();
        return new GossipStatus(SELF, state.version(), state.seenDigest());
    }

    private static Effect fullState(NodeId to, ClusterState state) {
        return new Effect.SendMessage(to.address(), new GossipState(to, state));
    }

    private static Effect status(NodeId to, ClusterState state) {
        return new Effect.SendMessage(to.address(), new GossipStatus(to, state.version(), state.seenDigest()));
    }
}
