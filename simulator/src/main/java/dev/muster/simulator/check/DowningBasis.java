package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * B1, the other half: what an author says that it decided on is what it held.
 *
 * <p>The state that goes with a downing decision must lie between what the author held or learned and what it ended the
 * step with: the same members, no further and no less far in their lives. Every accusation in it must stand in those
 * states; every one of those that is left out must be too young to count, by the checker's own record. And there must
 * have been a sign, not too long ago, of everyone who is counted as being in touch.
 *
 * <p>With minimal cuts an author may also recall accusations that were taken back lately (see {@link #checkRecalled}).
 * They are part of the state that goes with the decision, so it stays a function of that state alone; but what a node
 * remembers is its own. B1 speaks of the decision, not of how long a word counts, and B11 bounds what it may cost.
 */
final class DowningBasis implements Checker {
    private final StepReader reader;
    private final OwnPicture pictures;

    DowningBasis(StepReader reader, OwnPicture pictures) {
        this.reader = reader;
        this.pictures = pictures;
    }

    @Override
    public void onStep(Step step) {
        if (step.before().members() != step.after().members()) {
            DowningMoment.in(step).ifPresent(this::check);
        }
    }

    private void check(DowningMoment moment) {
        moment.step().world().countChecks(3);
        checkMembers(moment);
        checkAccusations(moment);
        checkWhoIsInTouch(moment);
    }

    private void checkMembers(DowningMoment moment) {
        ClusterState learned = reader.read(moment.step()).base();
        ClusterState after = moment.step().after();
        for (Member member : learned.members()) {
            if (!moment.state().members().has(member.id())) {
                report(moment, "leaves out " + member);
            }
        }
        for (Member member : moment.state().members()) {
            MemberStatus end = after.members().statusOf(member.id());
            Member earlier = learned.members().find(member.id()).orElse(null);
            boolean isMadeUp = earlier == null && end == MemberStatus.REMOVED;
            boolean isAhead = member.status().compareTo(end) > 0;
            boolean isBehind = earlier != null && member.status().compareTo(earlier.status()) < 0;
            if (isMadeUp || isAhead || isBehind) {
                report(moment, "has " + member + ", where it held " + earlier + " and ends with " + end.displayName());
            }
        }
    }

    private void checkAccusations(DowningMoment moment) {
        ClusterState learned = reader.read(moment.step()).base();
        ClusterState after = moment.step().after();
        OwnPicture.View view = pictures.of(moment.step().node());
        Set<List<NodeId>> recalled = new LinkedHashSet<>();
        for (NodeId[] pair : moment.accusations()) {
            boolean stands = accuses(after, pair[0], pair[1])
                    || accuses(learned, pair[0], pair[1]) && !after.members().has(pair[1])
                    || accuses(learned, pair[0], pair[1]) && !after.members().has(pair[0]);
            if (!stands && !isRecalled(moment, view, pair[0], pair[1])) {
                report(moment, "has " + pair[0] + " accuse " + pair[1] + ", which it did not");
            } else if (!stands) {
                recalled.add(List.of(pair));
            }
        }
        if (!recalled.isEmpty()) {
            checkRecalled(moment, recalled);
        }
        for (ReachabilityRow row : after.reachability().rows()) {
            boolean heeded = moment.state().members().statusOf(row.observer()).compareTo(MemberStatus.DOWN) < 0;
            for (ReachabilityRow.Observation record : row.records()) {
                NodeId subject = record.subject();
                boolean isLeftOut = heeded
                        && record.status() != ReachabilityStatus.REACHABLE
                        && moment.state().members().statusOf(subject).compareTo(MemberStatus.EXITING) < 0
                        && !accuses(moment.state(), row.observer(), subject);
                if (isLeftOut && view.accusedFor(subject, moment.step().localNanos()) >= moment.patienceNanos()) {
                    report(moment, "leaves out that " + row.observer() + " accuses " + subject);
                }
            }
        }
    }

    /** With minimal cuts the author remembers for twice its patience who was at odds with whom. */
    private static boolean isRecalled(DowningMoment moment, OwnPicture.View view, NodeId observer, NodeId subject) {
        return moment.step().node().settings().downing().minimalCut()
                && (accuses(moment.step().before(), observer, subject)
                        || view.tookBack(
                                observer,
                                subject,
                                2 * moment.patienceNanos(),
                                moment.step().localNanos()));
    }

    /**
     * What is recalled may only tell which one of those goes who are at odds now. So it must be a word between two that
     * are in touch, one of whom still quarrels, and all quarrels must be as cheap to end with it as without.
     */
    private static void checkRecalled(DowningMoment moment, Set<List<NodeId>> recalled) {
        List<NodeId[]> all = moment.quarrels();
        List<NodeId[]> standing =
                all.stream().filter(pair -> !recalled.contains(List.of(pair))).toList();
        Set<NodeId> quarrelling = new TreeSet<>();
        standing.forEach(pair -> quarrelling.addAll(List.of(pair)));
        Set<List<NodeId>> inTouch = new HashSet<>();
        all.forEach(pair -> inTouch.add(List.of(pair)));
        for (List<NodeId> pair : recalled) {
            if (!inTouch.contains(pair) || Collections.disjoint(quarrelling, pair)) {
                report(moment, "recalls that " + pair.get(0) + " accused " + pair.get(1) + ", which decides nothing");
            }
        }
        if (BlastRadius.canCount(all) && BlastRadius.smallestCover(all) > BlastRadius.smallestCover(standing)) {
            report(moment, "recalls " + recalled + ", which costs more members");
        }
    }

    private static boolean accuses(ClusterState state, NodeId observer, NodeId subject) {
        return state.reachability().statusOf(observer, subject) != ReachabilityStatus.REACHABLE;
    }

    private void checkWhoIsInTouch(DowningMoment moment) {
        Step step = moment.step();
        OwnPicture.View view = pictures.of(step.node());
        ClusterState received = reader.read(step).received();
        for (Member member : moment.state().members()) {
            NodeId id = member.id();
            boolean known = id.equals(step.node().id())
                    || !moment.isHeard(id)
                    || step.before().isSeenBy(id)
                    || received != null && received.isSeenBy(id)
                    || wasJustHeardAgain(moment, id)
                    || view.hadSignOf(id, 2 * moment.patienceNanos(), step.localNanos());
            if (!known) {
                report(moment, "counts " + id + " as being in touch, of which there was no sign");
            }
        }
    }

    /** It was accused before the step, and by its end nobody whose word counted in the decision accuses it. */
    private static boolean wasJustHeardAgain(DowningMoment moment, NodeId id) {
        ClusterState after = moment.step().after();
        return LeaderRule.accusedIn(moment.step().before()).contains(id)
                && after.reachability().rows().stream()
                        .noneMatch(row -> row.statusOf(id) != ReachabilityStatus.REACHABLE
                                && moment.state()
                                                .members()
                                                .statusOf(row.observer())
                                                .compareTo(MemberStatus.DOWN)
                                        < 0);
    }

    private static void report(DowningMoment moment, String why) {
        moment.step()
                .world()
                .report(
                        "B1",
                        "declared " + moment.decided().down() + " down on a state that it did not hold, which " + why,
                        moment.step().node());
    }
}
