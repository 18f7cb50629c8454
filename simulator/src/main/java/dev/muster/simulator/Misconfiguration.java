package dev.muster.simulator;

import dev.muster.core.ClusterSettings;
import dev.muster.core.membership.DowningStrategy;

/** The settings of a node that must not be let in: another downing strategy than everybody else's. */
final class Misconfiguration {
    private Misconfiguration() {}

    static ClusterSettings of(ClusterSettings right) {
        boolean isDownAll = right.downing().strategy() instanceof DowningStrategy.DownAll;
        DowningStrategy other = isDownAll ? new DowningStrategy.KeepMajority("") : new DowningStrategy.DownAll();
        return right.withDowning(right.downing().withStrategy(other));
    }
}
