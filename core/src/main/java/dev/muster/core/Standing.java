package dev.muster.core;

import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.HeartbeatMessage.HeartbeatReply;
import dev.muster.core.membership.DowningDecision;
import dev.muster.core.membership.DowningSettings;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
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
 * first, and the heartbeat afterwards. An answer to such a heartbeat that comes without bad news is good news.
 *
 * <p>One answer is not enough: two who slept on one machine, and were both removed, would vouch for each other. At
 * least half of those who were asked have to answer, and so many that this side would not have to go if the others were
 * lost. In a small cluster all are asked, in a large one those who get heartbeats anyway.
 *
 * <p>Only those who were members when the doubt began can tell what became of it. Whoever was let in since knows what
 * this node has told it, and nothing of what others have decided. If a witness goes before anybody has spoken, it may
 * have taken over what is held here, and it is waited for like any host that is lost.
 */
final class Standing {
    /** Each time that the picture changes the others have to be heard anew, which takes as long as gossip does. */
    static final long GRACE_NANOS = 1_000_000_000L;

    /** How many are asked at the most although they would get no heartbeat otherwise. */
    private static final int MOST_ASKED = 32;

    private static final long NEVER = Long.MAX_VALUE;
    private static final long NEVER_YET = Long.MIN_VALUE;

    private final NodeId self;
    private final DowningSettings settings;
    private final ClusterRules rules;
    private final long marginNanos;
    private ClusterState judged;
    private boolean isDown;
    private long wouldGoSinceNanos = NEVER;
    private boolean sleptUnnoticed;
    private long wokeNanos;
    private final Set<NodeId> asked = new TreeSet<>();
    private final Set<NodeId> heard = new TreeSet<>();
    private boolean hasNewsOfWitnesses;
    /** The other members when the doubt began, as far as they have not gone since. */
    private final Set<NodeId> witnesses = new TreeSet<>();
    /** Until when witnesses that have gone may be at work. */
    private long goneUntilNanos = NEVER_YET;

    private boolean isHeld;
    private Optional<String> whyHeld = Optional.empty();

    /** @param marginNanos how long a lost host is waited for */
    Standing(NodeId self, DowningSettings settings, long marginNanos, ClusterRules rules) {
        this.self = self;
        this.settings = settings;
        this.marginNanos = marginNanos;
        this.rules = rules;
    }

    /** This process was held up, for so long that the others may have noticed. */
    void wasHeldUp(ClusterState state, long nowNanos) {
        if (!isInDoubt() || witnesses.isEmpty()) {
            begin(state);
        }
        sleptUnnoticed = !witnesses.isEmpty();
        wokeNanos = nowNanos;
        asked.clear();
        heard.clear();
    }

    private boolean isInDoubt() {
        return sleptUnnoticed || wouldGoSinceNanos != NEVER;
    }

    private void begin(ClusterState state) {
        witnesses.clear();
        state.members().stream().map(Member::id).filter(it -> !it.equals(self)).forEach(witnesses::add);
    }

    /**
     * Who is to be told now what this node holds, and to get a heartbeat then: all who can tell something and have not,
     * if these are not too many; otherwise those who get one anyway, or if nobody of them can, some who can.
     */
    List<NodeId> toAsk(ClusterState state, List<NodeId> targets) {
        if (!sleptUnnoticed) {
            return List.of();
        }
        List<NodeId> able = witnesses.stream()
                .filter(it -> !heard.contains(it) && isInTouch(state, it))
                .toList();
        boolean areFew = witnesses.size() <= MOST_ASKED;
        List<NodeId> watched =
                areFew ? able : able.stream().filter(targets::contains).toList();
        List<NodeId> chosen = watched.isEmpty() && heard.isEmpty()
                ? able.stream().limit(MOST_ASKED).toList()
                : watched;
        asked.addAll(chosen);
        return chosen;
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
            hasNewsOfWitnesses |= heard.add(from);
        }
    }

    /** Whether so many have answered that it would not matter if nobody else did. */
    private boolean isVouchedFor(ClusterState state) {
        if (heard.isEmpty() || 2 * heard.size() < asked.size()) {
            return false;
        }
        Set<NodeId> silent = new TreeSet<>(asked);
        silent.removeAll(heard);
        Reachability pessimistic = state.reachability();
        for (NodeId lost : silent) {
            pessimistic = pessimistic.marked(self, lost, ReachabilityStatus.UNREACHABLE);
        }
        ClusterState supposed = state.withReachability(self, pessimistic);
        for (Member member : state.members()) {
            supposed = silent.contains(member.id()) ? supposed : supposed.seenBy(member.id());
        }
        return !wouldGo(supposed);
    }

    void follow(ClusterState state, long nowNanos, Effects effects) {
        if (state != judged) {
            noteGone(state, nowNanos);
            judge(state, nowNanos);
            judged = state;
            hasNewsOfWitnesses = true;
        }
        if (hasNewsOfWitnesses) {
            hasNewsOfWitnesses = false;
            sleptUnnoticed = sleptUnnoticed && !isVouchedFor(state);
        }
        if (nowNanos >= goneUntilNanos) {
            goneUntilNanos = NEVER_YET;
        }
        whyHeld = reason(nowNanos);
        if (whyHeld.isPresent() != isHeld) {
            isHeld = whyHeld.isPresent();
            effects.add(new Effect.HoldInstances(isHeld, whyHeld.orElse("")));
        }
    }

    private Optional<String> reason(long nowNanos) {
        if (isDown || wouldGoSinceNanos != NEVER && nowNanos - wouldGoSinceNanos >= GRACE_NANOS) {
            return Optional.of("members cannot be reached, and this side would have to go");
        }
        if (sleptUnnoticed) {
            return Optional.of("this process was held up, and too few have spoken to it since");
        }
        return goneUntilNanos == NEVER_YET
                ? Optional.empty()
                : Optional.of(
                        "members have gone that may have taken over while this node was out of touch, so it waits "
                                + "for the down-removal-margin");
    }

    /** Who went in good order has handed over what it had. */
    private void noteGone(ClusterState state, long nowNanos) {
        List<NodeId> gone =
                witnesses.stream().filter(it -> !state.members().has(it)).toList();
        boolean mayBeAtWork =
                gone.stream().anyMatch(it -> judged == null || judged.members().statusOf(it) != MemberStatus.EXITING);
        if (mayBeAtWork && (isHeld || sleptUnnoticed)) {
            goneUntilNanos = nowNanos + marginNanos;
        }
        asked.removeAll(gone);
        heard.removeAll(gone);
        if (witnesses.removeAll(gone) && witnesses.isEmpty()) {
            sleptUnnoticed = false; // nobody is left who could speak
        }
    }

    private void judge(ClusterState state, long nowNanos) {
        isDown = state.members().statusOf(self) == MemberStatus.DOWN;
        boolean wasInDoubt = isHeld && wouldGoSinceNanos != NEVER;
        boolean wouldGo = wouldGo(state);
        if (wouldGo && !isInDoubt()) {
            begin(state);
        }
        if (!wouldGo && wasInDoubt) {
            wasHeldUp(state, nowNanos); // they are in touch again, but may have decided meanwhile
        }
        wouldGoSinceNanos = !wouldGo ? NEVER : Math.min(wouldGoSinceNanos, nowNanos);
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
        if (isHeld) {
            return goneUntilNanos == NEVER_YET ? NEVER : goneUntilNanos;
        }
        return wouldGoSinceNanos == NEVER ? NEVER : wouldGoSinceNanos + GRACE_NANOS;
    }

    /** Why instances that must be alone do nothing here, as of the last look; empty if they may act. */
    Optional<String> whyHeld() {
        return whyHeld;
    }
}
