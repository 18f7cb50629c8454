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
import org.junit.jupiter.api.Test;

class StandingTest {
    private static final long SECOND = 1_000_000_000L;

    private final ClusterState three = aState().up("a", "b", "c").seenByAll().build();
    private final Effects effects = new Effects();
    private final Standing standing = new Standing(node("a"), DowningSettings.defaults(), ClusterRules.STANDARD);

    private boolean holdsAt(ClusterState state, long nowNanos) {
        effects.clear();
        standing.follow(state, nowNanos, effects);
        for (Effect effect : effects.list()) {
            assertThat(effect).isEqualTo(new Effect.HoldInstances(standing.isHeld(), reasonOf(effect)));
        }
        return standing.isHeld();
    }

    private static String reasonOf(Effect effect) {
        return ((Effect.HoldInstances) effect).reason();
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
        assertThat(standing.toAsk(three, nodes("b"))).isEqualTo(nodes("b"));
        standing.onReply(three, node("b"), new HeartbeatReply(1, 4 * SECOND));
        assertThat(holdsAt(three, 4 * SECOND)).isFalse();
    }

    @Test
    void whoSleptHoldsBackUntilSomebodyAnswersWhatHeAskedSince() {
        standing.wasHeldUp(5 * SECOND);
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
        standing.wasHeldUp(SECOND);
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
        standing.wasHeldUp(SECOND);
        assertThat(trusted.isReachable(node("b"))).isTrue();
        assertThat(standing.toAsk(down, nodes("b", "c"))).isEqualTo(nodes("c"));
        assertThat(standing.toAsk(trusted, nodes("b", "c"))).isEqualTo(nodes("c"));
    }
}
