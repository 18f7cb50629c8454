package dev.muster.core;

import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.HeartbeatMessage.HeartbeatReply;
import dev.muster.core.membership.DowningDecision;
import dev.muster.core.membership.DowningSettings;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether this node may count on being a member in the eyes of the others. As long as it may not, instances that must
 * be alone do nothing here: the others may have decided without it, and started them elsewhere.
 *
 * <p>There are two reasons for doubt. Members cannot be reached, and if it were decided now, this side would have to
 * go; or that was so, and nobody has said since that he still knows this node. Or this process was held up, and nobody
 * has said so since.
 *
 * <p>What was on its way while the process stood still proves nothing: it may be older than the decision. So the others
 * are asked. Before each heartbeat goes out a status, on the same stream: whoever has removed this node answers that
 * first, and the heartbeat afterwards. The first answer to such a heartbeat that comes without bad news is good news.
 */
final class Standing {
    /** Each time that the picture changes the others have to be heard anew, which takes as long as gossip does. */
    static final long GRACE_NANOS = 1_000_000_000L;

    private static final long NEVER = Long.MAX_VALUE;

    private final NodeId self;
    private final DowningSettings settings;
    private final ClusterRules rules;
    private ClusterState judged;
    private boolean isDown;
    private long wouldGoSinceNanos = NEVER;
    private boolean sleptUnnoticed;
    private long wokeNanos;
    private final Set<NodeId> asked = new TreeSet<>();
    private boolean isHeld;

    Standing(NodeId self, DowningSettings settings, ClusterRules rules) {
        this.self = self;
        this.settings = settings;
        this.rules = rules;
    }

    /** This process was held up, for so long that the others may have noticed. */
    void wasHeldUp(long nowNanos) {
        sleptUnnoticed = true;
        wokeNanos = nowNanos;
        asked.clear();
    }

    /** Who of those that get a heartbeat now is to be told first what this node holds. */
    List<NodeId> toAsk(ClusterState state, List<NodeId> targets) {
        if (!sleptUnnoticed) {
            return List.of();
        }
        List<NodeId> reachable =
                targets.stream().filter(it -> isInTouch(state, it)).toList();
        asked.addAll(reachable);
        return reachable;
    }

    /** Who is down himself is no trusted observer, but still exchanges nothing with whom he cannot reach. */
    private boolean isInTouch(ClusterState state, NodeId peer) {
        return state.isReachable(peer) && state.reachability().statusOf(self, peer) == ReachabilityStatus.REACHABLE;
    }

    void onReply(ClusterState state, NodeId from, HeartbeatReply reply) {
        // Bad news of somebody whom this node has given up since would have been refused, so he is no witness.
        boolean wasAsked = asked.contains(from)
                && reply.sentAtNanos() >= wokeNanos
                && state.members().has(from)
                && isInTouch(state, from);
        if (wasAsked && state.members().statusOf(from) != MemberStatus.DOWN) {
            sleptUnnoticed = false;
        }
    }

    void follow(ClusterState state, long nowNanos, Effects effects) {
        if (state != judged) {
            judged = state;
            isDown = state.members().statusOf(self) == MemberStatus.DOWN;
            boolean wasInDoubt = isHeld && wouldGoSinceNanos != NEVER;
            wouldGoSinceNanos = !wouldGo(state) ? NEVER : Math.min(wouldGoSinceNanos, nowNanos);
            if (wasInDoubt && wouldGoSinceNanos == NEVER) {
                wasHeldUp(nowNanos); // they are in touch again, but may have decided meanwhile
            }
        }
        boolean isAlone = state.members().size() <= 1;
        boolean wouldGo = isDown || wouldGoSinceNanos != NEVER && nowNanos - wouldGoSinceNanos >= GRACE_NANOS;
        boolean next = wouldGo || sleptUnnoticed && !isAlone;
        if (next != isHeld) {
            isHeld = next;
            effects.add(new Effect.HoldInstances(
                    next,
                    !next
                            ? ""
                            : wouldGo
                                    ? "members cannot be reached, and this side would have to go"
                                    : "this process was held up, and nobody has spoken to it since"));
        }
    }

    private boolean wouldGo(ClusterState state) {
        // Who is down has no say in what else is.
        if (isDown || state.reachability().isAllReachable()) {
            return false;
        }
        // Whoever was not heard yet counts as lost: to hold back for a moment too long does no harm.
        Optional<DowningDecision> decision = rules.decideDowning(state.seenBy(self), settings, true);
        return decision.filter(it -> it.down().contains(self)).isPresent();
    }

    /** When it has to be looked again although nothing happens. */
    long nextWakeUpNanos() {
        return isHeld || wouldGoSinceNanos == NEVER ? NEVER : wouldGoSinceNanos + GRACE_NANOS;
    }

    boolean isHeld() {
        return isHeld;
    }
}
