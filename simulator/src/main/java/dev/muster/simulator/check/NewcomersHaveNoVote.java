package dev.muster.simulator.check;

import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * B8: whoever is joining or weakly up does not count for majority, quorum or age.
 *
 * <p>The vote is counted a second time, independently of the core and in its simplest form. A side that goes on
 * although members that count are elsewhere must have the better of them without its newcomers: at least half, a
 * quorum, or the oldest. That no two sides win, whatever was under way at the cut, is B2.
 */
final class NewcomersHaveNoVote implements Checker {
    private static final Comparator<Member> OLDEST_FIRST =
            Comparator.comparingInt(Member::upNumber).thenComparing(Member::id);

    @Override
    public void onStep(Step step) {
        if (step.before().members() != step.after().members()) {
            DowningMoment.in(step).ifPresent(NewcomersHaveNoVote::check);
        }
    }

    private static void check(DowningMoment moment) {
        boolean somebodyCountsElsewhere = moment.state().members().stream()
                .anyMatch(m -> m.status().countsForConvergence() && !moment.isHeard(m.id()));
        if (moment.sideStops() || !somebodyCountsElsewhere) {
            return;
        }
        List<Member> here = new ArrayList<>();
        List<Member> elsewhere = new ArrayList<>();
        for (Member member : moment.state().members()) {
            if (hasVote(member)) {
                (moment.isHeard(member.id()) ? here : elsewhere).add(member);
            }
        }
        moment.step().world().countChecks(1);
        if (!mayGoOn(moment.settings().strategy(), here, elsewhere)) {
            moment.step()
                    .world()
                    .report(
                            "B8",
                            "goes on with " + here + ", who have a vote, against " + elsewhere + ": "
                                    + moment.decided().reason(),
                            moment.step().node());
        }
    }

    private static boolean hasVote(Member member) {
        return member.hasBeenUp() && member.status() != MemberStatus.DOWN;
    }

    private static boolean mayGoOn(DowningStrategy strategy, List<Member> here, List<Member> elsewhere) {
        if (strategy instanceof DowningStrategy.KeepMajority majority) {
            return count(here, majority.role()) >= count(elsewhere, majority.role());
        }
        if (strategy instanceof DowningStrategy.StaticQuorum quorum) {
            return count(here, quorum.role()) >= quorum.size();
        }
        if (strategy instanceof DowningStrategy.KeepOldest oldest) {
            Member first = Stream.concat(here.stream(), elsewhere.stream())
                    .filter(m -> has(m, oldest.role()))
                    .min(OLDEST_FIRST)
                    .orElse(null);
            return here.contains(first) || oldest.downIfAlone() && count(elsewhere, oldest.role()) == 1;
        }
        return true;
    }

    private static long count(List<Member> members, String role) {
        return members.stream().filter(m -> has(m, role)).count();
    }

    private static boolean has(Member member, String role) {
        return role.isEmpty() || member.hasRole(role);
    }
}
