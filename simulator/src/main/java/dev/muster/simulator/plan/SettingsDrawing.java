package dev.muster.simulator.plan;

import dev.muster.core.ClusterSettings;
import dev.muster.core.failure.FailureSettings;
import dev.muster.core.gossip.GossipSettings;
import dev.muster.core.handoff.HandoffSettings;
import dev.muster.core.membership.DowningSettings;
import dev.muster.core.membership.JoinSettings;
import dev.muster.core.membership.LifecycleSettings;
import dev.muster.core.partition.PartitionSettings;
import dev.muster.core.state.NodeAddress;
import dev.muster.simulator.chance.Dice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Draws the settings that all nodes of a run share: the defaults in most runs, anything legal in the others. */
final class SettingsDrawing {
    private final Dice dice;
    private final int nodes;
    private final int mostMembers;

    SettingsDrawing(Dice dice, int nodes, int mostMembers) {
        this.dice = dice;
        this.nodes = nodes;
        this.mostMembers = mostMembers;
    }

    ClusterSettings draw(Optional<String> wantedStrategy) {
        return new ClusterSettings(
                drawGossip(),
                drawFailure(),
                drawJoin(),
                drawLifecycle(),
                drawDowning(wantedStrategy),
                PartitionSettings.defaults(),
                HandoffSettings.defaults());
    }

    private GossipSettings drawGossip() {
        GossipSettings settings = GossipSettings.defaults();
        Duration interval = dice.chance(0.7) ? settings.interval() : millis(200, 2_000);
        int burst = dice.chance(0.6) ? settings.burst() : dice.pick(List.of(0, 1, 3, 20));
        return settings.withInterval(interval)
                .withTimeToLive(interval.multipliedBy(2))
                .withBurst(burst);
    }

    private FailureSettings drawFailure() {
        FailureSettings settings = dice.chance(0.85) ? FailureSettings.defaults() : FailureSettings.cloud();
        int watchers = dice.chance(0.6) ? settings.monitoredByNrOfMembers() : dice.betweenInclusive(3, 9);
        Duration pause = dice.chance(0.7) ? settings.acceptableHeartbeatPause() : millis(2_000, 5_000);
        return settings.withMonitoredByNrOfMembers(watchers).withAcceptableHeartbeatPause(pause);
    }

    private JoinSettings drawJoin() {
        int count = Math.min(nodes, dice.betweenInclusive(1, 3));
        List<Integer> slots = new ArrayList<>(IntStream.range(0, nodes).boxed().toList());
        dice.shuffle(slots);
        List<NodeAddress> seeds =
                slots.subList(0, count).stream().map(RunPlan::addressOf).toList();
        return JoinSettings.defaults().withSeedNodes(seeds);
    }

    private LifecycleSettings drawLifecycle() {
        LifecycleSettings settings = LifecycleSettings.defaults();
        int least = dice.chance(0.8) ? 1 : dice.betweenInclusive(1, Math.max(1, nodes / 2 + 1));
        Optional<Duration> weaklyUp = dice.chance(0.3) ? Optional.empty() : Optional.of(millis(5_000, 10_000));
        // A short retention makes forgetting happen within a run. It stays above the longest time that a message can be
        // under way: a pause of 40 s behind a stalled link.
        Duration retention = dice.chance(0.7) ? settings.tombstoneRetention() : millis(80_000, 120_000);
        return settings.withMinNrOfMembers(least).withWeaklyUpAfter(weaklyUp).withTombstoneRetention(retention);
    }

    private DowningSettings drawDowning(Optional<String> wantedStrategy) {
        String drawn = Strategies.draw(dice);
        Optional<Duration> stableAfter = dice.chance(0.6) ? Optional.empty() : Optional.of(millis(5_000, 20_000));
        return DowningSettings.defaults()
                .withStrategy(Strategies.named(wantedStrategy.orElse(drawn), mostMembers))
                .withStableAfter(stableAfter)
                .withMinimalCut(dice.chance(0.85))
                .withDownAllWhenUnstable(dice.chance(0.15));
    }

    private Duration millis(int low, int high) {
        return Duration.ofMillis(dice.betweenInclusive(low, high));
    }
}
