package dev.muster.settings;

import dev.muster.core.membership.DowningSettings;
import dev.muster.core.membership.DowningStrategy;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Reads who is declared down: {@code muster.cluster.split-brain-resolver}, or auto-down. */
final class DowningReader {

    private static final String RESOLVER = "cluster.split-brain-resolver.";
    private static final String QUORUM = RESOLVER + "static-quorum.quorum-size";
    private static final String STATIC_QUORUM = "static-quorum";
    private static final Set<String> STRATEGIES =
            Set.of("keep-majority", STATIC_QUORUM, "keep-oldest", "down-all", "manual");

    private final SettingsReader reader;

    DowningReader(SettingsReader reader) {
        this.reader = reader;
    }

    DowningSettings read() {
        return new DowningSettings(
                strategy(),
                reader.positiveOr(RESOLVER + "stable-after", "by-size"),
                reader.flag(RESOLVER + "minimal-cut"),
                reader.flag(RESOLVER + "down-all-when-unstable"));
    }

    /** Every key is read whichever strategy is chosen, so that a mistake is found before it matters. */
    private DowningStrategy strategy() {
        Optional<Duration> autoDown = reader.notNegativeOrOff(Sources.AUTO_DOWN);
        String name = reader.text(
                Sources.STRATEGY,
                "must be keep-majority, static-quorum, keep-oldest, down-all or manual",
                STRATEGIES::contains);
        int quorum = reader.whole(QUORUM, 0, Integer.MAX_VALUE);
        if (quorum == 0 && name.equals(STATIC_QUORUM)) {
            reader.refuse(
                    QUORUM,
                    "must be set for static-quorum: more than half of the members that the cluster will ever have. "
                            + "With less, two sides of a split could both go on");
        }
        DowningStrategy chosen = strategy(name, Math.max(1, quorum));
        return autoDown.map(this::autoDown).orElse(chosen);
    }

    private DowningStrategy strategy(String name, int quorum) {
        String quorumRole = role(STATIC_QUORUM);
        String majorityRole = role("keep-majority");
        String oldestRole = role("keep-oldest");
        boolean downIfAlone = reader.flag(RESOLVER + "keep-oldest.down-if-alone");
        return switch (name) {
            case STATIC_QUORUM -> new DowningStrategy.StaticQuorum(quorum, quorumRole);
            case "keep-oldest" -> new DowningStrategy.KeepOldest(downIfAlone, oldestRole);
            case "down-all" -> new DowningStrategy.DownAll();
            case "manual" -> new DowningStrategy.Manual();
            default -> new DowningStrategy.KeepMajority(majorityRole);
        };
    }

    private String role(String strategy) {
        return reader.text(RESOLVER + strategy + ".role", "must be the name of a role, or empty for all", role -> true);
    }

    private DowningStrategy autoDown(Duration after) {
        if (reader.isGiven(Sources.STRATEGY)) {
            reader.refuse(
                    Sources.AUTO_DOWN,
                    "cannot be used together with " + reader.nameOf(Sources.STRATEGY)
                            + ": two rules would decide who "
                            + "is down, and auto-down lets both sides of a split go on. Set it to off");
        }
        reader.warn(
                reader.nameOf(Sources.AUTO_DOWN) + " is " + after.toMillis() + " ms: members that cannot reach each "
                        + "other declare each other down and go on as separate clusters, each with its own leader. "
                        + "Unless you stop the processes of unreachable members yourself, with time you can end up "
                        + "with many clusters of one node. Never use it where two clusters do harm; "
                        + Sources.ROOT + Sources.STRATEGY
                        + " is the safe way");
        return new DowningStrategy.AutoDown(after);
    }
}
