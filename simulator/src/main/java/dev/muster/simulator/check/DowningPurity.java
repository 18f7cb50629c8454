package dev.muster.simulator.check;

import dev.muster.core.membership.DowningDecision;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.SeenSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * B1: a downing decision follows from members, reachability, who is in touch, and settings, and from nothing else.
 *
 * <p>Each decision is made a second time from a copy of the state that was put together anew, as another node would
 * hold it. It must be what the author decided, or everybody where the settings say so. A side that stops may take along
 * only whom it is sure of: then it must be the decision on the same state, seen by just those who are in the seen set
 * that the author held in this step. With auto-down the author may leave out those whose time has not come, and only
 * those. That the state itself is true is checked by {@link DowningBasis}.
 */
final class DowningPurity implements Checker {
    private static final int TURNS_HELD_BACK = 2;

    private final StepReader reader;
    private final OwnPicture pictures;

    DowningPurity(StepReader reader, OwnPicture pictures) {
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
        Step step = moment.step();
        step.world().countChecks(1);
        ClusterState copy = copyOf(moment.state(), moment.state().seen());
        Optional<DowningDecision> rule = moment.ruleOn(copy);
        SortedSet<NodeId> decided = new TreeSet<>(moment.decided().down());
        boolean follows = rule.isPresent() && rule.get().down().equals(decided)
                || moment.everybodyGoes()
                || moment.isAuto() && leavesOutOnlyTheYoung(moment, rule, decided)
                || moment.sideStops() && isSureOfThem(moment, decided);
        if (!follows) {
            step.world()
                    .report(
                            "B1",
                            "decided to down " + decided + " ("
                                    + moment.decided().reason() + ") where the same state gives " + rule,
                            step.node());
        }
    }

    private boolean leavesOutOnlyTheYoung(
            DowningMoment moment, Optional<DowningDecision> rule, SortedSet<NodeId> decided) {
        if (rule.isEmpty() || !rule.get().down().containsAll(decided)) {
            return false;
        }
        return rule.get().down().stream().allMatch(id -> decided.contains(id) || mayWait(moment, id));
    }

    /**
     * A stand-in gives everybody as long as it has waited itself; an author who is at odds with somebody may hold back
     * as if two stood before it. And somebody who quarrels with one other only is given two more turns, as long as one
     * of the two stands accused for so short a time. B1 leaves open how long a strategy waits, and B3 forbids only to
     * be hasty; that the waiting comes to an end is B4.
     */
    private boolean mayWait(DowningMoment moment, NodeId id) {
        OwnPicture.View view = pictures.of(moment.step().node());
        long now = moment.step().localNanos();
        NodeId author = moment.step().node().id();
        int place = moment.inLine().indexOf(author);
        int turns = isAtOdds(moment, view, author) ? Math.max(TURNS_HELD_BACK, place) : place;
        if (view.accusedFor(id, now) < (turns + 1) * moment.patienceNanos()) {
            return true;
        }
        Set<NodeId> opponents = moment.opponentsOf(id);
        long undecided = (TURNS_HELD_BACK + 1) * moment.patienceNanos();
        return opponents.size() == 1
                && (isRecentlyAccused(view, id, now, undecided)
                        || opponents.stream().allMatch(other -> isRecentlyAccused(view, other, now, undecided)));
    }

    private static boolean isRecentlyAccused(OwnPicture.View view, NodeId id, long now, long within) {
        return view.isAccused(id) && view.accusedFor(id, now) < within;
    }

    private static boolean isAtOdds(DowningMoment moment, OwnPicture.View view, NodeId author) {
        return view.tookBackAnyOf(
                        author, 2 * moment.patienceNanos(), moment.step().localNanos())
                || accusesOrIsAccused(moment.step().before(), author)
                || accusesOrIsAccused(moment.step().after(), author);
    }

    private static boolean accusesOrIsAccused(ClusterState state, NodeId id) {
        return LeaderRule.accusedIn(state).contains(id)
                || state.reachability()
                        .rowOf(id)
                        .filter(row -> !row.records().isEmpty())
                        .isPresent();
    }

    /** What the author had in its seen set when it decided: its own version, the received one, or one just made. */
    private boolean isSureOfThem(DowningMoment moment, SortedSet<NodeId> decided) {
        ClusterState before = moment.step().before();
        ClusterState received = reader.read(moment.step()).received();
        List<ClusterState> mine = List.of(before);
        List<ClusterState> theirs = received == null ? List.of() : List.of(received);
        List<ClusterState> both = received == null ? mine : List.of(before, received);
        for (List<ClusterState> seenIn : List.of(List.<ClusterState>of(), mine, theirs, both)) {
            ClusterState certain = copyOf(moment.state(), seenInAny(moment, seenIn));
            if (moment.ruleOn(certain)
                    .filter(rule -> rule.down().equals(decided))
                    .isPresent()) {
                return true;
            }
        }
        return false;
    }

    private static SeenSet seenInAny(DowningMoment moment, List<ClusterState> states) {
        Members members = moment.state().members();
        SeenSet seen = SeenSet.NOBODY;
        for (int i = 0; i < members.size(); i++) {
            NodeId id = members.get(i).id();
            if (id.equals(moment.step().node().id()) || states.stream().anyMatch(state -> state.isSeenBy(id))) {
                seen = seen.with(i);
            }
        }
        return seen;
    }

    private static ClusterState copyOf(ClusterState state, SeenSet seen) {
        List<Member> backwards = new ArrayList<>(state.members());
        Collections.reverse(backwards);
        return ClusterState.of(
                Members.of(backwards),
                state.tombstones(),
                Reachability.of(state.reachability().rows()),
                state.version(),
                seen);
    }
}
