package dev.muster.core.gossip;

import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.GossipMessage.GossipState;
import dev.muster.core.exchange.GossipMessage.GossipStatus;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.StateMerge;
import dev.muster.core.state.VectorClock.Relation;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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
    private final Set<NodeId> toAnswer = new TreeSet<>(); // who lacks something and was not told so far

    public GossipProtocol(
            NodeId self, GossipSettings settings, MergeRule mergeRule, RandomGenerator random, long nowNanos) {
        this.self = self;
        this.mergeRule = mergeRule;
        this.targets = new GossipTargets(self, settings, random);
        this.pace = new GossipPace(settings, nowNanos, random.nextDouble());
    }

    /** A full state came in and passed the checks. */
    public ClusterState onState(ClusterState mine, NodeId from, ClusterState received, long nowNanos) {
        StateMerge.Result result = mergeRule.merge(mine, received, self);
        ClusterState next = result.state();
        boolean senderLacksSomething = switch (result.outcome()) {
            // Not more than that: two who answer whatever the other may not know yet would never come to an end.
            case SAME, TOOK_THEIRS -> !received.isSeenBy(self);
            case KEPT_MINE, MERGED -> true;
        };
        if (!senderLacksSomething) {
            toAnswer.remove(from);
        } else {
            toAnswer.add(from);
            pace.newsCameIn(nowNanos);
        }
        return next;
    }

    /**
     * Two halves of a seen set have met here and are a whole. The leader waits for that and may hear of it only with
     * the next round, or after several; whoever put them together tells it at once, whatever has been answered before.
     * Those that are told the whole have nothing to report, so these are few. Not at the pace of rounds alone.
     */
    public void reportConvergence(ClusterState mine, NodeId leader, Effects effects) {
        if (pace.isFasterThanRounds()) {
            toAnswer.remove(leader);
            sendState(mine, leader, effects);
        }
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
        if (!pace.isNewsDue(nowNanos)) {
            return;
        }
        answerTheWaiting(state, nowNanos, effects);
        while (toSpread > 0 && pace.takeFromAllowance(state, nowNanos)) {
            Optional<NodeId> peer = isMyOwn ? targets.chooseUnseen(state) : targets.chooseToForward(state);
            peer.ifPresent(to -> {
                targets.hasBeenTold(to);
                sendState(state, to, effects);
            });
            toSpread = peer.isPresent() ? toSpread - 1 : 0;
            setMyOwn(isMyOwn && toSpread > 0);
        }
        targets.forgetTold();
        pace.newsIsTold(toSpread > 0, state, nowNanos);
    }

    /** An answer is news to who gets it; so much less has to be passed on to others. */
    private void answerTheWaiting(ClusterState state, long nowNanos, Effects effects) {
        for (NodeId peer : toAnswer) {
            if (targets.mayBeTold(state, peer) && pace.mayAnswer(nowNanos)) {
                targets.hasBeenTold(peer);
                sendState(state, peer, effects);
                toSpread = isMyOwn ? toSpread : Math.max(0, toSpread - 1);
            }
        }
        toAnswer.clear();
    }

    /** This node changed the state: everybody should hear, as far as the allowance reaches. */
    public void newsOfMyOwn(ClusterState state, boolean mayWait, long nowNanos) {
        toSpread = Math.max(toSpread, state.members().size() - 1);
        setMyOwn(true);
        noteNews(mayWait, nowNanos);
    }

    private void setMyOwn(boolean next) {
        isMyOwn = next;
        pace.setOwnNews(next);
    }

    /** This node learned something: pass it on to a few. */
    public void newsFromOthers(boolean mayWait, long nowNanos) {
        toSpread = Math.max(toSpread, FORWARD_TO);
        noteNews(mayWait, nowNanos);
    }

    private void noteNews(boolean mayWait, long nowNanos) {
        if (mayWait) {
            pace.newsCameIn(nowNanos);
        } else {
            pace.newsIsUrgent(nowNanos);
        }
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

    /** Whoever holds another state answers, and so does whoever does not know this node. */
    public void sendStatus(ClusterState state, NodeId to, Effects effects) {
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
        if (toAnswer.isEmpty() && toSpread == 0) {
            return round;
        }
        return Math.min(round, pace.newsDueNanos());
    }
}
