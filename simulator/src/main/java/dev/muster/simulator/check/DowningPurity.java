package dev.muster.simulator.check;

import dev.muster.core.membership.DowningDecision;
import dev.muster.core.membership.DowningSettings;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * B1: a downing decision follows from members, reachability, who is in touch, and settings, and from nothing else.
 *
 * <p>Each decision is made a second time from a copy of the state that was put together anew, as another node would
 * hold it. It must be what the author decided: the rule for a still picture, the one for a picture that is overdue, or
 * everybody where the settings say so. With auto-down the author may carry out a part, whose time has come, and leave
 * the rest.
 */
final class DowningPurity implements Checker {
    @Override
    public void onStep(Step step) {
        if (step.before().members() != step.after().members()) {
            DowningMoment.in(step).ifPresent(DowningPurity::check);
        }
    }

    private static void check(DowningMoment moment) {
        Step step = moment.step();
        step.world().countChecks(1);
        DowningSettings settings = step.node().settings().downing();
        ClusterState copy = copyOf(moment);
        Optional<DowningDecision> still = DowningDecision.decide(copy, settings, false);
        Optional<DowningDecision> overdue = DowningDecision.decide(copy, settings, true);
        SortedSet<NodeId> decided = new TreeSet<>(moment.decided().down());
        boolean follows = isThat(step, decided, still)
                || isThat(step, decided, overdue)
                || settings.downAllWhenUnstable() && decided.equals(everybody(copy));
        if (!follows) {
            step.world()
                    .report(
                            "B1",
                            "decided to down " + decided + " ("
                                    + moment.decided().reason() + ") where the same state gives " + still
                                    + " or, overdue, " + overdue,
                            step.node());
        }
    }

    /** With auto-down only those go whose time has come; and a side that stops takes along only whom it is sure of. */
    private static boolean isThat(Step step, SortedSet<NodeId> decided, Optional<DowningDecision> rule) {
        if (rule.isEmpty()) {
            return false;
        }
        boolean isAuto = step.node().settings().downing().strategy() instanceof DowningStrategy.AutoDown;
        boolean stopsItself = decided.contains(step.node().id())
                && rule.get().down().contains(step.node().id());
        return isAuto || stopsItself
                ? rule.get().down().containsAll(decided)
                : rule.get().down().equals(decided);
    }

    private static SortedSet<NodeId> everybody(ClusterState state) {
        SortedSet<NodeId> all = new TreeSet<>();
        for (Member member : state.members()) {
            if (member.status() != MemberStatus.DOWN) {
                all.add(member.id());
            }
        }
        return all;
    }

    private static ClusterState copyOf(DowningMoment moment) {
        ClusterState state = moment.state();
        List<Member> backwards = new ArrayList<>(state.members());
        Collections.reverse(backwards);
        return ClusterState.of(
                Members.of(backwards),
                state.tombstones(),
                Reachability.of(state.reachability().rows()),
                state.version(),
                state.seen());
    }
}
