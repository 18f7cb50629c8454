package dev.muster.core.failure;

import static dev.muster.core.failure.Clusters.cluster;
import static dev.muster.core.failure.Clusters.node;

import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.HeartbeatMessage.Heartbeat;
import dev.muster.core.exchange.HeartbeatMessage.HeartbeatReply;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** One observer and one peer with a network between them, in simulated time: who is accused, and when. */
final class PulseWorld {
    static final long MILLI = 1_000_000L;
    static final long SECOND = 1_000 * MILLI;

    /** What the observer said of the peer, and when. */
    record Word(long atNanos, ReachabilityStatus status) {}

    private record Reply(HeartbeatReply message, long arrivesAtNanos) {}

    private record Pause(long fromNanos, long untilNanos) {}

    private final NodeId self = node(1);
    private final NodeId peer = node(2);
    private final HeartbeatMonitor monitor = new HeartbeatMonitor(self, FailureSettings.defaults(), 0);
    private final PriorityQueue<Reply> replies = new PriorityQueue<>(Comparator.comparingLong(Reply::arrivesAtNanos));
    private final Effects effects = new Effects();
    private final List<Word> words = new ArrayList<>();
    private final List<Pause> observerPauses = new ArrayList<>();
    private final List<Pause> peerPauses = new ArrayList<>();

    private ClusterState state = cluster(self, peer);
    private LongSupplier oneWayDelayNanos = () -> MILLI;
    private BooleanSupplier isLost = () -> false;
    private long silentFromNanos = Long.MAX_VALUE;
    private long silentUntilNanos = Long.MAX_VALUE;
    private boolean noticesOwnPauses = true;
    private int steps;

    PulseWorld withDelay(LongSupplier nanos) {
        oneWayDelayNanos = nanos;
        return this;
    }

    /** Asked once for each message of either direction. */
    PulseWorld withLoss(BooleanSupplier isMessageLost) {
        isLost = isMessageLost;
        return this;
    }

    PulseWorld withPeerSilent(long fromNanos, long untilNanos) {
        silentFromNanos = fromNanos;
        silentUntilNanos = untilNanos;
        return this;
    }

    PulseWorld withPeerPause(long fromNanos, long nanos) {
        peerPauses.add(new Pause(fromNanos, fromNanos + nanos));
        return this;
    }

    PulseWorld withObserverPause(long fromNanos, long nanos) {
        observerPauses.add(new Pause(fromNanos, fromNanos + nanos));
        return this;
    }

    PulseWorld thatDoesNotNoticeOwnPauses() {
        noticesOwnPauses = false;
        return this;
    }

    List<Word> runUntil(long endNanos) {
        step(0);
        while (true) {
            long wakeUp = monitor.nextWakeUpNanos();
            long arrival = replies.isEmpty() ? Long.MAX_VALUE : replies.peek().arrivesAtNanos();
            long due = Math.min(wakeUp, arrival);
            long now = endOfPause(observerPauses, due);
            if (now > endNanos) {
                return words;
            }
            if (noticesOwnPauses && now - due > 100 * MILLI) {
                monitor.excusePause(now - due, now);
            }
            if (arrival <= wakeUp) {
                // The observer's network layer was held up as well, so that the reply seems to arrive now.
                monitor.onReply(peer, replies.remove().message(), now);
            }
            step(now);
        }
    }

    private void step(long now) {
        steps++;
        ClusterState next = monitor.tick(state, now, effects);
        if (next != state) {
            words.add(new Word(now, next.reachability().statusOf(self, peer)));
            state = next;
        }
        for (Effect effect : effects.list()) {
            answer((Heartbeat) ((Effect.SendMessage) effect).message(), now);
        }
        effects.clear();
    }

    private void answer(Heartbeat heartbeat, long now) {
        long reached = endOfPause(peerPauses, now + oneWayDelayNanos.getAsLong());
        boolean isAnswering = reached < silentFromNanos || reached >= silentUntilNanos;
        if (isAnswering && !isLost.getAsBoolean() && !isLost.getAsBoolean()) {
            HeartbeatReply reply = new HeartbeatReply(heartbeat.sequence(), heartbeat.sentAtNanos());
            replies.add(new Reply(reply, reached + oneWayDelayNanos.getAsLong()));
        }
    }

    private static long endOfPause(List<Pause> pauses, long time) {
        for (Pause pause : pauses) {
            if (time >= pause.fromNanos() && time < pause.untilNanos()) {
                return pause.untilNanos();
            }
        }
        return time;
    }

    int steps() {
        return steps;
    }

    HeartbeatMonitor monitor() {
        return monitor;
    }

    NodeId peer() {
        return peer;
    }
}
