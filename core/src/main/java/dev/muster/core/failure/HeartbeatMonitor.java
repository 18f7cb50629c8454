package dev.muster.core.failure;

import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.HeartbeatMessage.Heartbeat;
import dev.muster.core.exchange.HeartbeatMessage.HeartbeatReply;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Sends heartbeats to the nodes this node watches, and turns their silence into words in its row of the reachability.
 *
 * <p>All targets are asked together once per heartbeat interval; a new target is asked at once, and one that has been
 * silent for two intervals is asked again more often. Otherwise nothing happens between two beats, but for the moment
 * at which a node's silence becomes suspicious: it is known in advance and is a wake-up of its own.
 *
 * <p>The core calls {@link #tick} after every input. It compares two references and a time when nothing is due. A reply
 * of a node that we hold unreachable makes it due, so that the word is taken back in the same step. Mutable; owned by
 * the core and its one thread.
 *
 * <p>Specification: "Failure Detector".
 */
public final class HeartbeatMonitor {
    private final NodeId self;
    private final int monitoredByNrOfMembers;
    private final SuspicionRule rule;

    private Members members = Members.NONE;
    private Reachability reachability = Reachability.ALL_REACHABLE;
    private TreeMap<NodeId, WatchedNode> watched = new TreeMap<>();

    private long sequence;
    private long nextHeartbeatNanos;
    private long nextWakeUpNanos = Long.MAX_VALUE;
    private long accusesNobodyUntilNanos;

    public HeartbeatMonitor(NodeId self, FailureSettings settings, long nowNanos) {
        this.self = self;
        this.monitoredByNrOfMembers = settings.monitoredByNrOfMembers();
        this.rule = SuspicionRule.of(settings);
        this.nextHeartbeatNanos = nowNanos;
        this.accusesNobodyUntilNanos = nowNanos;
    }

    /** Watches whom the state says to watch. Costs nothing while members and reachability are the same objects. */
    public void follow(ClusterState state, long nowNanos) {
        if (state.members() == members && state.reachability() == reachability) {
            return;
        }
        members = state.members();
        reachability = state.reachability();
        Optional<ReachabilityRow> ownRow = reachability.rowOf(self);
        TreeMap<NodeId, WatchedNode> next = new TreeMap<>();
        for (NodeId target : MonitorRing.targetsOf(self, members, monitoredByNrOfMembers, unreachableIn(state))) {
            watch(target, ownRow, next);
        }
        // Whoever accused must stay to take it back, whatever the ring says by now.
        if (ownRow.isPresent()) {
            for (ReachabilityRow.Observation record : ownRow.get().records()) {
                if (record.status() == ReachabilityStatus.UNREACHABLE && members.has(record.subject())) {
                    watch(record.subject(), ownRow, next);
                }
            }
        }
        watched = next;
        planWakeUp(nowNanos);
    }

    /** Who is down watches nobody any more, so it must not take the place of somebody who does. */
    private static Predicate<NodeId> unreachableIn(ClusterState state) {
        return id -> !state.isReachable(id) || state.members().statusOf(id) == MemberStatus.DOWN;
    }

    private void watch(NodeId id, Optional<ReachabilityRow> ownRow, TreeMap<NodeId, WatchedNode> next) {
        WatchedNode known = watched.get(id);
        WatchedNode node = known == null ? next.computeIfAbsent(id, this::newlyWatched) : known;
        node.follow(
                ownRow.isPresent() ? ownRow.get().statusOf(id) : ReachabilityStatus.REACHABLE,
                members.statusOf(id) == MemberStatus.DOWN);
        next.put(id, node);
    }

    private WatchedNode newlyWatched(NodeId id) {
        return new WatchedNode(id, rule);
    }

    /** Feeds the detector. Replies of nodes we do not watch, or to heartbeats we did not send them, do not count. */
    public void onReply(NodeId from, HeartbeatReply reply, long receivedAtNanos) {
        WatchedNode node = watched.get(from);
        if (node != null && node.answered(reply.sequence(), receivedAtNanos) && node.isAccused()) {
            nextWakeUpNanos = Math.min(nextWakeUpNanos, receivedAtNanos);
        }
    }

    /**
     * Sends the heartbeats that are due and returns the state with our words on the nodes whose reachability changed,
     * all in one change, or the same state if none did. However late it is called, no node is sent two heartbeats.
     */
    public ClusterState tick(ClusterState state, long nowNanos, Effects effects) {
        follow(state, nowNanos);
        if (nowNanos < nextWakeUpNanos) {
            return state;
        }
        ask(nowNanos, effects);
        ClusterState next = judge(state, nowNanos);
        if (next != state) {
            // Our own words move the ring on; who comes in by that is asked in the same step.
            follow(next, nowNanos);
            ask(nowNanos, effects);
        }
        planWakeUp(nowNanos);
        return next;
    }

    private void ask(long nowNanos, Effects effects) {
        boolean isOnTheBeat = nowNanos >= nextHeartbeatNanos;
        if (isOnTheBeat) {
            sequence++;
            nextHeartbeatNanos = nowNanos + rule.heartbeatIntervalNanos();
        }
        Heartbeat heartbeat = new Heartbeat(sequence, nowNanos);
        for (WatchedNode node : watched.values()) {
            // Off the beat the current number is sent, again or first, so the numbers sent to any one node have no
            // gaps.
            if (isOnTheBeat || nowNanos >= node.askAgainNanos()) {
                node.asked(sequence, isOnTheBeat, nowNanos);
                effects.send(node.id().address(), heartbeat);
            }
        }
    }

    private ClusterState judge(ClusterState state, long nowNanos) {
        Reachability judged = state.reachability();
        boolean mayAccuse = nowNanos >= accusesNobodyUntilNanos;
        for (WatchedNode node : watched.values()) {
            if (node.isBack(nowNanos)) {
                judged = judged.marked(self, node.id(), ReachabilityStatus.REACHABLE);
            } else if (mayAccuse && node.isAccusable() && node.detector().isSuspicious(nowNanos)) {
                judged = judged.marked(self, node.id(), ReachabilityStatus.UNREACHABLE);
            }
        }
        return judged == state.reachability() ? state : state.withReachability(self, judged);
    }

    private void planWakeUp(long nowNanos) {
        long earliest = watched.isEmpty() ? Long.MAX_VALUE : nextHeartbeatNanos;
        for (WatchedNode node : watched.values()) {
            earliest = Math.min(earliest, node.isBack(nowNanos) ? nowNanos : accusationNanos(node));
            earliest = Math.min(earliest, Math.max(nowNanos, node.askAgainNanos()));
        }
        nextWakeUpNanos = earliest;
    }

    /** When this node is to be accused if it stays silent. */
    private long accusationNanos(WatchedNode node) {
        return node.isAccusable()
                ? Math.max(node.detector().suspiciousFromNanos(), accusesNobodyUntilNanos)
                : Long.MAX_VALUE;
    }

    /**
     * The core noticed that it was woken too late. What was missed meanwhile is nobody's fault; and after a long pause
     * of our own nobody is accused for a while, because answers may still be stuck behind us.
     */
    public void excusePause(long lateByNanos, long nowNanos) {
        for (WatchedNode node : watched.values()) {
            node.excuse(lateByNanos, nowNanos);
        }
        if (lateByNanos > Math.max(rule.acceptablePauseNanos(), rule.heartbeatIntervalNanos()) / 2) {
            accusesNobodyUntilNanos = nowNanos + rule.acceptablePauseNanos();
        }
    }

    /** When {@link #tick} should be called next, whatever else happens; {@code Long.MAX_VALUE} if nobody is watched. */
    public long nextWakeUpNanos() {
        return nextWakeUpNanos;
    }

    /** The end of the truce after a pause of our own; a time that has passed when there is none. */
    public long accusesNobodyUntilNanos() {
        return accusesNobodyUntilNanos;
    }

    public int detectors() {
        return watched.size();
    }

    /** The present doubt about a node, 0 for one that is not watched. */
    public double phiOf(NodeId id, long nowNanos) {
        WatchedNode node = watched.get(id);
        return node == null ? 0 : node.detector().phi(nowNanos);
    }

    /** When the node last answered, if it is watched and ever did. */
    public OptionalLong lastReplyNanosOf(NodeId id) {
        WatchedNode node = watched.get(id);
        return node == null || !node.hasEverAnswered() ? OptionalLong.empty() : OptionalLong.of(node.lastReplyNanos());
    }

    /** How all watched nodes seem to be, in member order. */
    public List<Pulse> pulses(long nowNanos) {
        return watched.values().stream()
                .map(node -> new Pulse(
                        node.id(),
                        node.detector().phi(nowNanos),
                        node.hasEverAnswered()
                                ? OptionalLong.of(nowNanos - node.lastReplyNanos())
                                : OptionalLong.empty()))
                .toList();
    }

    /** The nodes that get heartbeats, in member order. */
    public List<NodeId> targets() {
        return List.copyOf(watched.keySet());
    }
}
