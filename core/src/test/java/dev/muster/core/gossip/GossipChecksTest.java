package dev.muster.core.gossip;

import static dev.muster.core.Nodes.member;
import static dev.muster.core.Nodes.node;
import static dev.muster.core.Nodes.withRoles;
import static dev.muster.core.StateBuilder.aState;
import static dev.muster.core.state.MemberStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.StateBuilder;
import dev.muster.core.exchange.Refusal;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class GossipChecksTest {
    private static final NodeId SELF = node("a");
    private static final NodeId B = node("b");
    private static final long GREATEST_LEAP = 1L << 32;

    @Test
    void gossipForAnotherIncarnationIsNotForMe() {
        ClusterState mine = aState().up("a", "b").build();

        assertThat(GossipChecks.refuseSender(mine, SELF, B, SELF)).isEmpty();
        assertThat(GossipChecks.refuseSender(mine, SELF, B, node("a", 99))).contains(Refusal.NOT_FOR_ME);
        assertThat(GossipChecks.refuseSender(mine, SELF, B, B)).contains(Refusal.NOT_FOR_ME);
    }

    @Test
    void onlyMembersAreListenedTo() {
        ClusterState mine = aState().up("a", "b").removed("c").build();

        assertThat(GossipChecks.refuseSender(mine, SELF, node("c"), SELF)).contains(Refusal.FROM_NON_MEMBER);
        assertThat(GossipChecks.refuseSender(mine, SELF, node("b", 99), SELF)).contains(Refusal.FROM_NON_MEMBER);
    }

    @ParameterizedTest
    @EnumSource(
            value = ReachabilityStatus.class,
            names = {"UNREACHABLE", "TERMINATED"})
    void whomIHoldUnreachableMyselfIsNotListenedTo(ReachabilityStatus word) {
        assertThat(GossipChecks.refuseSender(
                        aState().up("a", "b").says("a", "b", word).build(), SELF, B, SELF))
                .contains(Refusal.FROM_UNREACHABLE);
    }

    @Test
    void whomOnlyOthersHoldUnreachableIsListenedTo() {
        assertThat(GossipChecks.refuseSender(
                        aState().up("a", "b", "c").unreachable("c", "b").build(), SELF, B, SELF))
                .isEmpty();
    }

    @Test
    void whoIsDownIsNotListenedTo() {
        assertThat(GossipChecks.refuseSender(aState().up("a").down("b").build(), SELF, B, SELF))
                .contains(Refusal.FROM_UNREACHABLE);
    }

    @Test
    void aStateWithoutMeIsRefused() {
        assertThat(check(aState().up("a"), aState().up("b"))).isEqualTo("WITHOUT_ME");
        assertThat(check(aState().up("a"), aState().with(member(node("a", 99), UP))))
                .isEqualTo("WITHOUT_ME");
    }

    @ParameterizedTest
    @CsvSource({"3, 3, taken", "3, 2, taken", "3, 4, CLAIMS_MY_CHANGES", "0, 1, CLAIMS_MY_CHANGES"})
    void nobodyElseCountsUpMyEntryInTheClock(long mine, long theirs, String outcome) {
        StateBuilder ours = aState().up("a", "b");
        assertThat(check(
                        mine == 0 ? ours : ours.version("a", mine),
                        aState().up("a", "b").version("a", theirs)))
                .isEqualTo(outcome);
    }

    @Test
    void nobodyElseWritesMyRowOfTheReachability() {
        assertThat(check(aState().up("a", "b"), aState().up("a", "b").unreachable("a", "b")))
                .isEqualTo("CLAIMS_MY_CHANGES");
        assertThat(check(
                        aState().up("a", "b").unreachable("a", "b"),
                        aState().up("a", "b").unreachable("a", "b")))
                .isEqualTo("taken");
        assertThat(check(aState().up("a", "b"), aState().up("a", "b").unreachable("b", "a")))
                .isEqualTo("taken");
    }

    @Test
    void aClockThatLeapsAbsurdlyFarAheadIsForged() {
        assertThat(check(aState().up("a", "b"), aState().up("a", "b").version("b", GREATEST_LEAP)))
                .isEqualTo("taken");
        assertThat(check(aState().up("a", "b"), aState().up("a", "b").version("b", GREATEST_LEAP + 1)))
                .isEqualTo("CLOCK_OUT_OF_RANGE");
        assertThat(check(
                        aState().up("a", "b").version("b", 5),
                        aState().up("a", "b").version("b", GREATEST_LEAP + 5)))
                .isEqualTo("taken");
        assertThat(check(aState().up("a", "b"), aState().up("a", "b").version("b", Long.MAX_VALUE)))
                .isEqualTo("CLOCK_OUT_OF_RANGE");
    }

    @Test
    void aMemberOfAnotherSystemSpoilsTheWholeState() {
        NodeId foreign = new NodeId(new NodeAddress("muster", "other", "x", 1), 1);
        NodeId otherProtocol = new NodeId(new NodeAddress("pekko", "test", "x", 1), 1);

        assertThat(check(aState().up("a"), aState().up("a").with(member(foreign, UP))))
                .isEqualTo("OTHER_SYSTEM");
        assertThat(check(aState().up("a"), aState().up("a").with(member(otherProtocol, UP))))
                .isEqualTo("OTHER_SYSTEM");
    }

    @Test
    void aMemberOfAnotherDataCenterSpoilsTheWholeState() {
        assertThat(check(aState().up("a"), aState().up("a").with(withRoles(member("b", UP), "dc-x"))))
                .isEqualTo("OTHER_DATA_CENTER");
        assertThat(check(
                        aState().up("a"),
                        aState().with(withRoles(member("a", UP), "dc-x")).with(withRoles(member("b", UP), "dc-x"))))
                .isEqualTo("taken");
    }

    private static String check(StateBuilder mine, StateBuilder received) {
        return GossipChecks.refuseContent(mine.build(), SELF, received.build())
                .map(Refusal::name)
                .orElse("taken");
    }
}
