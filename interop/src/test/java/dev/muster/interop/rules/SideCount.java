package dev.muster.interop.rules;

import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.Member;
import java.util.List;

/** How many of those who have the strategy's role, if it has one, are on this side and how many are elsewhere. */
record SideCount(DowningStrategy strategy, long here, long elsewhere) {

    static SideCount of(DowningStrategy strategy, List<Member> here, List<Member> elsewhere) {
        String role = roleOf(strategy);
        return new SideCount(
                strategy,
                here.stream().filter(it -> role.isEmpty() || it.hasRole(role)).count(),
                elsewhere.stream()
                        .filter(it -> role.isEmpty() || it.hasRole(role))
                        .count());
    }

    private static String roleOf(DowningStrategy strategy) {
        if (strategy instanceof DowningStrategy.KeepMajority majority) {
            return majority.role();
        }
        return strategy instanceof DowningStrategy.StaticQuorum quorum
                ? quorum.role()
                : ((DowningStrategy.KeepOldest) strategy).role();
    }

    /** Too many for a quorum, or nobody who counts. */
    boolean theyStopAll() {
        return strategy instanceof DowningStrategy.StaticQuorum quorum
                ? here + elsewhere >= 2L * quorum.size()
                : here + elsewhere == 0;
    }

    /** Of too many for a quorum, fewer than a quorum are missing. */
    boolean goesOnAnyway() {
        return strategy instanceof DowningStrategy.StaticQuorum quorum && elsewhere < quorum.size();
    }
}
