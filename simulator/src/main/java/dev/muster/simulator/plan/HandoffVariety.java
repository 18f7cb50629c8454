package dev.muster.simulator.plan;

import dev.muster.core.ClusterSettings;
import dev.muster.core.handoff.HandoffSettings;
import dev.muster.core.membership.JoinSettings;
import dev.muster.core.partition.LoadSettings;
import dev.muster.core.partition.PartitionSettings;
import dev.muster.core.partition.RebalanceSettings;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.HandoffPolicy.Arrival;
import dev.muster.core.state.HandoffPolicy.Migration;
import dev.muster.core.state.HandoffPolicy.Update;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.simulator.chance.Dice;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What some runs of the workload {@link Workload#HANDOFF} have beyond what all of them have. Most have little of it, so
 * that the rest stays as likely as it was.
 *
 * @param hasRoles some partitions are for members with a role only, and ended ones may be wanted with another one
 * @param isScaled the number of instances of some partitions follows the load, which goes up and down
 * @param isUpgraded whoever is started again has a newer version of the application
 */
public record HandoffVariety(boolean hasRoles, boolean isScaled, boolean isUpgraded) {
    public static final HandoffVariety NONE = new HandoffVariety(false, false, false);

    private static final String FIRST_VERSION = "1.0.0";
    private static final String NEXT_VERSION = "1.1.0";

    public static HandoffVariety of(RunPlan plan, Workload workload) {
        if (workload != Workload.HANDOFF) {
            return NONE;
        }
        boolean hasRoles = plan.slots().stream().anyMatch(slot -> !slot.roles().isEmpty());
        boolean isUpgraded = Dice.of(plan.seed(), Purpose.VARIETY, 1).chance(0.2);
        return new HandoffVariety(hasRoles, isScaled(plan.seed()), isUpgraded);
    }

    private static boolean isScaled(long seed) {
        return Dice.of(seed, Purpose.VARIETY, 2).chance(0.2);
    }

    /** The partitions that are there for it. */
    SortedMap<PartitionPath, PartitionSpec> partitions() {
        TreeMap<PartitionPath, PartitionSpec> wanted = new TreeMap<>();
        if (hasRoles) {
            HandoffPolicy unordered = new HandoffPolicy(Migration.FORWARD, Arrival.PROCESS, Update.FORWARD);
            wanted.put(path("roles/alone"), new PartitionSpec(1, "backend", HandoffPolicy.singleton()));
            wanted.put(path("roles/unordered"), new PartitionSpec(1, "frontend", unordered));
            wanted.put(path("roles/several"), new PartitionSpec(2, "backend", HandoffPolicy.ordered()));
        }
        if (isScaled) {
            wanted.put(path("scaled/any"), new PartitionSpec(1, 4, 0, "", HandoffPolicy.stateless()));
            wanted.put(path("scaled/ordered"), new PartitionSpec(2, 5, 3, "", HandoffPolicy.ordered()));
        }
        return wanted;
    }

    private static PartitionPath path(String text) {
        return new PartitionPath(text);
    }

    /** As which a partition that was ended may be wanted again. */
    public List<PartitionSpec> choicesFor(PartitionSpec first) {
        if (first.role().isEmpty()) {
            return List.of(first);
        }
        return List.of("backend", "frontend", "").stream()
                .map(role -> new PartitionSpec(first.instances(), first.most(), first.hint(), role, first.policy()))
                .toList();
    }

    /** With what a process joins that is the first, second, ... at its place. */
    public JoinSettings joining(JoinSettings settings, int incarnation) {
        if (!isUpgraded) {
            return settings;
        }
        return new JoinSettings(
                settings.seedNodes(),
                settings.seedNodeTimeout(),
                settings.retryUnsuccessfulJoinAfter(),
                settings.islandCheckInterval(),
                settings.roles(),
                incarnation == 0 ? FIRST_VERSION : NEXT_VERSION,
                settings.wireVersion());
    }

    /** Mostly the settings that are given. Where load is to have a say within the time of a run, it has that soon. */
    static ClusterSettings drawn(ClusterSettings settings, long seed) {
        Dice dice = Dice.of(seed, Purpose.VARIETY, 3);
        boolean isOther = dice.chance(0.25);
        boolean isTight = dice.chance(0.1);
        PartitionSettings before = settings.partitions();
        LoadSettings soon = new LoadSettings(seconds(dice, 1, 3), before.load().askedAtOnce(), seconds(dice, 1, 3));
        LoadSettings load = isScaled(seed) ? soon : before.load();
        RebalanceSettings rebalance = new RebalanceSettings(
                0.05 + dice.unit() / 2,
                dice.chance(0.3),
                dice.chance(0.2) ? Optional.empty() : Optional.of(seconds(dice, 2, 20)));
        PartitionSettings other = new PartitionSettings(
                seconds(dice, 2, 8), dice.betweenInclusive(1, 10), before.drainTimeout(), rebalance, load);
        HandoffSettings tight =
                new HandoffSettings(seconds(dice, 3, 5), dice.betweenInclusive(1, 3), dice.betweenInclusive(100, 500));
        return settings.withPartitions(isOther ? other : before.withLoad(load))
                .withHandoff(isTight ? tight : settings.handoff());
    }

    private static Duration seconds(Dice dice, int low, int high) {
        return Duration.ofSeconds(dice.betweenInclusive(low, high));
    }
}
