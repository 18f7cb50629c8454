package dev.muster.simulator.check;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effect;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What each node could know of its trouble, written down from outside: since when whom somebody accuses in its view,
 * and when it last had a sign of whom. All times are on the node's own clock, as downing counts them. It comes after
 * the checkers that ask about a decision, so that they find the picture as it was before the step.
 *
 * <p>A node that stood still has to wait anew, since what it knows is old news; that is so when it says that it did,
 * and when it really did, for longer than it could overlook.
 */
final class OwnPicture implements Checker {
    private static final View CALM = new View();
    /** Longer than any node remembers. */
    private static final long FORGOTTEN_NANOS = 300_000_000_000L;

    /** The picture of one node. */
    static final class View {
        private final Map<NodeId, Long> accusedSince = new HashMap<>();
        private final Map<NodeId, Long> heardAt = new HashMap<>();
        private final Map<NodeId, Long> signAt = new HashMap<>();
        private final Map<List<NodeId>, Long> takenBackAt = new HashMap<>();
        private long troubleSince = Long.MAX_VALUE;

        /** Whether this accusation stood in the node's view and was taken back within that time. */
        boolean tookBack(NodeId observer, NodeId subject, long withinNanos, long now) {
            Long at = takenBackAt.get(List.of(observer, subject));
            return at != null && now - at <= withinNanos;
        }

        /** Whether any accusation by or of this one was taken back within that time. */
        boolean tookBackAnyOf(NodeId id, long withinNanos, long now) {
            return takenBackAt.entrySet().stream()
                    .anyMatch(it -> it.getKey().contains(id) && now - it.getValue() <= withinNanos);
        }

        /** How long somebody or other has been accusing this member without a break; 0 when nobody does. */
        long accusedFor(NodeId id, long now) {
            return now - accusedSince.getOrDefault(id, now);
        }

        boolean isAccused(NodeId id) {
            return accusedSince.containsKey(id);
        }

        /** The longest time for which any member has stood accused. */
        long longestAccused(long now) {
            return accusedSince.values().stream()
                    .mapToLong(since -> now - since)
                    .max()
                    .orElse(0);
        }

        /** How long there have been accusations without a break. */
        long troubledFor(long now) {
            return troubleSince == Long.MAX_VALUE ? 0 : now - troubleSince;
        }

        /** How long this member has not been known to see what the node had to say; at most as long as the trouble. */
        long silentFor(NodeId id, long now) {
            return now - heardAt.getOrDefault(id, Math.min(now, troubleSince));
        }

        /** Whether there was any sign at all of this member within that time. */
        boolean hadSignOf(NodeId id, long withinNanos, long now) {
            Long at = signAt.get(id);
            return at != null && now - at <= withinNanos;
        }

        private void startAnew(long now) {
            accusedSince.replaceAll((id, since) -> now);
            troubleSince = troubleSince == Long.MAX_VALUE ? Long.MAX_VALUE : now;
        }
    }

    private final StepReader reader;
    private final Map<Integer, View> views = new HashMap<>();
    private final Map<Integer, Long> pausedAt = new HashMap<>();

    OwnPicture(StepReader reader) {
        this.reader = reader;
    }

    View of(NodeView node) {
        return views.getOrDefault(node.number(), CALM);
    }

    @Override
    public void onProcess(ProcessChange change) {
        int number = change.node().number();
        long now = change.world().nowNanos();
        if (change.kind() == ProcessChange.Kind.PAUSED) {
            pausedAt.put(number, now);
        } else if (change.kind() == ProcessChange.Kind.RESUMED
                && views.containsKey(number)
                && LocalPauseRule.mustBeNoticed(change.node(), now - pausedAt.getOrDefault(number, now))) {
            views.get(number).startAnew(change.node().localNanos());
        }
    }

    @Override
    public void onStep(Step step) {
        ClusterState before = step.before();
        ClusterState after = step.after();
        View view = views.get(step.node().number());
        if (view != null && view.troubleSince != Long.MAX_VALUE && saysItStoodStill(step)) {
            view.startAnew(step.localNanos());
        }
        if (before == after) {
            return;
        }
        boolean same = before.members() == after.members() && before.reachability() == after.reachability();
        boolean calm =
                before.reachability().isAllReachable() && after.reachability().isAllReachable();
        if (!same && !calm) {
            view = views.computeIfAbsent(step.node().number(), n -> new View());
            noteTakenBack(step, view);
            follow(step, view);
        }
        if (view != null && view.troubleSince != Long.MAX_VALUE) {
            noteHeard(step, view);
        }
    }

    private static boolean saysItStoodStill(Step step) {
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.PublishEvent published
                    && published.event() instanceof ClusterEvent.LocalPauseNoticed) {
                return true;
            }
        }
        return false;
    }

    private static void noteTakenBack(Step step, View view) {
        long now = step.localNanos();
        view.takenBackAt.values().removeIf(at -> now - at > FORGOTTEN_NANOS);
        for (ReachabilityRow row : step.before().reachability().rows()) {
            ReachabilityRow next =
                    step.after().reachability().rowOf(row.observer()).orElse(null);
            if (next == row) {
                continue;
            }
            for (ReachabilityRow.Observation record : row.records()) {
                boolean stands = next != null && next.statusOf(record.subject()) != ReachabilityStatus.REACHABLE;
                if (record.status() != ReachabilityStatus.REACHABLE && !stands) {
                    view.takenBackAt.put(List.of(row.observer(), record.subject()), now);
                }
            }
        }
    }

    private static void follow(Step step, View view) {
        long now = step.localNanos();
        Set<NodeId> accused = new HashSet<>(LeaderRule.accusedIn(step.after()));
        accused.removeIf(id -> step.after().members().statusOf(id).compareTo(MemberStatus.EXITING) >= 0);
        for (NodeId id : view.accusedSince.keySet()) {
            if (!accused.contains(id)) {
                view.heardAt.put(id, now); // somebody heard it, or the accusation would still stand
                view.signAt.put(id, now);
            }
        }
        view.accusedSince.keySet().retainAll(accused);
        accused.forEach(id -> view.accusedSince.putIfAbsent(id, now));
        view.troubleSince = accused.isEmpty() ? Long.MAX_VALUE : Math.min(view.troubleSince, now);
        if (accused.isEmpty()) {
            view.heardAt.clear();
            view.signAt.clear();
        }
    }

    /** Who had seen the state that was replaced was in touch up to now; who has seen the new one is. */
    private void noteHeard(Step step, View view) {
        if (step.changedVersion()) {
            note(view.heardAt, step.before(), step.localNanos());
            note(view.signAt, step.before(), step.localNanos());
        }
        if (step.changedVersion() || step.before().seen() != step.after().seen()) {
            note(view.heardAt, step.after(), step.localNanos());
            note(view.signAt, step.after(), step.localNanos());
            ClusterState received = reader.read(step).received();
            if (received != null) {
                note(view.signAt, received, step.localNanos());
            }
        }
    }

    private static void note(Map<NodeId, Long> times, ClusterState state, long now) {
        for (int i = 0; i < state.members().size(); i++) {
            if (state.seen().contains(i)) {
                times.put(state.members().get(i).id(), now);
            }
        }
    }
}
