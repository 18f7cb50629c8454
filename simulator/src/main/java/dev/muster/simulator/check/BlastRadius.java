package dev.muster.simulator.check;

import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * B9 and B11: few faults cost few members.
 *
 * <p>With minimal-cut, the members that go although they are still heard are no more than the smallest set that
 * explains every accusation between members that are heard (counted exactly, up to twenty quarrelling members), as long
 * as the side goes on at all. And where processes are only restarted, one at a time, nobody who runs is ever declared
 * down, if the strategy can do without one member.
 */
final class BlastRadius implements Checker {
    private static final int MOST_QUARRELLING = 20;

    @Override
    public void onStep(Step step) {
        if (step.before().members() != step.after().members()) {
            DowningMoment.in(step).ifPresent(moment -> {
                noteSituations(moment);
                checkCut(moment);
                checkRollingRestart(moment);
            });
        }
    }

    private static void noteSituations(DowningMoment moment) {
        WorldView world = moment.step().world();
        if (!moment.quarrels().isEmpty()) {
            world.reached("indirectly connected decision");
        }
        if (moment.everybodyGoes() && !(moment.settings().strategy() instanceof DowningStrategy.DownAll)) {
            world.reached("unstable rule fired");
        }
    }

    private static void checkCut(DowningMoment moment) {
        Set<NodeId> down = new TreeSet<>(moment.decided().down());
        if (moment.sideStops() || !moment.settings().minimalCut()) {
            return;
        }
        List<NodeId[]> quarrels = moment.quarrels();
        if (!canCount(quarrels)) {
            return;
        }
        long lost = down.stream()
                .filter(id -> moment.isHeard(id) && moment.state().members().statusOf(id) != MemberStatus.EXITING)
                .count();
        int needed = smallestCover(quarrels);
        moment.step().world().countChecks(1);
        if (lost > needed) {
            moment.step()
                    .world()
                    .report(
                            "B11",
                            "declared " + lost + " members down that were still heard, where " + needed
                                    + " would have done: " + moment.decided().reason(),
                            moment.step().node());
        }
    }

    /** Whether so few quarrel that it can be counted exactly. */
    static boolean canCount(List<NodeId[]> quarrels) {
        Set<NodeId> involved = new TreeSet<>();
        quarrels.forEach(pair -> involved.addAll(List.of(pair)));
        return involved.size() <= MOST_QUARRELLING;
    }

    /** The size of a smallest set that touches every pair: one of the first pair must be in it. */
    static int smallestCover(List<NodeId[]> pairs) {
        if (pairs.isEmpty()) {
            return 0;
        }
        NodeId[] first = pairs.get(0);
        return 1 + Math.min(smallestCover(without(pairs, first[0])), smallestCover(without(pairs, first[1])));
    }

    private static List<NodeId[]> without(List<NodeId[]> pairs, NodeId chosen) {
        List<NodeId[]> left = new ArrayList<>(pairs);
        left.removeIf(pair -> pair[0].equals(chosen) || pair[1].equals(chosen));
        return left;
    }

    private static void checkRollingRestart(DowningMoment moment) {
        WorldView world = moment.step().world();
        if (!world.facts().faultKinds().equals(Set.of("restarts"))) {
            return;
        }
        int counting = 0;
        int gone = 0;
        for (Member member : moment.state().members()) {
            boolean runs = world.node(member.id()).filter(NodeView::isRunning).isPresent();
            counting += member.status().countsForConvergence() ? 1 : 0;
            gone += runs ? 0 : 1;
        }
        if (gone > 1 || !canSpareOne(moment.step().node().settings().downing().strategy(), counting)) {
            return;
        }
        world.countChecks(1);
        for (NodeId id : moment.decided().down()) {
            if (world.node(id).filter(NodeView::isRunning).isPresent()) {
                world.report(
                        "B9",
                        "declared " + id + " down, which runs, in a rolling restart: "
                                + moment.decided().reason(),
                        moment.step().node());
            }
        }
    }

    private static boolean canSpareOne(DowningStrategy strategy, int counting) {
        if (strategy instanceof DowningStrategy.KeepMajority majority) {
            return majority.role().isEmpty() && counting >= 3;
        }
        if (strategy instanceof DowningStrategy.StaticQuorum quorum) {
            return quorum.role().isEmpty() && counting - 1 >= quorum.size();
        }
        if (strategy instanceof DowningStrategy.KeepOldest oldest) {
            return oldest.role().isEmpty() && oldest.downIfAlone() && counting >= 3;
        }
        return strategy instanceof DowningStrategy.AutoDown;
    }
}
