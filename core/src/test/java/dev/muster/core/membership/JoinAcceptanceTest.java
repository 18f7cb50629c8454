package dev.muster.core.membership;

import static dev.muster.core.Nodes.address;
import static dev.muster.core.Nodes.member;
import static dev.muster.core.Nodes.node;
import static dev.muster.core.StateBuilder.aState;
import static dev.muster.core.state.MemberStatus.DOWN;
import static dev.muster.core.state.MemberStatus.JOINING;
import static dev.muster.core.state.MemberStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.StateBuilder;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.exchange.JoinMessage.Join;
import dev.muster.core.exchange.Refusal;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityStatus;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JoinAcceptanceTest {
    private static final NodeId SELF = node("a");
    private static final NodeId X = node("x");
    private static final NodeId OLD = node("b");
    private static final NodeId NEW = node("b", 99);
    private static final long SECOND = 1_000_000_000L;
    private static final long FORGET_SECONDS = 4;
    private static final JoinConfiguration OURS = configuration("1");
    private static final Join JOIN = new Join(List.of("r"), "7", OURS);

    private final Effects effects = new Effects();
    private final Quarantines quarantines = new Quarantines(SELF);
    private final JoinAcceptance acceptance =
            new JoinAcceptance(SELF, JoinSettings.defaults().withRoles(List.of("seed")), OURS, quarantines);

    private static JoinConfiguration configuration(String wireVersion) {
        return new JoinConfiguration(new TreeMap<>(Map.of("wire", wireVersion)));
    }

    // ---- Are you a member?

    @ParameterizedTest
    @CsvSource({"JOINING, yes", "WEAKLY_UP, yes", "UP, yes", "LEAVING, yes", "EXITING, silent", "DOWN, silent"})
    void aMemberSaysSoUnlessItIsOnItsWayOut(MemberStatus own, String answer) {
        acceptance.onSeedContact(aState().with(own, "a").build(), X, new JoinMessage.SeedContact(OURS, false), effects);

        assertThat(effects.list())
                .isEqualTo(
                        answer.equals("yes") ? List.of(send(X, new JoinMessage.SeedWelcomes(List.of()))) : List.of());
    }

    @Test
    void whoIsNoMemberSaysSo() {
        acceptance.onSeedContact(ClusterState.EMPTY, X, new JoinMessage.SeedContact(OURS, false), effects);

        assertThat(effects.list()).containsExactly(send(X, new JoinMessage.SeedIsNoMember()));
    }

    @Test
    void aDifferentConfigurationIsToldAtBothEnds() {
        acceptance.onSeedContact(
                aState().up("a").build(), X, new JoinMessage.SeedContact(configuration("2"), false), effects);

        List<String> reasons =
                List.of("wire is '1' in the cluster but '2' on the joining node; use the same value on all nodes");
        assertThat(effects.list())
                .containsExactly(
                        publish(new ClusterEvent.JoinRefused(address("x"), reasons)),
                        send(X, new JoinMessage.SeedWelcomes(reasons)));
    }

    // ---- Let me in.

    @Test
    void aNewNodeIsLetInAndWelcomed() {
        ClusterState next = join(aState().up("a").version("a", 1), X, JOIN).state();

        Member joined = new Member(X, JOINING, Member.NOT_YET_UP, List.of("dc-default", "r"), "7");
        assertThat(next)
                .isEqualTo(aState().up("a")
                        .with(joined)
                        .version("a", 2)
                        .seenBy("a")
                        .build());
        assertThat(effects.list()).containsExactly(send(X, new JoinMessage.Welcome(X, next)));
    }

    @Test
    void askingAgainGetsTheWelcomeAgainAndChangesNothing() {
        ClusterState state = aState().up("a").joining("x").build();

        assertThat(acceptance.onJoin(state, X, JOIN, 0, effects).state()).isSameAs(state);
        assertThat(effects.list()).containsExactly(send(X, new JoinMessage.Welcome(X, state)));
    }

    @ParameterizedTest
    @CsvSource({
        "JOINING, true",
        "WEAKLY_UP, true",
        "UP, true",
        "LEAVING, false",
        "EXITING, false",
        "DOWN, false",
        "PREPARING_FOR_SHUTDOWN, false",
        "READY_FOR_SHUTDOWN, false"
    })
    void onlyAMemberThatStaysLetsOthersIn(MemberStatus own, boolean letsIn) {
        JoinAcceptance.Answer answer = join(aState().with(own, "a"), X, JOIN);

        assertThat(answer.state().members().has(X)).isEqualTo(letsIn);
        if (!letsIn) {
            assertThat(answer.refusal()).contains(Refusal.NOT_ABLE);
            assertThat(answer.detail()).isEqualTo("this node is " + own.displayName());
            assertThat(effects.list()).isEmpty();
        }
    }

    @Test
    void whoIsNoMemberItselfLetsNobodyIn() {
        JoinAcceptance.Answer answer = acceptance.onJoin(ClusterState.EMPTY, X, JOIN, 0, effects);

        assertThat(answer.refusal()).contains(Refusal.NOT_ABLE);
        assertThat(answer.detail()).isEqualTo("this node is Removed");
        assertThat(answer.state()).isSameAs(ClusterState.EMPTY);
    }

    @Test
    void anotherSystemIsRefused() {
        NodeId foreign = new NodeId(new NodeAddress("muster", "other", "x", 1), 1);
        ClusterState state = aState().up("a").build();

        JoinAcceptance.Answer answer = acceptance.onJoin(state, foreign, JOIN, 0, effects);

        assertThat(answer.refusal()).contains(Refusal.OTHER_SYSTEM);
        assertThat(answer.detail()).isEqualTo("muster://other@x:1 cannot join muster://test@a:2552: other system");
        assertThat(answer.state()).isSameAs(state);
        assertThat(effects.list()).isEmpty();
    }

    @Test
    void anotherDataCenterIsRefusedWithTheReason() {
        JoinAcceptance.Answer answer = join(aState().up("a"), X, new Join(List.of("dc-eu"), "7", OURS));

        assertRefused(
                answer,
                Refusal.OTHER_DATA_CENTER,
                "the cluster is in data center 'default', the joining node in 'eu'; one cluster spans one data center");
    }

    @Test
    void rolesThatNameTwoDataCentersAreRefused() {
        JoinAcceptance.Answer answer = join(aState().up("a"), X, new Join(List.of("dc-eu", "dc-us"), "7", OURS));

        assertThat(answer.refusal()).isPresent();
        assertThat(answer.state().members().has(X)).isFalse();
    }

    @Test
    void anIncompatibleConfigurationIsRefusedAtTheJoinToo() {
        JoinAcceptance.Answer answer = join(aState().up("a"), X, new Join(List.of(), "7", configuration("2")));

        assertRefused(
                answer,
                Refusal.INCOMPATIBLE,
                "wire is '1' in the cluster but '2' on the joining node; use the same value on all nodes");
    }

    @Test
    void aJoinThatSaysNothingOfItsConfigurationIsNotCompared() {
        assertThat(join(aState().up("a"), X, new Join(List.of(), "7", JoinConfiguration.UNKNOWN))
                        .refusal())
                .isEmpty();
    }

    @Test
    void aUidThatIsInUseElsewhereIsRefused() {
        JoinAcceptance.Answer answer = join(aState().up("a", "b"), node("x", 2), JOIN);

        assertThat(answer.refusal()).contains(Refusal.UID_NOT_ACCEPTED);
        assertThat(answer.detail())
                .isEqualTo("uid 2 is in use by muster://test@b:2552; restart muster://test@x:2552 so that it gets a "
                        + "new one");
        assertThat(answer.state().members()).hasSize(2);
    }

    @Test
    void whoWasQuarantinedIsToldToRestart() {
        quarantines.add(X);

        JoinAcceptance.Answer answer = join(aState().up("a"), X, JOIN);

        String reason = "a:2552#1 has quarantined x:2552#24; restart it so that it gets a new uid";
        assertThat(answer.refusal()).contains(Refusal.UID_NOT_ACCEPTED);
        assertThat(answer.state().members()).hasSize(1);
        assertThat(effects.list())
                .containsExactly(
                        publish(new ClusterEvent.JoinRefused(address("x"), List.of(reason))),
                        send(X, new JoinMessage.SeedWelcomes(List.of(reason))));
    }

    @Test
    void whoIsQuarantinedWhileItWaitsForRoomWaitsNoMore() {
        acceptance.onJoin(aState().up("a", "b").build(), NEW, JOIN, 0, effects);
        quarantines.add(NEW);
        ClusterState roomy = aState().up("a").build();

        assertThat(acceptance.letInThoseWithRoom(roomy, 0, effects)).isSameAs(roomy);
        assertThat(acceptance.waitingForRoom()).isEmpty();
    }

    @Test
    void whoseUidWasGivenToSomebodyElseWhileItWaitedForRoomWaitsNoMore() {
        acceptance.onJoin(aState().up("a", "b").build(), NEW, JOIN, 0, effects);
        ClusterState roomy =
                aState().up("a").with(member(node("c", NEW.uid()), JOINING)).build();

        assertThat(acceptance.letInThoseWithRoom(roomy, 0, effects)).isSameAs(roomy);
        assertThat(acceptance.waitingForRoom()).isEmpty();
        assertThat(acceptance.onJoin(roomy, NEW, JOIN, 0, effects).refusal()).contains(Refusal.UID_NOT_ACCEPTED);
    }

    @Test
    void aRemovedNodeIsShownItsTombstone() {
        ClusterState state = aState().up("a").removed("x").build();

        JoinAcceptance.Answer answer = acceptance.onJoin(state, X, JOIN, 0, effects);

        String reason = "x:2552#24 was removed from this cluster; restart it so that it gets a new uid";
        assertThat(answer).isEqualTo(JoinAcceptance.Answer.refused(state, Refusal.UID_NOT_ACCEPTED, reason));
        assertThat(effects.list())
                .containsExactly(
                        send(X, new GossipMessage.GossipState(X, state)),
                        publish(new ClusterEvent.JoinRefused(address("x"), List.of(reason))));
    }

    @Test
    void aMemberThatIsDownIsNotLetInAgain() {
        JoinAcceptance.Answer answer = join(aState().up("a").down("x"), X, JOIN);

        assertThat(answer.refusal()).contains(Refusal.UID_NOT_ACCEPTED);
        assertThat(answer.detail()).isEqualTo("x:2552#24 is down; it must restart");
        assertThat(effects.list()).isEmpty();
    }

    // ---- A new incarnation at an address that is taken.

    @Test
    void anOldIncarnationIsNotDeclaredDownBeforeTheNewOneProvedToLiveThere() {
        ClusterState state = aState().up("a", "b").build();

        assertThat(acceptance.onJoin(state, NEW, JOIN, 0, effects)).isEqualTo(JoinAcceptance.Answer.accepted(state));

        assertThat(effects.list()).containsExactly(new Effect.ProveIncarnation(NEW));
        assertThat(acceptance.waitingForRoom()).containsExactly(NEW);
    }

    @Test
    void aProofWithoutAJoinChangesNothing() {
        ClusterState state = aState().up("a", "b").build();

        assertThat(acceptance.onIncarnationProved(state, NEW)).isSameAs(state);
    }

    @Test
    void theProofDeclaresEveryOtherIncarnationThereTerminatedAndDown() {
        ClusterState state = aState().up("a", "b")
                .with(member(node("b", 3), DOWN))
                .version("a", 1)
                .build();
        acceptance.onJoin(state, NEW, JOIN, 0, effects);

        ClusterState next = acceptance.onIncarnationProved(state, NEW);

        assertThat(next.members().statusOf(OLD)).isEqualTo(DOWN);
        assertThat(next.members().statusOf(SELF)).isEqualTo(UP);
        assertThat(next.reachability().statusOf(SELF, OLD)).isEqualTo(ReachabilityStatus.TERMINATED);
        assertThat(next.reachability().statusOf(SELF, node("b", 3))).isEqualTo(ReachabilityStatus.REACHABLE);
        assertThat(next.version().counterOf(SELF.clockKey())).isEqualTo(2);
        assertThat(acceptance.onIncarnationProved(next, NEW)).isSameAs(next);
    }

    @Test
    void whereTheOldOneIsDownAlreadyNoProofIsNeeded() {
        join(aState().up("a").down("b"), NEW, JOIN);

        assertThat(effects.list()).isEmpty();
        assertThat(acceptance.waitingForRoom()).containsExactly(NEW);
    }

    @Test
    void theProofIsAskedForAgainOnlyAfterAWhile() {
        ClusterState state = aState().up("a", "b").build();
        long again = 900_000_000L;
        acceptance.onJoin(state, NEW, JOIN, 0, effects);
        acceptance.onJoin(state, NEW, JOIN, again - 1, effects);
        assertThat(effects.list()).hasSize(1);

        acceptance.onJoin(state, NEW, JOIN, again, effects);
        assertThat(effects.list()).hasSize(2).containsOnly(new Effect.ProveIncarnation(NEW));
        acceptance.onJoin(state, NEW, JOIN, 2 * again - 1, effects);
        assertThat(effects.list()).hasSize(2);
    }

    @Test
    void whoWaitedIsLetInTheMomentThereIsRoom() {
        acceptance.onJoin(aState().up("a", "b").build(), NEW, JOIN, 0, effects);
        ClusterState stillThere = aState().up("a").down("b").build();
        assertThat(acceptance.letInThoseWithRoom(stillThere, 0, effects)).isSameAs(stillThere);
        effects.clear();

        ClusterState next =
                acceptance.letInThoseWithRoom(aState().up("a").removed("b").build(), 0, effects);

        assertThat(next.members().statusOf(NEW)).isEqualTo(JOINING);
        assertThat(next.members().find(NEW).orElseThrow().roles()).contains("r");
        assertThat(effects.list()).containsExactly(send(NEW, new JoinMessage.Welcome(NEW, next)));
        assertThat(acceptance.waitingForRoom()).isEmpty();
        effects.clear();
        assertThat(acceptance.letInThoseWithRoom(next, 0, effects)).isSameAs(next);
        assertThat(effects.list()).isEmpty();
    }

    @Test
    void whoCameInOrWasRemovedElsewhereWaitsNoMore() {
        acceptance.onJoin(aState().up("a", "b").build(), NEW, JOIN, 0, effects);
        ClusterState member = aState().up("a").with(member(NEW, JOINING)).build();
        assertThat(acceptance.letInThoseWithRoom(member, 0, effects)).isSameAs(member);
        assertThat(acceptance.waitingForRoom()).isEmpty();

        acceptance.onJoin(aState().up("a", "b").build(), NEW, JOIN, 0, effects);
        ClusterState removed = aState().up("a")
                .with(member(NEW, DOWN))
                .build()
                .withRemoved(SELF, aState().up("a").build().members(), List.of(NEW), 1);
        assertThat(acceptance.letInThoseWithRoom(removed, 0, effects)).isSameAs(removed);
        assertThat(acceptance.waitingForRoom()).isEmpty();
    }

    @Test
    void whoHasNotAskedForAWhileIsForgotten() {
        acceptance.onJoin(aState().up("a", "b").build(), NEW, JOIN, 0, effects);
        ClusterState roomy = aState().up("a").build();
        long forgetNanos = FORGET_SECONDS * SECOND;

        assertThat(acceptance.letInThoseWithRoom(roomy, forgetNanos + 1, effects))
                .isSameAs(roomy);
        assertThat(acceptance.waitingForRoom()).isEmpty();

        acceptance.onJoin(aState().up("a", "b").build(), NEW, JOIN, 0, effects);
        assertThat(acceptance
                        .letInThoseWithRoom(roomy, forgetNanos, effects)
                        .members()
                        .has(NEW))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"LEAVING", "EXITING", "DOWN"})
    void whoIsLeavingItselfLetsNobodyInWhoWaited(MemberStatus own) {
        acceptance.onJoin(aState().up("a", "b").build(), NEW, JOIN, 0, effects);
        ClusterState state = aState().with(own, "a").build();

        assertThat(acceptance.letInThoseWithRoom(state, 0, effects)).isSameAs(state);
        assertThat(acceptance.waitingForRoom()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"JOINING", "WEAKLY_UP", "UP"})
    void whoStaysLetsThoseInWhoWaited(MemberStatus own) {
        acceptance.onJoin(aState().up("a", "b").build(), NEW, JOIN, 0, effects);

        assertThat(acceptance
                        .letInThoseWithRoom(aState().with(own, "a").build(), 0, effects)
                        .members()
                        .has(NEW))
                .isTrue();
    }

    @Test
    void aFloodOfPretendedIncarnationsIsBounded() {
        ClusterState state = aState().up("a", "b").build();
        for (int uid = 1_000; uid < 3_000; uid++) {
            acceptance.onJoin(state, node("b", uid), JOIN, 0, effects);
        }

        assertThat(acceptance.waitingForRoom()).hasSize(1_000);
        assertThat(effects.list()).hasSize(1_000);
        acceptance.onJoin(state, node("b", 1_000), JOIN, SECOND, effects);
        assertThat(effects.list()).hasSize(1_001);
    }

    @Test
    void aNodeThatFindsAnotherIncarnationAtItsOwnAddressDeclaresItDown() {
        ClusterState state = aState().up("a").with(member(node("a", 77), UP)).build();

        ClusterState next = JoinAcceptance.withOthersDown(state, SELF, SELF);

        assertThat(next.members().statusOf(SELF)).isEqualTo(UP);
        assertThat(next.members().statusOf(node("a", 77))).isEqualTo(DOWN);
        assertThat(JoinAcceptance.withOthersDown(next, SELF, SELF)).isSameAs(next);
    }

    @Test
    void theFirstMemberBringsItsOwnRoles() {
        assertThat(acceptance.asFirstMember())
                .isEqualTo(Member.joining(SELF, List.of("dc-default", "muster-1", "seed"), "0.0.0"));
    }

    private JoinAcceptance.Answer join(StateBuilder state, NodeId from, Join join) {
        return acceptance.onJoin(state.build(), from, join, 0, effects);
    }

    private void assertRefused(JoinAcceptance.Answer answer, Refusal refusal, String reason) {
        assertThat(answer.refusal()).contains(refusal);
        assertThat(answer.detail()).isEqualTo(reason);
        assertThat(answer.state().members().has(X)).isFalse();
        assertThat(effects.list())
                .containsExactly(
                        publish(new ClusterEvent.JoinRefused(address("x"), List.of(reason))),
                        send(X, new JoinMessage.SeedWelcomes(List.of(reason))));
    }

    private static Effect send(NodeId to, CoreMessage message) {
        return new Effect.SendMessage(to.address(), message);
    }

    private static Effect publish(ClusterEvent event) {
        return new Effect.PublishEvent(event);
    }
}
