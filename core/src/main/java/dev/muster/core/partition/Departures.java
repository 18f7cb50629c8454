package dev.muster.core.partition;

import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Members that hand over before they say that they leave. In a cluster with members that are not Muster, one of those
 * may lead; it knows nothing of partitions, and lets a leaving member go as soon as all know that it leaves.
 *
 * <p>Such a member tells all that have a table, again and again, so that whoever leads the table knows it, and the next
 * leader too. Nothing is kept for long: who is not heard of any more is a host like any other.
 */
final class Departures {
    static final long SAY_AGAIN_NANOS = 1_000_000_000L;
    static final long FORGET_NANOS = 5_000_000_000L;

    private final NodeId self;
    private final long timeoutNanos;
    /** Who hands over first, and when it last said so. */
    private final TreeMap<NodeId, Long> heardNanos = new TreeMap<>();
    /** Others that users of this node want to leave, and since when. */
    private final TreeMap<NodeId, Long> askedSinceNanos = new TreeMap<>();

    private long ownSinceNanos = Long.MAX_VALUE;
    private long nextSayNanos = Long.MAX_VALUE;

    Departures(NodeId self, PartitionSettings settings) {
        this.self = self;
        this.timeoutNanos = settings.drainTimeout().toNanos();
    }

    /** Whether somebody is in the cluster who knows nothing of partitions. */
    static boolean isMixed(ClusterState state) {
        return state.members().stream().anyMatch(it -> !it.isMuster());
    }

    /** This node is to leave, or another one that has to be told. */
    void begin(NodeId who, long nowNanos) {
        if (!who.equals(self)) {
            askedSinceNanos.putIfAbsent(who, nowNanos);
        } else if (ownSinceNanos == Long.MAX_VALUE) {
            ownSinceNanos = nowNanos;
        }
        nextSayNanos = nowNanos;
    }

    /** Returns whether that is news. */
    boolean heard(NodeId who, long nowNanos) {
        return heardNanos.put(who, nowNanos) == null;
    }

    boolean isGoing(NodeId node) {
        return heardNanos.containsKey(node) || node.equals(self) && isGoingMyself();
    }

    /** Whether nobody here was told that somebody is to leave. */
    boolean isEmpty() {
        return !isGoingMyself() && askedSinceNanos.isEmpty();
    }

    private boolean isGoingMyself() {
        return ownSinceNanos != Long.MAX_VALUE;
    }

    /** Says what is due. Returns whether somebody has changed his mind. */
    boolean tick(ClusterState state, long nowNanos, Effects effects) {
        askedSinceNanos.keySet().removeIf(it -> state.members().statusOf(it) != MemberStatus.UP);
        boolean isForgotten = heardNanos.values().removeIf(heard -> nowNanos - heard >= FORGET_NANOS);
        if (nowNanos >= nextSayNanos) {
            say(state, effects);
            nextSayNanos = isEmpty() ? Long.MAX_VALUE : nowNanos + SAY_AGAIN_NANOS;
        }
        return isForgotten;
    }

    private void say(ClusterState state, Effects effects) {
        for (Member member : state.members()) {
            if (isGoingMyself() && TableMembers.counts(member) && !member.id().equals(self)) {
                effects.send(member.id().address(), new TableMessage.Draining(member.id()));
            }
        }
        for (NodeId asked : askedSinceNanos.keySet()) {
            if (!heardNanos.containsKey(asked)) {
                effects.send(asked.address(), new TableMessage.PleaseLeave(asked));
            }
        }
    }

    /**
     * Who may be said to leave now: this node, once it is done or its time is up; another one that was asked and does
     * not answer.
     *
     * @param isDone whether nothing is left here, nor to be told
     */
    List<NodeId> due(ClusterState state, boolean isDone, long nowNanos) {
        List<NodeId> due = new ArrayList<>();
        if (isGoingMyself() && (isDone || !isMixed(state) || nowNanos - ownSinceNanos >= timeoutNanos)) {
            due.add(self);
            ownSinceNanos = Long.MAX_VALUE;
        }
        askedSinceNanos.forEach((asked, since) -> {
            if (!heardNanos.containsKey(asked) && nowNanos - since >= FORGET_NANOS) {
                due.add(asked);
            }
        });
        askedSinceNanos.keySet().removeAll(due);
        return due;
    }

    long nextWakeUpNanos() {
        return isGoingMyself() ? Math.min(nextSayNanos, ownSinceNanos + timeoutNanos) : nextSayNanos;
    }
}
