package dev.muster.simulator.check;

import dev.muster.core.membership.DowningSettings;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * B3 and B6: nobody is declared down in a hurry, and nobody acts out of turn.
 *
 * <p>When a node carries out a downing decision, somebody must have stood accused in its own view for stable-after, or,
 * with an unstable picture, there must have been accusations without a break for 1.75 times that, all on its own clock.
 * With auto-down each one that goes must have been accused for the configured time, unless it goes as an accuser.
 * Nobody is counted as lost for not having seen a version that the author made in the same step. The node must be the
 * first in line among those that have seen the version, or have waited once more for everyone before it.
 */
final class NoHastyDowning implements Checker {
    private static final class View {
        final Map<NodeId, Long> accusedSince = new HashMap<>();
        long troubleSince = Long.MAX_VALUE;
        final Map<NodeId, Long> heardAt = new HashMap<>();
    }

    private final Map<Integer, View> views = new HashMap<>();

    @Override
    public void onStep(Step step) {
        ClusterState before = step.before();
        ClusterState after = step.after();
        if (before == after) {
            return;
        }
        boolean same = before.members() == after.members() && before.reachability() == after.reachability();
        boolean calm =
                before.reachability().isAllReachable() && after.reachability().isAllReachable();
        if (before.members() != after.members() && !calm) {
            DowningMoment.in(step).ifPresent(this::check);
        }
        if (!same && !calm) {
            follow(step);
        }
        noteHeard(step);
    }

    private void follow(Step step) {
        View view = views.computeIfAbsent(step.node().number(), n -> new View());
        Set<NodeId> accused = new HashSet<>(LeaderRule.accusedIn(step.after()));
        accused.removeIf(id -> step.after().members().statusOf(id).compareTo(MemberStatus.EXITING) >= 0);
        view.accusedSince.keySet().retainAll(accused);
        accused.forEach(id -> view.accusedSince.putIfAbsent(id, step.localNanos()));
        view.troubleSince = accused.isEmpty() ? Long.MAX_VALUE : Math.min(view.troubleSince, step.localNanos());
        if (accused.isEmpty()) {
            view.heardAt.clear();
        }
    }

    /** Who had seen the state that was replaced was in touch up to now; who has seen the new one is. */
    private void noteHeard(Step step) {
        View view = views.get(step.node().number());
        if (view == null || view.troubleSince == Long.MAX_VALUE) {
            return;
        }
        if (step.changedVersion()) {
            noteHeard(view, step.before(), step.localNanos());
        }
        if (step.before().seen() != step.after().seen()) {
            noteHeard(view, step.after(), step.localNanos());
        }
    }

    private static void noteHeard(View view, ClusterState state, long now) {
        for (int i = 0; i < state.members().size(); i++) {
            if (state.seen().contains(i)) {
                view.heardAt.put(state.members().get(i).id(), now);
            }
        }
    }

    private void check(DowningMoment moment) {
        Step step = moment.step();
        step.world().countChecks(2);
        View view = views.getOrDefault(step.node().number(), new View());
        long now = step.localNanos();
        boolean isAuto = step.node().settings().downing().strategy() instanceof DowningStrategy.AutoDown;
        long patience = patienceNanos(step, moment);
        long longest = view.accusedSince.isEmpty() ? 0 : now - Collections.min(view.accusedSince.values());
        long trouble = view.troubleSince == Long.MAX_VALUE ? 0 : now - view.troubleSince;
        if (longest < patience && (isAuto || trouble < patience * 7 / 4)) {
            report(
                    step,
                    moment,
                    "B3",
                    "the oldest accusation is " + millis(longest) + " old, " + millis(patience)
                            + " are needed; accusations there have been for " + millis(trouble));
        }
        if (isAuto) {
            checkEachHadItsTime(moment, view, patience);
        }
        checkTurn(moment, Math.max(longest, trouble), patience);
        checkTimeToAnswer(moment, view, patience);
    }

    /** Whoever was counted as lost must have been accused, or silent, for as long as the picture must be still. */
    private static void checkTimeToAnswer(DowningMoment moment, View view, long patience) {
        Step step = moment.step();
        DowningSettings settings = step.node().settings().downing();
        if (settings.downAllWhenUnstable() || settings.strategy() instanceof DowningStrategy.DownAll) {
            return;
        }
        for (Member member : moment.state().members()) {
            boolean lost = member.status().countsForConvergence() && !moment.isHeard(member.id());
            long accusedFor = step.localNanos() - view.accusedSince.getOrDefault(member.id(), step.localNanos());
            long silentFor = step.localNanos() - view.heardAt.getOrDefault(member.id(), step.localNanos() - patience);
            if (lost && accusedFor < patience && silentFor < patience) {
                report(
                        step,
                        moment,
                        "B3",
                        member + " counts as lost, but was accused for " + millis(accusedFor) + " and silent for "
                                + millis(silentFor) + " only, where " + millis(patience) + " are needed");
            }
        }
    }

    private static long patienceNanos(Step step, DowningMoment moment) {
        return step.node().settings().downing().strategy() instanceof DowningStrategy.AutoDown auto
                ? auto.after().toNanos()
                : step.node().settings().downing().stableAfterNanos(moment.voters());
    }

    private static void checkEachHadItsTime(DowningMoment moment, View view, long patience) {
        Set<NodeId> accusers = new HashSet<>();
        moment.accusations().forEach(pair -> accusers.add(pair[0]));
        for (NodeId id : moment.decided().down()) {
            long age = moment.step().localNanos() - view.accusedSince.getOrDefault(id, Long.MAX_VALUE / 2);
            if (!accusers.contains(id) && age < patience) {
                report(moment.step(), moment, "B3", id + " has been accused for " + millis(age) + " only");
            }
        }
    }

    private static void checkTurn(DowningMoment moment, long waited, long patience) {
        int place = moment.inLine().indexOf(moment.step().node().id());
        if (place < 0 || waited < (place + 1) * patience) {
            report(
                    moment.step(),
                    moment,
                    "B6",
                    "it is number " + (place + 1) + " in line " + moment.inLine() + " and has waited "
                            + millis(waited));
        }
    }

    private static void report(Step step, DowningMoment moment, String id, String why) {
        step.world().report(id, "declared " + moment.decided().down() + " down, but " + why, step.node());
    }

    private static String millis(long nanos) {
        return nanos / 1_000_000 + " ms";
    }
}
