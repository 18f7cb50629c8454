package dev.muster.core;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;

/**
 * Whether the others know this node as a member at all. Whoever let it in may have gone down before telling anybody; it
 * then waits for something that will never come.
 *
 * <p>That a member does not know it may be because news is slow. But if it goes on, and nobody says otherwise, then it
 * is none. A newcomer takes only the word of those who are up or were: other newcomers may have come in the same way,
 * and those who know nothing but each other would wait together for ever.
 */
final class Recognition {
    /** How long members may not know this node before it concludes that it is none. */
    private static final long LONGEST_UNKNOWN_NANOS = 15_000_000_000L;

    private static final long NEVER = Long.MAX_VALUE;

    private final NodeId self;
    private long unknownSinceNanos = NEVER;

    Recognition(NodeId self) {
        this.self = self;
    }

    /** A member has shown, by this state, that it knows this node. */
    void onKnown(ClusterState state, NodeId from) {
        boolean isWordOfANewcomer = state.members().statusOf(from).isNotYetUp();
        if (!isWordOfANewcomer || !state.members().statusOf(self).isNotYetUp()) {
            unknownSinceNanos = NEVER;
        }
    }

    /** A member has shown that it does not know this node. True when that is so for too long. */
    boolean isLostAfterUnknown(long nowNanos) {
        if (unknownSinceNanos == NEVER) {
            unknownSinceNanos = nowNanos;
        }
        return nowNanos - unknownSinceNanos >= LONGEST_UNKNOWN_NANOS;
    }
}
