package dev.muster.core.gossip;

import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.GossipMessage.GossipState;
import dev.muster.core.exchange.GossipMessage.GossipStatus;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.StateMerge;
import dev.muster.core.state.VectorClock.Relation;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How state spreads: like rumours in an office. Now and then everybody tells somebody what is new; whoever already
 * knows more tells back; and whoever learns something new does not keep it to himself until the next coffee break.
 *
 * <p>A status (version and seen digest) goes to peers that have seen the version, the full state to those that have
 * not. A received state is merged and answered when the other side lacks something. Specification: "Gossip Protocol".
 */
public final class GossipProtocol {
    /** How far news that came from somebody else is passed on at once; the author itself tells all it may. */
    private static final int FORWARD_TO = 2;

    /** The merge, exchangeable so that tests can show what a wrong one does. */
    @FunctionalInterface
    public interface MergeRule {
        StateMerge.Result merge(ClusterState mine, ClusterState theirs, NodeId self);
    }

    private final NodeId self;
    private final MergeRule mergeRule;
    private final GossipTargets targets;
    private final GossipPace pace;
    private int toSpread; // how many peers should still hear the news
    private boolean isMyOwn; // whether some of the news is of this node's making
    private boolean moreFollows;

    public GossipProtocol(
            NodeId self, GossipSettings settings, MergeRule mergeRule, RandomGenerator random, long nowNanos) {
        this.self = self;
        this.mergeRule = mergeRule;
        this.targets = new GossipTargets(self, settings, random);
        this.pace = new GossipPace(settings, nowNanos, random.nextDouble());
    }

    /** A full state came in and passed the checks. */
    public ClusterState onState(ClusterState mine, NodeId from, ClusterState received, long nowNanos, Effects effects) {
        StateMerge.Result result = mergeRule.merge(mine, received, self);
        ClusterState next = result.state();
        boolean senderLacksSomething = switch (result.outcome()) {
            // Not more than that: two who answer whatever the other may not know yet would never come to an end.
            case SAME, TOOK_THEIRS -> !received.isSeenBy(self);
            case KEPT_MINE, MERGED -> true;
        };
        if (senderLacksSomething && pace.mayAnswer(nowNanos)) {
            sendState(next, from, effects);
        }
        return next;
    }

    /** Only a version came in: send what the other lacks, or ask for what this node lacks. */
    public void onStatus(ClusterState mine, NodeId from, GossipStatus status, Effects effects) {
        Relation relation = mine.version().relationTo(status.version());
        if (relation == Relation.BEFORE) {
            sendStatus(mine, from, effects);
        } else if (relation != Relation.SAME || !mine.seenDigest().matches(status.seenDigest())) {
            sendState(mine, from, effects);
        }
    }

    /** Runs a round when one is due, and spreads news as far as the allowance reaches. */
    public void tick(ClusterState state, boolean converged, long nowNanos, Effects effects) {
        if (pace.isRoundDue(state, nowNanos)) {
            pace.roundDone(nowNanos);
            targets.choose(state, converged).ifPresent(peer -> sendWhatFits(state, peer, effects));
        }
        while (toSpread > 0 && !moreFollows && pace.takeFromAllowance(state, nowNanos)) {
            Optional<NodeId> peer = isMyOwn ? targets.chooseUnseen(state) : targets.chooseToForward(state);
            peer.ifPresent(to -> {
                targets.hasBeenTold(to);
                sendState(state, to, effects);
            });
            toSpread = peer.isPresent() ? toSpread - 1 : 0;
            setMyOwn(isMyOwn && toSpread > 0);
        }
        targets.forgetTold();
    }

    /** Whether more is about to come in: news is then told together with that, in one message instead of several. */
    public void expect(boolean more) {
        moreFollows = more;
    }

    /** This node changed the state: everybody should hear, as far as the allowance reaches. */
    public void newsOfMyOwn(ClusterState state) {
        toSpread = Math.max(toSpread, state.members().size() - 1);
        setMyOwn(true);
    }

    private void setMyOwn(boolean next) {
        isMyOwn = next;
        pace.setOwnNews(next);
    }

    /** This node learned something: pass it on to a few. */
    public void newsFromOthers() {
        toSpread = Math.max(toSpread, FORWARD_TO);
    }

    /** Tells several peers before this node falls silent for good. */
    public void sayGoodbye(ClusterState state, int peers, Effects effects) {
        for (int i = 0; i < peers; i++) {
            targets.choose(state, true).ifPresent(peer -> sendState(state, peer, effects));
        }
    }

    public void sendState(ClusterState state, NodeId to, Effects effects) {
        effects.send(to.address(), new GossipState(to, state));
    }

    private void sendStatus(ClusterState state, NodeId to, Effects effects) {
        effects.send(to.address(), new GossipStatus(to, state.version(), state.seenDigest()));
    }

    private void sendWhatFits(ClusterState state, NodeId to, Effects effects) {
        if (state.isSeenBy(to)) {
            sendStatus(state, to, effects);
        } else {
            sendState(state, to, effects);
        }
    }

    public long nextWakeUpNanos(ClusterState state) {
        long round = pace.nextRoundNanos(state);
        return toSpread > 0 ? Math.min(round, pace.nextAllowanceNanos(state)) : round;
    }
}
