package dev.muster.simulator.script;

import dev.muster.core.ClusterSettings;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.simulator.plan.Strategies;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The {@code set} lines of a scenario. Words are those of the configuration, values are what follows. */
final class ScenarioSettings {
    private static final int MOST_MEMBERS = 5;

    private ScenarioSettings() {}

    static ClusterSettings with(ClusterSettings settings, String name, List<String> values) {
        String value = values.isEmpty() ? "" : values.get(0);
        return switch (name) {
            case "downing" -> settings.withDowning(settings.downing().withStrategy(strategy(value, values)));
            case "stable-after" ->
                settings.withDowning(settings.downing().withStableAfter(Optional.of(duration(value))));
            case "minimal-cut" -> settings.withDowning(settings.downing().withMinimalCut(value.equals("on")));
            case "down-all-when-unstable" ->
                settings.withDowning(settings.downing().withDownAllWhenUnstable(value.equals("on")));
            case "weakly-up" ->
                settings.withLifecycle(settings.lifecycle()
                        .withWeaklyUpAfter(value.equals("off") ? Optional.empty() : Optional.of(duration(value))));
            case "min-members" ->
                settings.withLifecycle(settings.lifecycle().withMinNrOfMembers(Integer.parseInt(value)));
            case "tombstones" -> settings.withLifecycle(settings.lifecycle().withTombstoneRetention(duration(value)));
            case "acceptable-pause" ->
                settings.withFailure(settings.failure().withAcceptableHeartbeatPause(duration(value)));
            case "seed-node-timeout" -> settings.withJoin(settings.join().withSeedNodeTimeout(duration(value)));
            case "gossip-interval" -> settings.withGossip(settings.gossip().withInterval(duration(value)));
            case "gossip-burst" -> settings.withGossip(settings.gossip().withBurst(Integer.parseInt(value)));
            default -> throw new IllegalArgumentException("no setting '" + name + "' in scenarios");
        };
    }

    private static DowningStrategy strategy(String name, List<String> values) {
        if (name.equals("static-quorum") && values.size() > 1) {
            return new DowningStrategy.StaticQuorum(Integer.parseInt(values.get(1)), "");
        }
        if (name.equals("keep-oldest") && values.contains("even-alone")) {
            return new DowningStrategy.KeepOldest(false, "");
        }
        if (name.equals("auto-down") && values.size() > 1) {
            return new DowningStrategy.AutoDown(duration(values.get(1)));
        }
        return Strategies.named(name, MOST_MEMBERS);
    }

    /** {@code 500ms}, {@code 10s}, {@code 5m}, {@code 25h}. */
    static Duration duration(String text) {
        String number = text.replaceAll("[a-z]+$", "");
        long amount = Long.parseLong(number);
        return switch (text.substring(number.length())) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default ->
                throw new IllegalArgumentException(
                        "not a length of time: '" + text + "'; write it like 500ms, 10s, 5m or 25h");
        };
    }
}
