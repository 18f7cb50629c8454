package dev.muster.simulator.check;

import dev.muster.core.membership.DowningSettings;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * B3 and B6: nobody is declared down in a hurry, and nobody acts out of turn.
 *
 * <p>When a node carries out a downing decision, somebody must have stood accused in its own view for stable-after, or,
 * with an unstable picture, there must have been accusations without a break for 1.75 times that, all on its own clock
 * and by the checker's own record. Whoever counts as lost must have been accused, or silent, for that long. Where the
 * author's side goes on, everyone who goes must be lost, or be part of a quarrel in which somebody has stood accused
 * for that long, or be an accuser who is on its way out or not yet in. With auto-down each one that goes must have been
 * accused for the configured time, unless it goes as an accuser. The node must be the first in line among those that
 * are in touch, or have waited once more for everyone before it.
 *
 * <p>And by the truth: once the world has been healthy for as long as it takes to find that out, and stable-after on
 * top, nobody who runs is declared down for being silent.
 */
final class NoHastyDowning implements Checker {
    private final History history;
    private final OwnPicture pictures;

    NoHastyDowning(History history, OwnPicture pictures) {
        this.history = history;
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
        step.world().countChecks(4);
        OwnPicture.View view = pictures.of(step.node());
        long now = step.localNanos();
        long patience = moment.patienceNanos();
        long longest = view.longestAccused(now);
        long trouble = view.troubledFor(now);
        if (longest < patience && (moment.isAuto() || trouble < patience * 7 / 4)) {
            report(
                    moment,
                    "B3",
                    "the oldest accusation is " + millis(longest) + " old, " + millis(patience)
                            + " are needed; accusations there have been for " + millis(trouble));
        }
        if (moment.isAuto()) {
            checkEachHadItsTime(moment, view, patience);
        } else if (!moment.everybodyGoes()) {
            checkTimeToAnswer(moment, view, patience);
            checkEveryoneHasAReason(moment, view, patience);
        }
        checkTurn(moment, Math.max(longest, trouble), patience);
        checkHealthyWorld(moment, patience);
    }

    /** Whoever was counted as lost must have been accused, or silent, for as long as the picture must be still. */
    private static void checkTimeToAnswer(DowningMoment moment, OwnPicture.View view, long patience) {
        long now = moment.step().localNanos();
        for (Member member : moment.state().members()) {
            boolean lost = member.status().countsForConvergence() && !moment.isHeard(member.id());
            if (lost && !isOverdue(moment, view, member.id(), patience)) {
                report(
                        moment,
                        "B3",
                        member + " counts as lost, but was accused for " + millis(view.accusedFor(member.id(), now))
                                + " and silent for " + millis(view.silentFor(member.id(), now)) + " only, where "
                                + millis(patience) + " are needed");
            }
        }
    }

    private static boolean isOverdue(DowningMoment moment, OwnPicture.View view, NodeId id, long patience) {
        long now = moment.step().localNanos();
        return view.accusedFor(id, now) >= patience || view.silentFor(id, now) >= patience;
    }

    private static void checkEveryoneHasAReason(DowningMoment moment, OwnPicture.View view, long patience) {
        if (moment.sideStops()) {
            return;
        }
        Set<NodeId> quarrelling = inOldQuarrels(moment, view, patience);
        Set<NodeId> accusers = new HashSet<>();
        for (NodeId[] accusation : moment.accusations()) {
            boolean quarrels = moment.quarrels().stream().anyMatch(pair -> pair[0].equals(accusation[0]));
            if (!quarrels) {
                accusers.add(accusation[0]);
            }
        }
        for (NodeId id : moment.decided().down()) {
            boolean isLost = !moment.isHeard(id) && isOverdue(moment, view, id, patience);
            if (!isLost && !quarrelling.contains(id) && !accusers.contains(id)) {
                report(moment, "B3", id + " is neither lost nor at odds with anybody for long enough");
            }
        }
    }

    /** All who hang together by quarrels with somebody who has been accused for long. */
    private static Set<NodeId> inOldQuarrels(DowningMoment moment, OwnPicture.View view, long patience) {
        List<NodeId[]> quarrels = moment.quarrels();
        Deque<NodeId> open = new ArrayDeque<>();
        for (NodeId[] pair : quarrels) {
            if (view.accusedFor(pair[1], moment.step().localNanos()) >= patience) {
                open.add(pair[1]);
            }
        }
        Set<NodeId> found = new HashSet<>();
        while (!open.isEmpty()) {
            NodeId next = open.remove();
            if (found.add(next)) {
                for (NodeId[] pair : quarrels) {
                    if (pair[0].equals(next) || pair[1].equals(next)) {
                        open.add(pair[0]);
                        open.add(pair[1]);
                    }
                }
            }
        }
        return found;
    }

    private static void checkEachHadItsTime(DowningMoment moment, OwnPicture.View view, long patience) {
        Set<NodeId> accusers = new HashSet<>();
        moment.accusations().forEach(pair -> accusers.add(pair[0]));
        for (NodeId id : moment.decided().down()) {
            long age = view.accusedFor(id, moment.step().localNanos());
            if (!accusers.contains(id) && age < patience) {
                report(moment, "B3", id + " has been accused for " + millis(age) + " only");
            }
        }
    }

    private static void checkTurn(DowningMoment moment, long waited, long patience) {
        int place = moment.inLine().indexOf(moment.step().node().id());
        if (place < 0 || waited < (place + 1) * patience) {
            report(
                    moment,
                    "B6",
                    "it is number " + (place + 1) + " in line " + moment.inLine() + " and has waited "
                            + millis(waited));
        }
    }

    /** Silence that had its cause in a fault is over by then; what a quarantine cut off stays so. */
    private void checkHealthyWorld(DowningMoment moment, long patience) {
        WorldView world = moment.step().world();
        DowningSettings settings = moment.step().node().settings().downing();
        long found = Bounds.detectionNanos(moment.step().node().settings())
                + Bounds.convergenceNanos(
                        moment.step().node().settings(),
                        moment.state().members().size());
        if (settings.strategy() instanceof DowningStrategy.DownAll
                || moment.sideStops()
                || hasQuarantines(moment)
                || history.undisturbedNanos(world) < patience + found) {
            return;
        }
        for (NodeId id : moment.decided().down()) {
            boolean runs = world.node(id).filter(NodeView::isRunning).isPresent();
            if (runs && !moment.isHeard(id)) {
                report(moment, "B3", id + " runs, and nothing has been wrong with the world for long");
            }
        }
    }

    private static boolean hasQuarantines(DowningMoment moment) {
        for (ReachabilityRow row : moment.state().reachability().rows()) {
            for (ReachabilityRow.Observation record : row.records()) {
                if (record.status() == ReachabilityStatus.TERMINATED
                        && moment.state().members().statusOf(record.subject()) != MemberStatus.DOWN) {
                    return true;
                }
            }
        }
        return false;
    }

    private static void report(DowningMoment moment, String id, String why) {
        Step step = moment.step();
        step.world().report(id, "declared " + moment.decided().down() + " down, but " + why, step.node());
    }

    private static String millis(long nanos) {
        return nanos / 1_000_000 + " ms";
    }
}
