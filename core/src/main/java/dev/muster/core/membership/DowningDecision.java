package dev.muster.core.membership;

import dev.muster.core.membership.DowningView.Accusation;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Who is to be declared down, and why.
 *
 * <p>It depends on the state and the settings only, never on who asks: any two members that hold the same version, seen
 * by the same members, decide alike.
 *
 * <p>Specification: "Member States", down; the specification leaves the choice of members to the downing provider.
 *
 * @param down never empty; members that are not down yet
 * @param reason a sentence for people to read
 */
public record DowningDecision(SortedSet<NodeId> down, String reason) {

    public DowningDecision {
        down = DowningView.frozen(down);
        if (down.isEmpty()) {
            throw new IllegalArgumentException("a downing decision must name somebody: " + reason);
        }
    }

    /**
     * What to do about a state in which members cannot reach each other; empty when there is nothing to do, or when it
     * is too early to tell.
     *
     * @param overdue count members that were not heard as lost even if nobody has accused them yet
     */
    public static Optional<DowningDecision> decide(ClusterState state, DowningSettings settings, boolean overdue) {
        DowningStrategy strategy = settings.strategy();
        if (strategy instanceof DowningStrategy.Manual || state.reachability().isAllReachable()) {
            return Optional.empty();
        }
        DowningView view = new DowningView(state);
        if (view.accusations().isEmpty() || !overdue && !view.undetermined().isEmpty()) {
            return Optional.empty();
        }
        boolean unaccusedToo = !(strategy instanceof DowningStrategy.AutoDown);
        return carriedOut(strategy, view, lost(view, unaccusedToo), cut(view, settings.minimalCut()));
    }

    /** Everybody goes, because the picture did not come to rest. */
    static DowningDecision everybody(ClusterState state, String why) {
        DowningView view = new DowningView(state);
        return new DowningDecision(everybody(view), why + ": everybody goes down");
    }

    /**
     * Members that are not heard and are therefore on another side, or dead. Those that are exiting are removed by the
     * leader, and joiners may just not have heard yet: both only go when accused, or when they are in the way.
     */
    private static SortedSet<NodeId> lost(DowningView view, boolean unaccusedToo) {
        SortedSet<NodeId> lost = new TreeSet<>();
        for (Member member : view.unheard().values()) {
            boolean counts = member.status().countsForConvergence();
            if (view.isAccusedByHeard(member.id()) || counts && unaccusedToo) {
                lost.add(member.id());
            }
        }
        return lost;
    }

    private static SortedSet<NodeId> cut(DowningView view, boolean minimal) {
        SortedMap<NodeId, SortedSet<NodeId>> quarrels = view.quarrelling();
        return minimal ? VertexCover.of(quarrels, view.keepFirst()) : new TreeSet<>(quarrels.keySet());
    }

    /**
     * Exiting members, and joiners that are not heard, that accuse somebody who stays. Nobody asks whether they are
     * right: they are on their way out or not yet in, but as long as their word stands the cluster does not converge.
     */
    private static SortedSet<NodeId> inTheWay(DowningView view, SortedSet<NodeId> going) {
        SortedSet<NodeId> found = new TreeSet<>();
        for (Accusation accusation : view.accusations()) {
            boolean quarrels = view.heard().containsKey(accusation.observer())
                    && view.heard().get(accusation.observer()).status() != MemberStatus.EXITING;
            if (!quarrels && !going.contains(accusation.observer()) && !going.contains(accusation.subject())) {
                found.add(accusation.observer());
            }
        }
        return found;
    }

    private static Optional<DowningDecision> carriedOut(
            DowningStrategy strategy, DowningView view, SortedSet<NodeId> lost, SortedSet<NodeId> cut) {
        SortedSet<NodeId> going = new TreeSet<>(lost);
        going.addAll(cut);
        going.addAll(inTheWay(view, going));
        if (going.isEmpty()) {
            return Optional.empty();
        }
        if (strategy instanceof DowningStrategy.DownAll) {
            return Optional.of(new DowningDecision(
                    everybody(view), "down-all: " + troubles(lost, cut, going) + ", so everybody goes down"));
        }
        if (strategy instanceof DowningStrategy.AutoDown) {
            return Optional.of(new DowningDecision(going, strategy.name() + ": " + troubles(lost, cut, going)));
        }
        return Optional.of(byVote(strategy, view, going, troubles(lost, cut, going)));
    }

    private static DowningDecision byVote(
            DowningStrategy strategy, DowningView view, SortedSet<NodeId> going, String troubles) {
        boolean somebodyCountsElsewhere =
                view.unheard().values().stream().anyMatch(m -> m.status().countsForConvergence());
        DowningVote vote = somebodyCountsElsewhere
                ? DowningVote.of(view, strategy, going)
                : new DowningVote(true, "everybody who counts is on this side");
        SortedSet<NodeId> ours = new TreeSet<>(view.heard().keySet());
        String why = strategy.name() + ": " + troubles + "; " + vote.why();
        if (!vote.wins()) {
            return new DowningDecision(ours, why + ", so this side stops: " + DowningView.names(ours));
        }
        SortedSet<NodeId> kept = without(ours, going::contains);
        if (kept.stream().noneMatch(id -> view.heard().get(id).status().countsForConvergence())) {
            going.addAll(ours);
            return new DowningDecision(going, why + ", but nobody who counts would be left, so all of it stops");
        }
        return new DowningDecision(going, why + ", so " + DowningView.names(kept) + " go on");
    }

    private static String troubles(SortedSet<NodeId> lost, SortedSet<NodeId> cut, SortedSet<NodeId> going) {
        SortedSet<NodeId> inTheWay = without(going, id -> lost.contains(id) || cut.contains(id));
        StringBuilder text = new StringBuilder();
        append(text, lost, " cannot be reached");
        append(text, cut, " quarrel with members that are in touch");
        append(text, inTheWay, " accuse members that stay");
        return text.toString();
    }

    private static void append(StringBuilder text, SortedSet<NodeId> who, String what) {
        if (!who.isEmpty()) {
            text.append(text.isEmpty() ? "" : ", ")
                    .append(DowningView.names(who))
                    .append(what);
        }
    }

    private static SortedSet<NodeId> without(SortedSet<NodeId> ids, Predicate<NodeId> gone) {
        SortedSet<NodeId> left = new TreeSet<>(ids);
        left.removeIf(gone);
        return left;
    }

    private static SortedSet<NodeId> everybody(DowningView view) {
        SortedSet<NodeId> all = new TreeSet<>(view.heard().keySet());
        all.addAll(view.unheard().keySet());
        return all;
    }
}
