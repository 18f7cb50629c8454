package dev.muster.core.membership;

import static dev.muster.core.Nodes.address;
import static dev.muster.core.Nodes.node;
import static dev.muster.core.membership.SeedJoining.Next.FORM_CLUSTER;
import static dev.muster.core.membership.SeedJoining.Next.KEEP_LOOKING;
import static dev.muster.core.membership.SeedJoining.Next.START_OVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Nodes;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.state.NodeAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeedJoiningTest {
    private static final long SECOND = 1_000_000_000L;
    private static final JoinConfiguration CONFIGURATION = JoinConfiguration.UNKNOWN;
    private static final JoinMessage.SeedWelcomes YES = new JoinMessage.SeedWelcomes(List.of());

    private final Effects effects = new Effects();

    @ParameterizedTest
    @CsvSource({
        // answered others once waited
        "0, 0, false, 0, true",
        "2, 2, false, 0, true",
        "2, 2, true,  0, true",
        "1, 2, false, 4, false",
        "1, 2, false, 5, true",
        "0, 2, false, 5, true",
        "0, 2, true,  5, false",
        "1, 2, true, 99, false",
    })
    void whenAFirstSeedMayForm(int answered, int others, boolean onceMember, long waited, boolean may) {
        assertThat(SeedJoining.standardFormingRule(answered, others, onceMember, waited, 5))
                .isEqualTo(may);
    }

    @Test
    void theOnlySeedFormsAClusterAtOnce() {
        SeedJoining joining = joining("a", "a");

        assertThat(joining.startWithSeeds(false, 0, effects)).isEqualTo(FORM_CLUSTER);
        assertThat(effects.list()).isEmpty();
        assertThat(joining.whyForming()).isEqualTo("there is no other seed node to ask");
        assertThat(joining.silentSeeds()).isEmpty();
    }

    @Test
    void withoutSeedsANodeFormsAClusterAtOnce() {
        assertThat(joining("a").startWithSeeds(false, 0, effects)).isEqualTo(FORM_CLUSTER);
    }

    @Test
    void allSeedsButOneselfAreAsked() {
        SeedJoining joining = joining("b", "a", "b", "c");

        assertThat(joining.startWithSeeds(false, 0, effects)).isEqualTo(KEEP_LOOKING);

        assertThat(effects.list()).containsExactly(contact("a"), contact("c"));
        assertThat(joining.isUnderWay()).isTrue();
        assertThat(joining.nextWakeUpNanos()).isEqualTo(SECOND);
    }

    @Test
    void theFirstThatAnswersIsJoined() {
        SeedJoining joining = started("x", "a", "b");

        joining.onSeedWelcomes(node("b"), YES, 10, effects);
        joining.onSeedWelcomes(node("a"), YES, 20, effects);

        assertThat(effects.list()).containsExactly(join("b"));
        assertThat(joining.expectsWelcomeFrom(node("b"))).isTrue();
        assertThat(joining.expectsWelcomeFrom(node("a"))).isFalse();
        assertThat(joining.pendingSentence()).contains("joining muster://test@b:2552, waiting to be welcomed");
    }

    @Test
    void answersOfThoseWhoWereNotAskedDoNotCount() {
        SeedJoining joining = started("a", "a", "b");

        joining.onSeedWelcomes(node("z"), YES, 10, effects);
        assertThat(effects.list()).isEmpty();
        assertThat(joining.onSeedIsNoMember(node("z"), 10)).isEqualTo(KEEP_LOOKING);
        assertThat(joining.onSeedIsNoMember(node("b"), 10)).isEqualTo(FORM_CLUSTER);
    }

    @Test
    void answersBeforeTheQuestionAndAfterTheEndDoNotCount() {
        SeedJoining joining = joining("a", "a", "b");
        joining.onSeedWelcomes(node("b"), YES, 0, effects);
        assertThat(joining.onSeedIsNoMember(node("b"), 0)).isEqualTo(KEEP_LOOKING);
        assertThat(joining.isUnderWay()).isFalse();
        assertThat(joining.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(joining.pendingSentence()).isEmpty();

        joining.startWithSeeds(false, 0, effects);
        joining.done();
        effects.clear();
        joining.onSeedWelcomes(node("b"), YES, 0, effects);
        assertThat(joining.onSeedIsNoMember(node("b"), 0)).isEqualTo(KEEP_LOOKING);
        assertThat(joining.tick(100 * SECOND, effects)).isEqualTo(KEEP_LOOKING);
        assertThat(effects.list()).isEmpty();
        assertThat(joining.isUnderWay()).isFalse();
        assertThat(joining.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(joining.expectsWelcomeFrom(node("b"))).isFalse();
    }

    @Test
    void theFirstSeedFormsOnceAllOthersSaidThatTheyAreNoMembers() {
        SeedJoining joining = started("a", "a", "b", "c");

        assertThat(joining.onSeedIsNoMember(node("b"), 10)).isEqualTo(KEEP_LOOKING);
        assertThat(joining.onSeedIsNoMember(node("b"), 20)).isEqualTo(KEEP_LOOKING);
        assertThat(joining.onSeedIsNoMember(node("c"), 30)).isEqualTo(FORM_CLUSTER);
        assertThat(joining.whyForming()).isEqualTo("all other seed nodes answered that they are no members");
    }

    @Test
    void aNoGrowsStaleAfterTheTimeout() {
        SeedJoining joining = joining("a", "a", "b", "c");
        joining.startWithSeeds(true, 0, effects);

        assertThat(joining.onSeedIsNoMember(node("b"), 0)).isEqualTo(KEEP_LOOKING);
        assertThat(joining.onSeedIsNoMember(node("c"), 5 * SECOND + 1)).isEqualTo(KEEP_LOOKING);
        assertThat(joining.onSeedIsNoMember(node("b"), 10 * SECOND + 1)).isEqualTo(FORM_CLUSTER);
    }

    @Test
    void aSeedThatBecameAMemberTakesItsNoBack() {
        SeedJoining joining = started("a", "a", "b", "c");
        joining.onSeedIsNoMember(node("b"), 10);
        joining.onSeedWelcomes(node("b"), new JoinMessage.SeedWelcomes(List.of("no")), 20, effects);

        assertThat(joining.onSeedIsNoMember(node("c"), 30)).isEqualTo(KEEP_LOOKING);
    }

    @Test
    void theFirstSeedFormsAfterTheTimeoutWhenOthersStaySilent() {
        SeedJoining joining = started("a", "a", "b", "c");
        joining.onSeedIsNoMember(node("b"), SECOND / 2);

        for (int second = 1; second < 5; second++) {
            assertThat(joining.tick(second * SECOND, effects)).isEqualTo(KEEP_LOOKING);
        }
        assertThat(joining.nextWakeUpNanos()).isEqualTo(5 * SECOND);
        assertThat(joining.tick(5 * SECOND - 1, effects)).isEqualTo(KEEP_LOOKING);
        assertThat(joining.tick(5 * SECOND, effects)).isEqualTo(FORM_CLUSTER);
        assertThat(joining.whyForming()).isEqualTo("no answer from [muster://test@c:2552] within PT5S");
        assertThat(joining.silentSeeds()).containsExactly(address("c"));
    }

    @Test
    void timeForWhichTheFirstSeedWasHeldUpItselfIsNoSilenceOfOthers() {
        SeedJoining joining = joining("a", "a", "b");
        assertThat(joining.startWithSeeds(false, 0, effects)).isEqualTo(KEEP_LOOKING);

        joining.excusePause(4 * SECOND);

        assertThat(joining.tick(6 * SECOND, effects)).isEqualTo(KEEP_LOOKING);
        assertThat(joining.tick(9 * SECOND - 1, effects)).isEqualTo(KEEP_LOOKING);
        assertThat(joining.tick(9 * SECOND, effects)).isEqualTo(FORM_CLUSTER);
    }

    @Test
    void theTimeoutIsTheOneThatIsSet() {
        SeedJoining joining = new SeedJoining(
                node("a"),
                settings("a", "b").withSeedNodeTimeout(Duration.ofMillis(300)),
                CONFIGURATION,
                SeedJoining::standardFormingRule);
        joining.startWithSeeds(false, 0, effects);

        assertThat(joining.nextWakeUpNanos()).isEqualTo(300_000_000L);
        assertThat(joining.tick(299_999_999L, effects)).isEqualTo(KEEP_LOOKING);
        assertThat(joining.tick(300_000_000L, effects)).isEqualTo(FORM_CLUSTER);
    }

    @Test
    void otherSeedsNeverFormHoweverLongTheyWait() {
        SeedJoining joining = started("b", "a", "b");

        assertThat(joining.onSeedIsNoMember(node("a"), 10)).isEqualTo(KEEP_LOOKING);
        for (int second = 1; second < 1_000; second++) {
            assertThat(joining.tick(second * SECOND, effects)).isEqualTo(KEEP_LOOKING);
        }
    }

    @Test
    void aProcessThatWasAMemberNeverFormsOnSilence() {
        SeedJoining joining = joining("a", "a", "b");
        joining.startWithSeeds(true, 0, effects);

        for (int second = 1; second < 1_000; second++) {
            assertThat(joining.tick(second * SECOND, effects)).isEqualTo(KEEP_LOOKING);
        }
        assertThat(joining.onSeedIsNoMember(node("b"), 1_000 * SECOND)).isEqualTo(FORM_CLUSTER);
    }

    @Test
    void seedsAreAskedAgainEverySecondAndItIsSaidSo() {
        SeedJoining joining = started("x", "a", "b");
        joining.onSeedIsNoMember(node("b"), SECOND / 2);

        joining.tick(SECOND - 1, effects);
        assertThat(effects.list()).isEmpty();
        for (int second = 1; second <= 5; second++) {
            joining.tick(second * SECOND, effects);
        }

        List<Effect> expected = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            expected.add(contact("a"));
            expected.add(contact("b"));
        }
        expected.add(new Effect.PublishEvent(new ClusterEvent.StillJoining(List.of(address("a")), 6)));
        assertThat(effects.list()).containsExactlyElementsOf(expected);
        assertThat(joining.pendingSentence())
                .contains("asking seed nodes [muster://test@a:2552, muster://test@b:2552], attempt 6; "
                        + "silent so far: [muster://test@a:2552]");
        effects.clear();
        joining.tick(10 * SECOND, effects);
        assertThat(effects.list()).hasSize(3);
    }

    @Test
    void anUnansweredJoinIsRepeatedAndThenTheSeedsAreAskedAgain() {
        SeedJoining joining = started("x", "a", "b");
        joining.onSeedWelcomes(node("a"), YES, 0, effects);
        effects.clear();

        for (int second = 1; second < 10; second++) {
            joining.tick(second * SECOND, effects);
        }
        assertThat(messages()).hasSize(9).containsOnly(join("a"));
        effects.clear();

        assertThat(joining.tick(10 * SECOND, effects)).isEqualTo(KEEP_LOOKING);
        assertThat(messages()).containsExactly(contact("a"), contact("b"));
        joining.onSeedWelcomes(node("b"), YES, 10 * SECOND, effects);
        assertThat(messages()).containsExactly(contact("a"), contact("b"), join("b"));
    }

    /** The cluster is alive, it only takes long to let this node in: forming another one would make an island. */
    @Test
    void aFirstSeedThatFoundAMemberFormsNoClusterWhenItsJoinTakesLong() {
        SeedJoining joining = started("a", "a", "b");
        joining.onSeedWelcomes(node("b"), YES, 0, effects);

        for (int second = 1; second <= 60; second++) {
            assertThat(joining.tick(second * SECOND, effects))
                    .as("after %s s", second)
                    .isEqualTo(KEEP_LOOKING);
            joining.onSeedWelcomes(node("b"), YES, second * SECOND + 1, effects);
        }
    }

    /** It may be a member there by now, under this uid; a second cluster with the same uid must not come about. */
    @Test
    void aFirstSeedThatAskedToBeLetInAndFindsThatClusterGoneStartsOver() {
        SeedJoining joining = started("a", "a", "b");
        joining.onSeedWelcomes(node("b"), YES, 0, effects);
        assertThat(joining.tick(10 * SECOND, effects)).isEqualTo(KEEP_LOOKING);

        assertThat(joining.onSeedIsNoMember(node("b"), 10 * SECOND + 1)).isEqualTo(START_OVER);
        assertThat(joining.tick(11 * SECOND, effects)).isEqualTo(START_OVER);
    }

    /** A cluster that would not have this node is a cluster all the same. */
    @Test
    void aFirstSeedThatWasRefusedByAMemberFormsNoCluster() {
        SeedJoining joining = started("a", "a", "b");

        for (int second = 1; second <= 60; second++) {
            joining.onSeedWelcomes(
                    node("b"), new JoinMessage.SeedWelcomes(List.of("other")), second * SECOND - 1, effects);
            assertThat(joining.tick(second * SECOND, effects))
                    .as("after %s s", second)
                    .isEqualTo(KEEP_LOOKING);
        }
    }

    @Test
    void aRefusalIsToldAndOtherSeedsAreStillAsked() {
        SeedJoining joining = started("x", "a", "b");
        joining.onSeedWelcomes(node("a"), new JoinMessage.SeedWelcomes(List.of("other version")), 10, effects);

        assertThat(effects.list())
                .containsExactly(
                        new Effect.PublishEvent(new ClusterEvent.JoinRefused(address("a"), List.of("other version"))));
        effects.clear();
        joining.onSeedWelcomes(node("b"), YES, 20, effects);
        assertThat(effects.list()).containsExactly(join("b"));
    }

    @Test
    void aRefusalOfTheJoinItselfGoesBackToAskingAfterAWhile() {
        SeedJoining joining = started("x", "a", "b");
        joining.onSeedWelcomes(node("a"), YES, 0, effects);
        effects.clear();

        JoinMessage.SeedWelcomes no = new JoinMessage.SeedWelcomes(List.of("no"));
        joining.onSeedWelcomes(node("b"), no, SECOND / 2, effects);
        assertThat(joining.expectsWelcomeFrom(node("a"))).isTrue();
        joining.onSeedWelcomes(node("a"), no, SECOND / 2, effects);

        assertThat(joining.expectsWelcomeFrom(node("a"))).isFalse();
        effects.clear();
        joining.tick(5 * SECOND, effects);
        assertThat(messages()).isEmpty();
        joining.tick(5 * SECOND + SECOND / 2, effects);
        assertThat(messages()).containsExactly(contact("a"), contact("b"));
    }

    @Test
    void anyMemberCanBeJoinedExplicitly() {
        SeedJoining joining = joining("x", "a", "b");

        assertThat(joining.startWith(address("z"), 0, effects)).isEqualTo(KEEP_LOOKING);
        assertThat(effects.list()).containsExactly(contact("z"));
        effects.clear();
        joining.onSeedWelcomes(node("z"), YES, 1, effects);
        assertThat(effects.list()).containsExactly(join("z"));
        assertThat(joining.onSeedIsNoMember(node("z"), 2)).isEqualTo(KEEP_LOOKING);
    }

    @Test
    void joiningOneselfExplicitlyFormsACluster() {
        assertThat(joining("x", "a", "b").startWith(address("x"), 0, effects)).isEqualTo(FORM_CLUSTER);
    }

    @Test
    void theFormingRuleCanBeExchanged() {
        SeedJoining eager = new SeedJoining(
                node("a"), settings("a", "b"), CONFIGURATION, (answered, others, once, waited, timeout) -> true);
        eager.startWithSeeds(false, 0, effects);

        assertThat(eager.tick(SECOND, effects)).isEqualTo(FORM_CLUSTER);
    }

    private SeedJoining started(String self, String... seeds) {
        SeedJoining joining = joining(self, seeds);
        joining.startWithSeeds(false, 0, effects);
        effects.clear();
        return joining;
    }

    private static SeedJoining joining(String self, String... seeds) {
        return new SeedJoining(node(self), settings(seeds), CONFIGURATION, SeedJoining::standardFormingRule);
    }

    private static JoinSettings settings(String... seeds) {
        List<NodeAddress> addresses = Arrays.stream(seeds).map(Nodes::address).toList();
        return JoinSettings.defaults().withSeedNodes(addresses).withRoles(List.of("r"));
    }

    private List<Effect> messages() {
        return effects.list().stream()
                .filter(Effect.SendMessage.class::isInstance)
                .toList();
    }

    private static Effect contact(String to) {
        return new Effect.SendMessage(address(to), new JoinMessage.SeedContact(CONFIGURATION, false));
    }

    private static Effect join(String to) {
        return new Effect.SendMessage(
                address(to), new JoinMessage.Join(List.of("dc-default", "muster-1", "r"), "0.0.0", CONFIGURATION));
    }
}
