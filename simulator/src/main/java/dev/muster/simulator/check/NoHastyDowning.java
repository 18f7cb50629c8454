package dev.muster.simulator.check;

import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
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
        long versionSince;
    }

    private final StepReader reader;
    private final Map<Integer, View> views = new HashMap<>();

    NoHastyDowning(StepReader reader) {
        this.reader = reader;
    }

    @Override
    public void onStep(Step step) {
        ClusterState before = step.before();
        ClusterState after = step.after();
        if (step.changedVersion() && views.containsKey(step.node().number())) {
            noteVersion(step);
        }
        boolean same = before.members() == after.members() && before.reachability() == after.reachability();
        if (same || before.reachability().isAllReachable() && after.reachability().isAllReachable()) {
            return;
        }
        if (before.members() != after.members()) {
            DowningMoment.in(step, reader).ifPresent(this::check);
        }
        follow(step);
    }

    /** After the checks of a decision that is made in the same step: it is about the version before. */
    private void noteVersion(Step step) {
        if (DowningMoment.in(step, reader).isEmpty()) {
            views.get(step.node().number()).versionSince = step.localNanos();
        }
    }

    private void follow(Step step) {
        View view = views.computeIfAbsent(step.node().number(), n -> new View());
        view.versionSince = step.changedVersion() ? step.localNanos() : view.versionSince;
        Set<NodeId> accused = new HashSet<>(LeaderRule.accusedIn(step.after()));
        accused.removeIf(id -> step.after().members().statusOf(id).compareTo(MemberStatus.EXITING) >= 0);
        view.accusedSince.keySet().retainAll(accused);
        accused.forEach(id -> view.accusedSince.putIfAbsent(id, step.localNanos()));
        view.troubleSince = accused.isEmpty() ? Long.MAX_VALUE : Math.min(view.troubleSince, step.localNanos());
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
            report(step, moment, "B3", "the oldest accusation is " + millis(longest) + " old, " + millis(patience)
                    + " are needed; accusations there have been for " + millis(trouble));
        }
        if (isAuto) {
            checkEachHadItsTime(moment, view, patience);
        }
        checkTurn(moment, Math.max(longest, trouble), patience);
        checkTimeToBeHeard(moment, view);
    }

    /** On a version that was made in this very step everybody else is silent, the living and the dead alike. */
    private static void checkTimeToBeHeard(DowningMoment moment, View view) {
        Step step = moment.step();
        boolean brandNew = moment.onBrandNewVersion();
        long twoRounds = 2 * Bounds.roundNanos(step.node().settings());
        boolean young = brandNew || step.localNanos() - view.versionSince < twoRounds;
        Optional<Member> missed = young ? countedAsLost(moment, brandNew) : Optional.empty();
        if (missed.isPresent() && brandNew && !step.node().settings().downing().downAllWhenUnstable()) {
            report(step, moment, "B3", missed.get() + ", whom nobody accuses, had no time to see the version and is "
                    + "counted as lost: " + moment.decided().reason());
        } else if (missed.isPresent()) {
            step.world().reached("overdue decision on a version younger than two rounds");
        }
    }

    /** A member that runs, that nobody accuses, and whose silence was held against it. */
    private static Optional<Member> countedAsLost(DowningMoment moment, boolean brandNew) {
        Set<NodeId> accused = LeaderRule.accusedIn(moment.state());
        return moment.state().members().stream()
                .filter(member -> member.status().countsForConvergence())
                .filter(member -> !moment.isHeard(member.id()))
                .filter(member -> !accused.contains(member.id()))
                .filter(member -> !member.id().equals(moment.step().node().id()))
                .filter(member -> Health.runs(moment.step().world(), member))
                .findFirst();
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
        if (moment.exact() && (place < 0 || waited < (place + 1) * patience)) {
            report(moment.step(), moment, "B6", "it is number " + (place + 1) + " in line " + moment.inLine()
                    + " and has waited " + millis(waited));
        }
    }

    private static void report(Step step, DowningMoment moment, String id, String why) {
        step.world().report(id, "declared " + moment.decided().down() + " down, but " + why, step.node());
    }

    private static String millis(long nanos) {
        return nanos / 1_000_000 + " ms";
    }
}
