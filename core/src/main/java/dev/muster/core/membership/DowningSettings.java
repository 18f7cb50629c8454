package dev.muster.core.membership;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Who is declared down when members cannot reach each other.
 *
 * @param strategy the rule
 * @param stableAfter how long the picture must have been the same before anything is decided. Empty: grows with the
 *     cluster, 7 s for up to 5 members and 20 s from 100 on. Shorter: faster, and a short outage costs members
 * @param minimalCut when members accuse each other although both still speak, remove the fewest that explain all
 *     accusations, instead of everybody who both accuses and is accused
 * @param downAllWhenUnstable what happens when the picture has not been still for 1.75 times stable-after: down
 *     everybody, or decide on the picture as it is
 */
public record DowningSettings(
        DowningStrategy strategy, Optional<Duration> stableAfter, boolean minimalCut, boolean downAllWhenUnstable) {

    public DowningSettings {
        Objects.requireNonNull(strategy, "strategy");
        if (stableAfter.isPresent()
                && (stableAfter.get().isNegative() || stableAfter.get().isZero())) {
            throw new IllegalArgumentException(
                    "split-brain-resolver.stable-after must be positive, was " + stableAfter.get());
        }
    }

    public static DowningSettings defaults() {
        return new DowningSettings(new DowningStrategy.KeepMajority(""), Optional.empty(), true, false);
    }

    public DowningSettings withStrategy(DowningStrategy next) {
        return new DowningSettings(next, stableAfter, minimalCut, downAllWhenUnstable);
    }

    public DowningSettings withStableAfter(Optional<Duration> next) {
        return new DowningSettings(strategy, next, minimalCut, downAllWhenUnstable);
    }

    public DowningSettings withMinimalCut(boolean next) {
        return new DowningSettings(strategy, stableAfter, next, downAllWhenUnstable);
    }

    public DowningSettings withDownAllWhenUnstable(boolean next) {
        return new DowningSettings(strategy, stableAfter, minimalCut, next);
    }

    /** How long the picture must be still with this many members. */
    public long stableAfterNanos(int members) {
        if (stableAfter.isPresent()) {
            return stableAfter.get().toNanos();
        }
        double growth = StrictMath.log(members / 5.0) / StrictMath.log(20);
        return Math.round((7.0 + 13.0 * Math.max(0, Math.min(1, growth))) * 1e9);
    }
}
