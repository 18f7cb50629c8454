package dev.muster.core;

import static dev.muster.core.Nodes.node;
import static dev.muster.core.Nodes.nodes;
import static dev.muster.core.StateBuilder.aState;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.HeartbeatMessage.HeartbeatReply;
import dev.muster.core.membership.DowningSettings;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StandingTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MARGIN = 3 * SECOND;

    private final ClusterState three = aState().up("a", "b", "c").seenByAll().build();
    private final Effects effects = new Effects();
    private final Standing standing =
            new Standing(node("a"), DowningSettings.defaults(), MARGIN, ClusterRules.STANDARD);

    private boolean holdsAt(ClusterState state, long nowNanos) {
        effects.clear();
        standing.follow(state, nowNanos, effects);
        for (Effect effect : effects.list()) {
            boolean isHeld = standing.whyHeld().isPresent();
            assertThat(effect)
                    .isEqualTo(
                            new Effect.HoldInstances(isHeld, standing.whyHeld().orElse("")));
        }
        return standing.whyHeld().isPresent();
    }

    @Test
    void whoSeesEverybodyHoldsNothingBack() {
        assertThat(holdsAt(three, SECOND)).isFalse();
        assertThat(standing.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whoWouldHaveToGoHoldsBackAfterAMoment() {
        ClusterState alone = aState().up("a", "b", "c")
                .unreachable("a", "b")
                .unreachable("a", "c")
                .build();
        assertThat(holdsAt(alone, SECOND)).isFalse();
        assertThat(standing.nextWakeUpNanos()).isEqualTo(SECOND + Standing.GRACE_NANOS);
        assertThat(holdsAt(alone, SECOND + Standing.GRACE_NANOS)).isTrue();
        // The others are back, but may have decided in between.
        assertThat(holdsAt(three, 3 * SECOND)).isTrue();
        assertThat(standing.toAsk(three, nodes("b"))).isEqualTo(nodes("b", "c"));
        standing.onReply(three, node("b"), new HeartbeatReply(1, 4 * SECOND));
        assertThat(holdsAt(three, 4 * SECOND)).isFalse();
    }

    @Test
    void whoSleptHoldsBackUntilSomebodyAnswersWhatHeAskedSince() {
        standing.wasHeldUp(three, 5 * SECOND);
        assertThat(holdsAt(three, 5 * SECOND)).isTrue();
        standing.onReply(three, node("b"), new HeartbeatReply(1, 6 * SECOND));
        assertThat(holdsAt(three, 5 * SECOND)).isTrue(); // b was not asked what it knows
        assertThat(standing.toAsk(three, nodes("b", "c"))).isEqualTo(nodes("b", "c"));
        standing.onReply(three, node("b"), new HeartbeatReply(1, 4 * SECOND));
        assertThat(holdsAt(three, 6 * SECOND)).isTrue(); // it was asked before the sleep
        standing.onReply(three, node("b"), new HeartbeatReply(2, 6 * SECOND));
        assertThat(holdsAt(three, 6 * SECOND)).isFalse();
        assertThat(standing.toAsk(three, nodes("b", "c"))).isEmpty();
    }

    @Test
    void whoWasGivenUpSinceIsNoWitness() {
        standing.wasHeldUp(three, SECOND);
        standing.toAsk(three, nodes("b", "c"));
        ClusterState given = aState().up("a", "b", "c").unreachable("a", "b").build();
        standing.onReply(given, node("b"), new HeartbeatReply(1, 2 * SECOND));
        assertThat(holdsAt(three, 2 * SECOND)).isTrue();
        standing.onReply(given, node("c"), new HeartbeatReply(1, 2 * SECOND));
        assertThat(holdsAt(three, 2 * SECOND)).isFalse();
    }

    @Test
    void whoIsDownAsksNobodyWhomHeCannotReach() {
        // Nobody else trusts what "a" says of "b" any more; but "a" itself does.
        ClusterState down = aState().with(MemberStatus.DOWN, "a")
                .up("b", "c")
                .unreachable("a", "b")
                .unreachable("c", "b")
                .build();
        ClusterState trusted = aState().with(MemberStatus.DOWN, "a")
                .up("b", "c")
                .unreachable("a", "b")
                .build();
        standing.wasHeldUp(three, SECOND);
        assertThat(trusted.isReachable(node("b"))).isTrue();
        assertThat(standing.toAsk(down, nodes("b", "c"))).isEqualTo(nodes("c"));
        assertThat(standing.toAsk(trusted, nodes("b", "c"))).isEqualTo(nodes("c"));
    }

    @Test
    void whoCameSinceIsNoWitness() {
        standing.wasHeldUp(three, SECOND);
        ClusterState four = aState().up("a", "b", "c", "d").seenByAll().build();
        assertThat(holdsAt(four, SECOND)).isTrue();
        assertThat(standing.toAsk(four, nodes("b", "d"))).isEqualTo(nodes("b", "c"));
        standing.onReply(four, node("d"), new HeartbeatReply(1, 2 * SECOND));
        assertThat(holdsAt(four, 2 * SECOND)).isTrue();
        standing.onReply(four, node("b"), new HeartbeatReply(1, 2 * SECOND));
        assertThat(holdsAt(four, 2 * SECOND)).isFalse();
    }

    @Test
    void whoCameWhileThisSideWouldHaveToGoIsNoWitnessEither() {
        ClusterState cutOff = aState().up("a", "b", "c")
                .unreachable("a", "b")
                .unreachable("a", "c")
                .build();
        holdsAt(cutOff, SECOND);
        assertThat(holdsAt(cutOff, 3 * SECOND)).isTrue();
        ClusterState joined =
                aState().up("a", "b", "c").joining("d").seenByAll().build();
        assertThat(holdsAt(joined, 4 * SECOND)).isTrue();
        assertThat(standing.toAsk(joined, nodes("b", "d"))).isEqualTo(nodes("b", "c"));
        standing.onReply(joined, node("d"), new HeartbeatReply(1, 5 * SECOND));
        assertThat(holdsAt(joined, 5 * SECOND)).isTrue();
    }

    @Test
    void aWitnessThatGoesIsWaitedForLikeALostHost() {
        ClusterState two = aState().up("a", "b").seenByAll().build();
        standing.wasHeldUp(two, SECOND);
        assertThat(holdsAt(two, SECOND)).isTrue();
        ClusterState alone = aState().up("a").seenByAll().build();
        assertThat(holdsAt(alone, 2 * SECOND)).isTrue();
        assertThat(standing.whyHeld()).get().asString().contains("waits for the down-removal-margin");
        assertThat(standing.nextWakeUpNanos()).isEqualTo(2 * SECOND + MARGIN);
        assertThat(holdsAt(alone, 2 * SECOND + MARGIN - 1)).isTrue();
        assertThat(holdsAt(alone, 2 * SECOND + MARGIN)).isFalse();
        assertThat(standing.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
        // Whoever comes later is somebody to ask about what happens then.
        ClusterState again = aState().up("a", "d").seenByAll().build();
        standing.wasHeldUp(again, 9 * SECOND);
        assertThat(holdsAt(again, 9 * SECOND)).isTrue();
    }

    @Test
    void alsoIfItGoesInTheStepInWhichThisProcessWakes() {
        ClusterState two = aState().up("a", "b").seenByAll().build();
        assertThat(holdsAt(two, SECOND)).isFalse();
        standing.wasHeldUp(two, 9 * SECOND);
        ClusterState replaced = aState().up("a", "d").seenByAll().build();
        assertThat(holdsAt(replaced, 9 * SECOND)).isTrue();
        assertThat(holdsAt(replaced, 9 * SECOND + MARGIN)).isFalse();
    }

    @Test
    void whoWentInGoodOrderIsNotWaitedFor() {
        ClusterState two = aState().up("a").with(MemberStatus.EXITING, "b").build();
        standing.wasHeldUp(two, SECOND);
        assertThat(holdsAt(two, SECOND)).isTrue();
        assertThat(holdsAt(aState().up("a").seenByAll().build(), 2 * SECOND)).isFalse();
    }

    @Test
    void whoIsAloneHasNobodyToWaitFor() {
        ClusterState alone = aState().up("a").seenByAll().build();
        standing.wasHeldUp(alone, SECOND);
        assertThat(holdsAt(alone, SECOND)).isFalse();
    }

    @Test
    void oneAnswerIsNotEnoughWhereTheOthersCouldHaveDecidedWithoutBoth() {
        ClusterState five = aState().up("a", "b", "c", "d", "e").seenByAll().build();
        standing.wasHeldUp(five, SECOND);
        assertThat(standing.toAsk(five, nodes("b"))).isEqualTo(nodes("b", "c", "d", "e"));
        standing.onReply(five, node("b"), new HeartbeatReply(1, 2 * SECOND));
        assertThat(holdsAt(five, 2 * SECOND)).isTrue();
        assertThat(standing.toAsk(five, nodes("b"))).isEqualTo(nodes("c", "d", "e")); // b has spoken
        standing.onReply(five, node("c"), new HeartbeatReply(2, 3 * SECOND));
        assertThat(holdsAt(five, 3 * SECOND)).isFalse();
    }

    @Test
    void whoIsSilentAndGoesIsAskedNoMore() {
        ClusterState five = aState().up("a", "b", "c", "d", "e").seenByAll().build();
        standing.wasHeldUp(five, SECOND);
        standing.toAsk(five, nodes("b"));
        standing.onReply(five, node("b"), new HeartbeatReply(1, 2 * SECOND));
        assertThat(holdsAt(five, 2 * SECOND)).isTrue();
        assertThat(holdsAt(three, 3 * SECOND)).isTrue();
        assertThat(standing.whyHeld()).get().asString().contains("margin"); // b is enough now, but others have gone
        assertThat(holdsAt(three, 3 * SECOND + MARGIN)).isFalse();
    }

    @Test
    void inALargeClusterThoseAreAskedWhoGetHeartbeatsAnyway() {
        String[] names =
                IntStream.range(10, 60).mapToObj(number -> "n" + number).toArray(String[]::new);
        ClusterState many = aState().up("a").up(names).seenByAll().build();
        standing.wasHeldUp(many, SECOND);
        List<NodeId> some = nodes("n10", "n20", "n30", "n40", "n50");
        assertThat(standing.toAsk(many, some)).isEqualTo(some);
        standing.onReply(many, node("n10"), new HeartbeatReply(1, 2 * SECOND));
        standing.onReply(many, node("n20"), new HeartbeatReply(1, 2 * SECOND));
        assertThat(holdsAt(many, 2 * SECOND)).isTrue();
        standing.onReply(many, node("n30"), new HeartbeatReply(1, 2 * SECOND));
        assertThat(holdsAt(many, 2 * SECOND)).isFalse();
    }

    @Test
    void ifNobodyWhoGetsHeartbeatsCanTellOthersAreAsked() {
        String[] names =
                IntStream.range(10, 60).mapToObj(number -> "n" + number).toArray(String[]::new);
        ClusterState many = aState().up("a").up(names).seenByAll().build();
        standing.wasHeldUp(many, SECOND);
        ClusterState joined =
                aState().up("a").up(names).joining("x").seenByAll().build();
        assertThat(standing.toAsk(joined, nodes("x"))).hasSize(32).doesNotContain(node("x"));
    }
}
