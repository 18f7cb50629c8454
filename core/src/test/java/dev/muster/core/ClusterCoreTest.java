package dev.muster.core;

import static dev.muster.core.Nodes.address;
import static dev.muster.core.Nodes.member;
import static dev.muster.core.Nodes.node;
import static dev.muster.core.Nodes.up;
import static dev.muster.core.Nodes.withRoles;
import static dev.muster.core.StateBuilder.aState;
import static dev.muster.core.state.MemberStatus.DOWN;
import static dev.muster.core.state.MemberStatus.REMOVED;
import static dev.muster.core.state.MemberStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.ClusterSnapshot.Phase;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.GossipMessage.GossipState;
import dev.muster.core.exchange.GossipMessage.GossipStatus;
import dev.muster.core.exchange.HeartbeatMessage.Heartbeat;
import dev.muster.core.exchange.HeartbeatMessage.HeartbeatReply;
import dev.muster.core.exchange.Input;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.exchange.Refusal;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionTable;
import dev.muster.core.state.ReachabilityStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** One core alone, told by hand what happens. Whole clusters of them are in {@code spec}. */
class ClusterCoreTest {
    private static final NodeId SELF = node("a");
    private static final NodeId B = node("b");
    private static final NodeId C = node("c");
    private static final long SECOND = 1_000_000_000L;
    private static final JoinMessage.Join JOIN = new JoinMessage.Join(List.of(), "1", JoinConfiguration.UNKNOWN);

    private final Effects effects = new Effects();
    private final ClusterCore core = core(ClusterSettings.defaults());
    private long now;

    private static ClusterCore core(ClusterSettings settings) {
        return new ClusterCore(
                SELF,
                settings.withDowning(settings.downing().withStrategy(new DowningStrategy.Manual())),
                new SplittableRandom(1),
                0);
    }

    // ---- What it does at all.

    @Test
    void anIdleCoreWantsNothing() {
        assertThat(core.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
        handle(new Input.TimePassed());

        assertThat(effects.list()).isEmpty();
        assertThat(core.snapshot())
                .isEqualTo(new ClusterSnapshot(
                        SELF,
                        ClusterState.EMPTY,
                        Phase.IDLE,
                        REMOVED,
                        Optional.empty(),
                        false,
                        new TreeSet<>(),
                        new EnumMap<>(Refusal.class),
                        0,
                        0,
                        PartitionTable.EMPTY,
                        true));
        assertThat(core.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aCoreThatFormsAClusterIsUpAtOnce() {
        give(new Command.JoinTo(address("a")));

        assertThat(core.state())
                .isEqualTo(aState().with(withRoles(up("a", 1), "dc-default", "muster-1"))
                        .version("a", 2)
                        .seenBy("a")
                        .build());
        assertThat(published())
                .containsExactly(
                        new ClusterEvent.ClusterFormed("there is no other seed node to ask"),
                        new ClusterEvent.MemberJoined(Member.joining(SELF, List.of("dc-default", "muster-1"), "0.0.0")),
                        new ClusterEvent.LeaderChanged(Optional.of(SELF)),
                        new ClusterEvent.MemberUp(core.state().members().get(0)));
        assertThat(core.snapshot().selfStatus()).isEqualTo(UP);
        assertThat(core.snapshot().converged()).isTrue();
        assertThat(core.snapshot().leader()).contains(SELF);
        assertThat(core.snapshot().phase()).isEqualTo(Phase.MEMBER);
        assertThat(core.nextWakeUpNanos()).isBetween(0L, SECOND);
    }

    @Test
    void aHeartbeatIsEchoed() {
        hears(node("x"), new Heartbeat(7, 42));

        assertThat(effects.list()).containsExactly(send(node("x"), new HeartbeatReply(7, 42)));
    }

    @Test
    void aWelcomeIsTakenAndConfirmed() {
        welcomed();

        assertThat(core.state()).isEqualTo(ofTwo().seenBy("a", "b").build());
        assertThat(effects.list()).contains(send(B, new GossipState(B, core.state())));
        assertThat(core.snapshot().phase()).isEqualTo(Phase.MEMBER);
    }

    @Test
    void joinersOfOtherSystemsAndDataCentersAreRefusedAndCounted() {
        give(new Command.JoinTo(address("a")));
        ClusterState before = core.state();
        NodeId foreign = new NodeId(new NodeAddress("muster", "other", "x", 1), 5);

        hears(foreign, JOIN);
        hears(node("x"), new JoinMessage.Join(List.of("dc-eu"), "1", JoinConfiguration.UNKNOWN));

        assertThat(core.state()).isSameAs(before);
        assertThat(core.snapshot().refusals())
                .hasSize(2)
                .containsEntry(Refusal.OTHER_SYSTEM, 1L)
                .containsEntry(Refusal.OTHER_DATA_CENTER, 1L);
    }

    @Test
    void aJoinToANodeThatIsNoMemberIsRefused() {
        hears(node("x"), JOIN);

        assertRefused(Refusal.NOT_ABLE, 1);
        assertThat(core.state()).isSameAs(ClusterState.EMPTY);
    }

    // ---- Bad input is refused whole, counted, and changes nothing.

    @Test
    void aGossipWithoutMeIsRefused() {
        refusesState(aState().up("b"), Refusal.WITHOUT_ME);
    }

    @Test
    void aGossipThatCountsUpMyClockEntryIsRefused() {
        refusesState(ofTwo().version("a", 1), Refusal.CLAIMS_MY_CHANGES);
    }

    @Test
    void aGossipThatWritesMyReachabilityRowIsRefused() {
        refusesState(ofTwo().unreachable("a", "b"), Refusal.CLAIMS_MY_CHANGES);
    }

    @Test
    void aGossipWhoseClockLeapsIsRefused() {
        refusesState(ofTwo().version("b", 1L << 40), Refusal.CLOCK_OUT_OF_RANGE);
    }

    @Test
    void aGossipWithAMemberOfAnotherSystemIsRefused() {
        NodeId foreign = new NodeId(new NodeAddress("muster", "other", "x", 1), 5);
        refusesState(ofTwo().with(member(foreign, UP)).version("b", 9), Refusal.OTHER_SYSTEM);
    }

    @Test
    void aGossipWithAMemberOfAnotherDataCenterIsRefused() {
        refusesState(ofTwo().with(withRoles(member("c", UP), "dc-eu")).version("b", 9), Refusal.OTHER_DATA_CENTER);
    }

    private void refusesState(StateBuilder received, Refusal refusal) {
        welcomed();
        refuses(B, new GossipState(SELF, received.seenBy("b").build()), refusal);
    }

    @Test
    void gossipForAnotherIncarnationIsRefused() {
        welcomed();
        refuses(B, new GossipState(node("a", 99), ofTwo().version("b", 9).build()), Refusal.NOT_FOR_ME);
        refuses(
                B,
                new GossipStatus(
                        node("a", 99), core.state().version(), core.state().seenDigest()),
                Refusal.NOT_FOR_ME);
    }

    @Test
    void gossipFromANonMemberIsRefused() {
        welcomed();
        refuses(C, new GossipState(SELF, ofTwo().joining("c").version("c", 1).build()), Refusal.FROM_NON_MEMBER);
        refuses(C, new GossipStatus(SELF, core.state().version(), core.state().seenDigest()), Refusal.FROM_NON_MEMBER);
    }

    @Test
    void gossipFromOneIHoldUnreachableIsRefused() {
        welcomed();
        handle(new Input.PeerQuarantined(B));
        assertThat(core.state().reachability().statusOf(SELF, B)).isEqualTo(ReachabilityStatus.TERMINATED);
        refuses(B, new GossipState(SELF, ofTwo().version("b", 9).build()), Refusal.FROM_UNREACHABLE);
    }

    @Test
    void gossipFromOneThatIsDownIsRefused() {
        welcomed(ofTwo().up("c").version("c", 1));
        hears(
                C,
                new GossipState(
                        SELF,
                        ofTwo().down("d").up("c").version("c", 2).seenBy("c").build()));
        ClusterState before = core.state();
        assertThat(before.members().statusOf(node("d"))).isEqualTo(DOWN);

        hears(node("d"), new GossipState(SELF, ofTwo().build()));
        assertThat(core.state()).isSameAs(before);
        assertThat(core.snapshot().refusals()).containsEntry(Refusal.FROM_UNREACHABLE, 1L);
    }

    @Test
    void gossipThatWaitedLongerThanItsTimeToLiveIsRefused() {
        welcomed();
        ClusterState newer = ofTwo().joining("c").version("b", 2).seenBy("b").build();
        now = now + SECOND / 2;
        handle(new Input.MessageReceived(B, new GossipState(SELF, newer), now - 2 * SECOND - 1));
        assertRefused(Refusal.STALE, 1);
        assertThat(core.state().members()).hasSize(2);

        handle(new Input.MessageReceived(B, new GossipState(SELF, newer), now - 2 * SECOND));
        assertThat(core.state().members()).hasSize(3);
    }

    @Test
    void gossipToANodeThatIsNoMemberIsRefused() {
        refuses(B, new GossipState(SELF, ofTwo().build()), Refusal.UNEXPECTED);
        assertThat(core.snapshot().phase()).isEqualTo(Phase.IDLE);
    }

    @Test
    void aWelcomeThatWasNotAskedForIsRefused() {
        refuses(B, new JoinMessage.Welcome(SELF, ofTwo().build()), Refusal.UNEXPECTED);

        give(new Command.JoinTo(address("b")));
        refuses(B, new JoinMessage.Welcome(SELF, ofTwo().build()), Refusal.UNEXPECTED, 2);
        hears(B, new JoinMessage.SeedWelcomes(List.of()));
        refuses(C, new JoinMessage.Welcome(SELF, ofTwo().build()), Refusal.UNEXPECTED, 3);
        refuses(B, new JoinMessage.Welcome(node("a", 99), ofTwo().build()), Refusal.NOT_FOR_ME, 1);
        refuses(B, new JoinMessage.Welcome(SELF, aState().up("b").build()), Refusal.WITHOUT_ME, 1);
        assertThat(core.snapshot().phase()).isEqualTo(Phase.JOINING);

        hears(B, new JoinMessage.Welcome(SELF, ofTwo().build()));
        assertThat(core.snapshot().phase()).isEqualTo(Phase.MEMBER);
        refuses(B, new JoinMessage.Welcome(SELF, ofTwo().version("b", 9).build()), Refusal.UNEXPECTED, 4);
    }

    @Test
    void anExitConfirmationOfSomebodyWhoIsNotExitingIsRefused() {
        welcomed();
        refuses(B, new JoinMessage.ExitConfirmed(), Refusal.UNEXPECTED);
        refuses(C, new JoinMessage.ExitConfirmed(), Refusal.UNEXPECTED, 2);
        assertThat(core.snapshot().exitConfirmed()).isEmpty();
    }

    @Test
    void seedAnswersThatWereNotAskedForHaveNoEffect() {
        hears(B, new JoinMessage.SeedWelcomes(List.of()));
        hears(B, new JoinMessage.SeedIsNoMember());

        assertThat(effects.list()).isEmpty();
        assertThat(core.snapshot().phase()).isEqualTo(Phase.IDLE);
    }

    @Test
    void aHeartbeatReplyOfAStrangerHasNoEffect() {
        welcomed();
        ClusterState before = core.state();
        hears(node("x"), new HeartbeatReply(1, 1));

        assertThat(core.state()).isSameAs(before);
    }

    @Test
    void quarantineOfStrangersAndOfOneselfHasNoEffect() {
        welcomed();
        ClusterState before = core.state();
        handle(new Input.PeerQuarantined(node("x")));
        handle(new Input.PeerQuarantined(SELF));
        assertThat(core.state()).isSameAs(before);

        handle(new Input.PeerQuarantined(B));
        ClusterState once = core.state();
        handle(new Input.PeerQuarantined(B));
        assertThat(core.state()).isSameAs(once);
    }

    @Test
    void whoWasQuarantinedBeforeItCameInIsTerminatedAsSoonAsItShowsUp() {
        welcomed();
        handle(new Input.PeerQuarantined(C));
        hears(
                B,
                new GossipState(
                        SELF, ofTwo().joining("c").version("b", 2).seenBy("b").build()));

        assertThat(core.state().members().statusOf(C)).isEqualTo(MemberStatus.JOINING);
        assertThat(core.state().reachability().statusOf(SELF, C)).isEqualTo(ReachabilityStatus.TERMINATED);
        assertThat(core.state().version().counterOf(SELF.clockKey())).isOne();
    }

    @Test
    void whoWasQuarantinedByAJoinerIsTerminatedWhenTheJoinerComesIn() {
        handle(new Input.PeerQuarantined(C));
        welcomed(ofTwo().up("c"));

        assertThat(core.state().reachability().statusOf(SELF, C)).isEqualTo(ReachabilityStatus.TERMINATED);
    }

    @Test
    void whoWasQuarantinedIsNotLetIn() {
        welcomed();
        handle(new Input.PeerQuarantined(C));

        refuses(C, JOIN, Refusal.UID_NOT_ACCEPTED);
    }

    @Test
    void proofsAndFinishedTasksThatNobodyAskedForHaveNoEffect() {
        handle(new Input.IncarnationProved(node("b", 9)));
        handle(new Input.ExitTasksDone());
        assertThat(effects.list()).isEmpty();

        welcomed();
        ClusterState before = core.state();
        effects.clear();
        handle(new Input.IncarnationProved(node("b", 9)));
        handle(new Input.ExitTasksDone());
        assertThat(core.state()).isSameAs(before);
        assertThat(effects.list()).isEmpty();
    }

    // ---- How it ends.

    @Test
    void aNodeThatIsDeclaredDownSaysGoodbyeAndStops() {
        welcomed(ofTwo().up("c"));
        hears(
                B,
                new GossipState(
                        SELF,
                        aState().down("a")
                                .up("c")
                                .with(UP, "b")
                                .version("b", 2)
                                .seenBy("b")
                                .build()));

        assertStopped("this node was declared down; restart it to join again");
        assertThat(effects.list().stream()
                        .filter(e -> e instanceof Effect.SendMessage)
                        .count())
                .isGreaterThanOrEqualTo(5);
    }

    @Test
    void aNodeThatSeesItsOwnTombstoneStops() {
        welcomed();
        hears(
                B,
                new GossipState(
                        SELF,
                        aState().up("b")
                                .removed("a")
                                .version("b", 3)
                                .seenBy("b")
                                .build()));

        assertStopped("this node was removed from the cluster, as b:2552#2 says; restart it to join again");
    }

    @Test
    void aJoinerThatSeesItsOwnTombstoneStops() {
        give(new Command.JoinTo(address("b")));
        hears(B, new JoinMessage.SeedWelcomes(List.of()));
        hears(C, new GossipState(SELF, aState().up("b").removed("a").build()));
        hears(B, new GossipState(SELF, aState().up("b").build()));
        hears(B, new GossipStatus(SELF, core.state().version(), core.state().seenDigest()));
        assertRefused(Refusal.UNEXPECTED, 3);

        hears(B, new GossipState(SELF, aState().up("b").removed("a").build()));
        assertStopped("this node was removed before it came in; restart it to join again");
    }

    @Test
    void aFirstSeedThatWasHeldUpWaitsAsLongAsAnyOtherBeforeItForms() {
        ClusterSettings settings = ClusterSettings.defaults();
        ClusterCore seed = core(settings.withJoin(settings.join().withSeedNodes(List.of(address("a"), address("b")))));
        seed.handle(new Input.CommandGiven(new Command.JoinSeeds()), 0, effects);

        // It wanted to ask again after one second, and could not before five more had passed.
        for (int second = 6; second <= 9; second++) {
            seed.handle(new Input.TimePassed(), second * SECOND, effects);
            assertThat(seed.snapshot().phase()).isEqualTo(Phase.JOINING);
        }
        seed.handle(new Input.TimePassed(), 10 * SECOND, effects);

        assertThat(seed.snapshot().phase()).isEqualTo(Phase.MEMBER);
    }

    @Test
    void aFirstSeedWhoseClusterVanishedStartsOver() {
        ClusterSettings settings = ClusterSettings.defaults();
        ClusterCore seed = core(settings.withJoin(settings.join().withSeedNodes(List.of(address("a"), address("b")))));
        seed.handle(new Input.CommandGiven(new Command.JoinSeeds()), 0, effects);
        seed.handle(received(B, new JoinMessage.SeedWelcomes(List.of())), 0, effects);
        for (int second = 1; second <= 10; second++) {
            seed.handle(new Input.TimePassed(), second * SECOND, effects);
        }
        seed.handle(received(B, new JoinMessage.SeedIsNoMember()), 10 * SECOND, effects);

        assertThat(seed.snapshot().phase()).isEqualTo(Phase.STOPPED);
        assertThat(effects.list())
                .last()
                .isEqualTo(
                        new Effect.StopNode("this node asked to be let in under its present uid, and nobody knows of "
                                + "that cluster any more; restart it so that it gets a new one"));
    }

    @Test
    void aStoppedNodeSaysNothingMore() {
        give(new Command.JoinTo(address("a")));
        give(new Command.Down(address("a")));
        effects.clear();

        hears(B, new Heartbeat(1, 1));
        hears(B, JOIN);
        handle(new Input.TimePassed());

        assertThat(effects.list()).isEmpty();
        assertThat(core.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(core.snapshot().converged()).isFalse();
        assertThat(core.snapshot().leader()).isEmpty();
    }

    @Test
    void anExitingNodeFinishesThenTellsTheLeaderAndTheNextAndStops() {
        welcomed(aState().with(MemberStatus.EXITING, "a")
                .with(UP, "b")
                .up("c", "d")
                .version("b", 1));
        assertThat(effects.list()).contains(new Effect.RunExitTasks());
        effects.clear();
        handle(new Input.TimePassed());
        assertThat(effects.list()).doesNotContain(new Effect.RunExitTasks());

        effects.clear();
        handle(new Input.ExitTasksDone());
        assertThat(effects.list())
                .contains(send(B, new JoinMessage.ExitConfirmed()), send(C, new JoinMessage.ExitConfirmed()))
                .doesNotContain(send(node("d"), new JoinMessage.ExitConfirmed()));
        assertStopped("this node has left the cluster");
    }

    @Test
    void aRemovedNodeThatStillTalksIsShownTheState() {
        give(new Command.JoinTo(address("a")));
        hears(B, JOIN);
        give(new Command.Down(address("b")));
        assertThat(core.state().tombstones().has(B)).isTrue();
        effects.clear();

        hears(B, new GossipStatus(SELF, core.state().version(), core.state().seenDigest()));
        assertThat(effects.list()).contains(send(B, new GossipState(B, core.state())));
        effects.clear();
        hears(B, new GossipState(SELF, ofTwo().seenBy("b").build()));
        assertThat(effects.list()).contains(send(B, new GossipState(B, core.state())));
    }

    @Test
    void oneThatWasRemovedAndDoesNotKnowItIsToldBeforeItsHeartbeatIsAnswered() {
        give(new Command.JoinTo(address("a")));
        hears(B, JOIN);
        give(new Command.Down(address("b")));
        effects.clear();

        hears(B, new Heartbeat(1, 0));
        assertThat(effects.list())
                .containsExactly(send(B, new GossipState(B, core.state())), send(B, new HeartbeatReply(1, 0)));
        effects.clear();
        hears(C, new Heartbeat(2, 0)); // may have been let in by somebody else just now
        assertThat(effects.list()).containsExactly(send(C, new HeartbeatReply(2, 0)));
    }

    @Test
    void aStrangerThatCountsOnMeIsShownTheStateAndOneThatDoesNotIsNot() {
        give(new Command.JoinTo(address("a")));
        effects.clear();
        hears(C, new GossipStatus(SELF, core.state().version(), core.state().seenDigest()));
        assertThat(effects.list()).contains(send(C, new GossipState(C, core.state())));

        effects.clear();
        hears(C, new GossipState(SELF, aState().up("b", "c").seenBy("c").build()));
        hears(C, new GossipState(node("a", 99), ofTwo().up("c").build()));
        hears(
                C,
                new GossipStatus(
                        node("a", 99), core.state().version(), core.state().seenDigest()));
        assertThat(effects.list()).noneMatch(e -> e instanceof Effect.SendMessage);
        assertRefused(Refusal.FROM_NON_MEMBER, 2);
        assertRefused(Refusal.NOT_FOR_ME, 2);
    }

    @Test
    void twoClustersThatRemovedEachOtherTellEachOtherOnce() {
        give(new Command.JoinTo(address("a")));
        hears(B, JOIN);
        ClusterState together = core.state();
        give(new Command.Down(address("b")));
        ClusterCore other = new ClusterCore(B, ClusterSettings.defaults(), new SplittableRandom(2), 0);
        Effects theirs = new Effects();
        other.handle(new Input.CommandGiven(new Command.JoinTo(address("a"))), 0, theirs);
        other.handle(new Input.MessageReceived(SELF, new JoinMessage.SeedWelcomes(List.of()), 0), 0, theirs);
        other.handle(new Input.MessageReceived(SELF, new JoinMessage.Welcome(B, together), 0), 0, theirs);
        other.handle(new Input.CommandGiven(new Command.Down(address("a"))), 0, theirs);
        assertThat(core.state().tombstones().has(B)).isTrue();
        assertThat(other.state().tombstones().has(SELF)).isTrue();

        effects.clear();
        hears(B, new GossipStatus(SELF, together.version(), together.seenDigest())); // from before
        assertThat(effects.list()).contains(send(B, new GossipState(B, core.state())));
        theirs.clear();
        other.handle(new Input.MessageReceived(SELF, new GossipState(B, core.state()), 0), 0, theirs);

        assertThat(theirs.list())
                .containsExactly(new Effect.PublishEvent(
                        new ClusterEvent.MessageRefused(SELF, Refusal.FROM_NON_MEMBER, "gossip")));
        assertThat(other.snapshot().phase()).isEqualTo(Phase.MEMBER);
    }

    // ---- Not being known.

    @Test
    void aNodeThatNobodyKnowsForFifteenSecondsStops() {
        welcomed();
        hears(B, new GossipState(SELF, aState().up("b").build()));
        now += 15 * SECOND - 1;
        hears(B, new GossipState(SELF, aState().up("b").build()));
        assertThat(core.snapshot().phase()).isEqualTo(Phase.MEMBER);
        assertRefused(Refusal.WITHOUT_ME, 2);

        now += 1;
        hears(B, new GossipState(SELF, aState().up("b").build()));
        assertStopped("nobody in the cluster knows this node, as b:2552#2 says; restart it to join again");
    }

    @Test
    void oneAcceptedStateShowsThatSomebodyKnowsIt() {
        welcomed();
        hears(B, new GossipState(SELF, aState().up("b").build()));
        now += 14 * SECOND;
        hears(B, new GossipState(SELF, ofTwo().version("b", 2).seenBy("b").build()));
        now += SECOND;
        hears(B, new GossipState(SELF, aState().up("b").build()));
        now += 15 * SECOND - 1;
        hears(B, new GossipState(SELF, aState().up("b").build()));
        assertThat(core.snapshot().phase()).isEqualTo(Phase.MEMBER);
    }

    @Test
    void aStatusOfItsVeryVersionShowsThatSomebodyKnowsIt() {
        welcomed(ofTwo().up("c"));
        hears(B, new GossipState(SELF, aState().up("b").build()));
        now += 14 * SECOND;
        hears(C, new GossipStatus(SELF, core.state().version(), core.state().seenDigest()));
        now += SECOND;
        hears(B, new GossipState(SELF, aState().up("b").build()));
        assertThat(core.snapshot().phase()).isEqualTo(Phase.MEMBER);
    }

    @Test
    void aStatusOfAnotherVersionShowsNothing() {
        welcomed(ofTwo().up("c"));
        hears(B, new GossipState(SELF, aState().up("b").build()));
        now += 14 * SECOND;
        hears(
                C,
                new GossipStatus(
                        SELF,
                        ofTwo().version("b", 7).build().version(),
                        core.state().seenDigest()));
        now += SECOND;
        hears(B, new GossipState(SELF, aState().up("b").build()));
        assertThat(core.snapshot().phase()).isEqualTo(Phase.STOPPED);
    }

    /**
     * Two whom a third let in, who then went down before telling anybody: they know each other, and nobody else does.
     */
    @Test
    void aNewcomerDoesNotTakeTheWordOfNewcomersThatSomebodyKnowsIt() {
        StateBuilder orphans = aState().joining("a", "c").up("b").version("b", 1);
        welcomed(orphans);
        hears(B, new GossipState(SELF, aState().up("b").build()));
        now += 14 * SECOND;
        hears(C, new GossipState(SELF, orphans.seenBy("c").build()));
        hears(C, new GossipStatus(SELF, core.state().version(), core.state().seenDigest()));
        now += SECOND;
        hears(B, new GossipState(SELF, aState().up("b").build()));
        assertStopped("nobody in the cluster knows this node, as b:2552#2 says; restart it to join again");
    }

    @Test
    void aNewcomerTakesTheWordOfOneThatIsUp() {
        isReassuredByC(aState().joining("a").up("b", "c").version("b", 1));
    }

    @Test
    void oneThatIsUpTakesTheWordOfANewcomer() {
        isReassuredByC(aState().joining("c").up("a", "b").version("b", 1));
    }

    private void isReassuredByC(StateBuilder members) {
        welcomed(members);
        hears(B, new GossipState(SELF, aState().up("b").build()));
        now += 14 * SECOND;
        hears(C, new GossipState(SELF, members.seenBy("c").build()));
        now += SECOND;
        hears(B, new GossipState(SELF, aState().up("b").build()));
        assertThat(core.snapshot().phase()).isEqualTo(Phase.MEMBER);
    }

    // ---- Every station is published.

    @Test
    void whoJoinsAndIsUpInOneStepIsPublishedAsBoth() {
        give(new Command.JoinTo(address("a")));
        effects.clear();
        hears(B, JOIN);

        assertThat(published())
                .containsExactly(
                        new ClusterEvent.MemberJoined(Member.joining(B, List.of(), "1")),
                        new ClusterEvent.MemberUp(
                                Member.joining(B, List.of(), "1").up(2)));
    }

    @Test
    void whoIsDownAndRemovedInOneStepIsPublishedAsBoth() {
        give(new Command.JoinTo(address("a")));
        hears(B, JOIN);
        Member up = core.state().members().find(B).orElseThrow();
        effects.clear();
        give(new Command.Down(address("b")));

        assertThat(published())
                .filteredOn(ClusterEvent.Change.class::isInstance)
                .containsExactly(
                        new ClusterEvent.MemberDowned(up.withStatus(DOWN)),
                        new ClusterEvent.MemberRemoved(up.withStatus(DOWN), DOWN));
    }

    /** Who knows it as unreachable never chooses it for gossip, so whatever goes there goes there on purpose. */
    @Test
    void onlyWhoDeclaresAMemberDownTellsIt() {
        welcomed(ofTwo().up("c"));
        handle(new Input.PeerQuarantined(C));
        effects.clear();
        hears(
                B,
                new GossipState(
                        SELF, ofTwo().down("c").version("b", 2).seenBy("b").build()));
        assertThat(core.state().members().statusOf(C)).isEqualTo(DOWN);
        assertThat(published()).anyMatch(e -> e instanceof ClusterEvent.MemberDowned);
        assertThat(effects.list())
                .noneMatch(e -> e instanceof Effect.SendMessage send
                        && send.to().equals(C.address())
                        && send.message() instanceof GossipState);
    }

    @Test
    void everySingleChangeIsVerified() {
        List<String> verified = new ArrayList<>();
        ClusterRules rules = new ClusterRules() {
            @Override
            public void verify(NodeId self, ClusterState before, ClusterState after) {
                verified.add(before.members() + " > " + after.members());
                super.verify(self, before, after);
            }
        };
        ClusterCore watched = new ClusterCore(SELF, ClusterSettings.defaults(), rules, new SplittableRandom(1), 0);
        watched.handle(new Input.CommandGiven(new Command.JoinTo(address("a"))), 0, effects);

        assertThat(verified).containsExactly("[] > [a:2552#1 Joining]", "[a:2552#1 Joining] > [a:2552#1 Up]");
    }

    /** The last other member goes down and is removed within one step: nobody else has to see it first. */
    @Test
    void whoIsDeclaredDownAndRemovedInOneStepIsToldAndQuarantinedLikeAnybodyElse() {
        give(new Command.JoinTo(address("a")));
        hears(B, JOIN);
        effects.clear();
        give(new Command.Down(address("b")));

        assertThat(core.state().tombstones().has(B)).isTrue();
        assertThat(published())
                .filteredOn(ClusterEvent.MemberRemoved.class::isInstance)
                .extracting(event -> ((ClusterEvent.MemberRemoved) event).previousStatus())
                .containsExactly(DOWN);
        assertThat(effects.list()).contains(new Effect.QuarantinePeer(B, "it was declared down and removed"));
        assertThat(effects.list())
                .anyMatch(effect -> effect instanceof Effect.SendMessage send
                        && send.to().equals(B.address())
                        && send.message() instanceof GossipState);
    }

    @Test
    void whoIsDeclaredDownHearsItFirstHand() {
        welcomed(ofTwo().up("c"));
        effects.clear();
        give(new Command.Down(address("c")));

        assertThat(effects.list()).contains(send(C, new GossipState(C, core.state())));
    }

    @Test
    void tombstonesCarryTheWallClockOfTheRemover() {
        give(new Command.JoinTo(address("a")));
        now = 3 * SECOND / 1_000;
        handle(new Input.WallClockRead(1_700_000_000_003L));
        hears(B, JOIN);
        now = 10 * SECOND / 1_000;
        give(new Command.Down(address("b")));

        assertThat(core.state().tombstones().stampMillisOf(B)).isEqualTo(1_700_000_000_010L);
    }

    @Test
    void anotherIncarnationAtMyOwnAddressIsDeclaredDown() {
        NodeId twin = node("a", 99);
        welcomed();
        hears(
                B,
                new GossipState(
                        SELF,
                        ofTwo().with(member(twin, UP))
                                .version("b", 2)
                                .seenBy("b")
                                .build()));

        assertThat(core.state().members().statusOf(twin)).isEqualTo(DOWN);
        assertThat(core.state().members().statusOf(SELF)).isEqualTo(UP);
    }

    @Test
    void aLongPauseIsNoticedAndAShortOneIsNot() {
        welcomed();
        effects.clear();
        long due = core.nextWakeUpNanos();
        now = due + 1_500_000_000L;
        handle(new Input.TimePassed());
        assertThat(published()).noneMatch(e -> e instanceof ClusterEvent.LocalPauseNoticed);

        due = core.nextWakeUpNanos();
        now = due + 1_500_000_001L;
        handle(new Input.TimePassed());
        assertThat(published()).contains(new ClusterEvent.LocalPauseNoticed(1_500_000_001L));
        assertThat(core.snapshot().accusesNobodyUntilNanos()).isEqualTo(now + 3 * SECOND);
    }

    /** Whatever is due is done with the next input, whichever that is: who gets one after the other was not asleep. */
    @Test
    void whoIsBusyIsNotAsleep() {
        welcomed();
        hears(B, new GossipState(SELF, ofTwo().version("b", 3).seenBy("b").build()));
        effects.clear();
        for (int i = 0; i < 100; i++) {
            now += SECOND / 10;
            hears(B, new Heartbeat(i, now));
            assertThat(core.nextWakeUpNanos()).isGreaterThan(now);
        }

        assertThat(published()).noneMatch(e -> e instanceof ClusterEvent.LocalPauseNoticed);
    }

    @Test
    void aPauseAsLongAsTombstonesAreKeptStopsTheNode() {
        welcomed();
        long retention = Duration.ofHours(24).toNanos();
        now = core.nextWakeUpNanos() + retention;
        handle(new Input.TimePassed());

        assertStopped("this node was held up for longer than removed nodes are remembered; restart it");
    }

    @Test
    void aSignOfAnotherClusterIsPassedToTheIslandWatch() {
        give(new Command.JoinTo(address("a")));
        hears(C, new JoinMessage.SeedContact(JoinConfiguration.UNKNOWN, true));
        hears(C, new JoinMessage.SeedContact(JoinConfiguration.UNKNOWN, false));
        now += 6 * SECOND;
        hears(C, new JoinMessage.SeedContact(JoinConfiguration.UNKNOWN, false));
        assertThat(published()).noneMatch(e -> e instanceof ClusterEvent.IslandSuspected);
        hears(C, new JoinMessage.SeedWelcomes(List.of()));
        assertThat(published()).anyMatch(e -> e instanceof ClusterEvent.IslandSuspected);
    }

    @Test
    void foldingTheEventsGivesTheState() {
        welcomed();
        hears(
                B,
                new GossipState(
                        SELF,
                        ofTwo().joining("c")
                                .down("d")
                                .version("b", 2)
                                .seenBy("b")
                                .build()));
        hears(
                B,
                new GossipState(
                        SELF,
                        ofTwo().up("c").removed("d").version("b", 3).seenBy("b").build()));

        TreeMap<NodeId, Member> folded = new TreeMap<>();
        for (ClusterEvent event : published()) {
            if (event instanceof ClusterEvent.MemberRemoved removed) {
                assertThat(folded.remove(removed.member().id())).isNotNull();
            } else if (event instanceof ClusterEvent.MemberEvent change) {
                folded.put(change.member().id(), change.member());
            }
        }
        assertThat(folded.values()).containsExactlyElementsOf(core.state().members());
    }

    // ---- Saying it shortly.

    /** Up: a and b, as b tells it. */
    private static StateBuilder ofTwo() {
        return aState().with(UP, "a", "b").version("b", 1);
    }

    private void welcomed() {
        welcomed(ofTwo());
    }

    private void welcomed(StateBuilder state) {
        give(new Command.JoinTo(address("b")));
        hears(B, new JoinMessage.SeedWelcomes(List.of()));
        hears(B, new JoinMessage.Welcome(SELF, state.seenBy("b").build()));
    }

    private void refuses(NodeId from, CoreMessage message, Refusal refusal) {
        long already = core.snapshot().refusals().getOrDefault(refusal, 0L);
        refuses(from, message, refusal, already + 1);
    }

    private void refuses(NodeId from, CoreMessage message, Refusal refusal, long times) {
        ClusterState before = core.state();
        effects.clear();
        hears(from, message);

        assertThat(core.state()).isSameAs(before);
        assertRefused(refusal, times);
        assertThat(published())
                .anyMatch(e -> e instanceof ClusterEvent.MessageRefused refused
                        && refused.from().equals(from)
                        && refused.refusal() == refusal);
    }

    private void assertRefused(Refusal refusal, long times) {
        assertThat(core.snapshot().refusals()).containsEntry(refusal, times);
    }

    private void assertStopped(String reason) {
        assertThat(core.snapshot().phase()).isEqualTo(Phase.STOPPED);
        assertThat(effects.list()).last().isEqualTo(new Effect.StopNode(reason));
    }

    private void give(Command command) {
        handle(new Input.CommandGiven(command));
    }

    private void hears(NodeId from, CoreMessage message) {
        handle(received(from, message));
    }

    private Input received(NodeId from, CoreMessage message) {
        return new Input.MessageReceived(from, message, now);
    }

    private void handle(Input input) {
        core.handle(input, now, effects);
    }

    private List<ClusterEvent> published() {
        return effects.list().stream()
                .filter(Effect.PublishEvent.class::isInstance)
                .map(effect -> ((Effect.PublishEvent) effect).event())
                .toList();
    }

    private static Effect send(NodeId to, CoreMessage message) {
        return new Effect.SendMessage(to.address(), message);
    }
}
