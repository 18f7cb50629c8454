package dev.muster.simulator.plan;

import dev.muster.core.ClusterSettings;
import dev.muster.core.handoff.HandoffSettings;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.check.Bounds;
import dev.muster.simulator.fault.FaultDrawing;
import dev.muster.simulator.fault.FaultKind;
import dev.muster.simulator.fault.FaultSchedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws a run from a seed. Swarm testing: every run has its own size, settings and mix of faults, because many mixed
 * worlds find more than one world with everything switched on.
 */
public final class RunPlanner {
    private static final long SECONDS = 1_000_000_000;
    private static final int MOST_VISITORS = 2;

    private final long seed;
    private final SimulationOptions options;
    private final Dice dice;
    private final Dice faultDice;

    private RunPlanner(long seed, SimulationOptions options) {
        this.seed = seed;
        this.options = options;
        this.dice = Dice.of(seed, Purpose.PLAN);
        this.faultDice = Dice.of(seed, Purpose.FAULTS);
    }

    public static RunPlan plan(long seed, SimulationOptions options) {
        return options.excerpt().of(new RunPlanner(seed, options).plan());
    }

    /** The options with which {@link #plan} gives a plan that was drawn with these options and then made shorter. */
    public static SimulationOptions optionsFor(RunPlan part, SimulationOptions options) {
        RunPlan whole = plan(part.seed(), options.withExcerpt(Excerpt.WHOLE));
        return options.withExcerpt(Excerpt.between(whole, part));
    }

    private RunPlan plan() {
        // Always drawn, even where an option overrides it, so that options do not shift the dice of the rest.
        int drawnNodes = drawNodes();
        int nodes = options.nodes().orElse(drawnNodes);
        ClusterSettings settings = new SettingsDrawing(Dice.of(seed, Purpose.SETTINGS), nodes, nodes + MOST_VISITORS)
                .draw(options.downing());
        if (options.workload() == Workload.HANDOFF) {
            settings = withDrawnHandoff(settings, Dice.of(seed, Purpose.HANDOFF));
            settings = HandoffVariety.drawn(settings, seed);
        }
        LinkProfile links = LinkProfile.draw(dice);
        TimerHabit timers = dice.pick(List.of(TimerHabit.values()));
        boolean supervised = dice.chance(0.5);
        long supervisorDelay = dice.between(SECONDS, 15 * SECONDS);
        boolean liveness = dice.chance(0.5);
        boolean uidCollision = dice.chance(0.03);
        List<FaultKind> kinds = drawKinds();
        long quietTail = liveness ? quietTailNanos(settings, nodes) : 0;
        long length = drawLength(nodes, quietTail);
        long warmUp = drawWarmUp(nodes);
        long quietFrom = Math.max(length - quietTail, length / 4);
        List<RunPlan.Slot> slots = drawSlots(nodes, kinds.contains(FaultKind.CLOCKS));
        FaultSchedule schedule = FaultDrawing.draw(
                kinds,
                new FaultDrawing.Ground(
                        nodes, nodes, visitors(settings), Math.min(warmUp, quietFrom / 2), quietFrom, supervised),
                faultDice.nextLong());
        return new RunPlan(
                seed,
                settings,
                slots,
                links,
                timers,
                kinds,
                schedule,
                supervised ? supervisorDelay : 0,
                liveness,
                uidCollision,
                quietFrom,
                length);
    }

    /** Mostly the defaults; in some runs little may wait, or a leaver has little time. */
    private static ClusterSettings withDrawnHandoff(ClusterSettings settings, Dice dice) {
        HandoffSettings defaults = HandoffSettings.defaults();
        HandoffSettings small = new HandoffSettings(
                Duration.ofSeconds(dice.betweenInclusive(3, 15)),
                dice.betweenInclusive(1, 40),
                dice.betweenInclusive(500, 10_000));
        Duration drain = dice.chance(0.7) ? Duration.ofSeconds(60) : Duration.ofSeconds(dice.betweenInclusive(2, 20));
        return settings.withHandoff(dice.chance(0.75) ? defaults : small)
                .withPartitions(settings.partitions().withDrainTimeout(drain));
    }

    private int visitors(ClusterSettings settings) {
        return settings.lifecycle().minNrOfMembers() > 1 ? 1 : MOST_VISITORS;
    }

    private int drawNodes() {
        double choice = dice.unit();
        int seven = dice.betweenInclusive(7, 10);
        int twenty = dice.betweenInclusive(20, 50);
        if (choice < 0.4) {
            return 3;
        }
        if (choice < 0.7) {
            return 5;
        }
        return choice < 0.9 ? seven : choice < 0.99 ? twenty : 200;
    }

    private List<FaultKind> drawKinds() {
        List<FaultKind> mask = new ArrayList<>();
        for (FaultKind kind : FaultKind.values()) {
            // One that came later has dice of its own, so that the runs without it stay what they were.
            boolean isOn = kind == FaultKind.QUARANTINES
                    ? Dice.of(seed, Purpose.FAULTS, kind.ordinal()).chance(0.25)
                    : dice.chance(0.5);
            if (isOn) {
                mask.add(kind);
            }
        }
        return options.drawsFaults() ? mask : options.faults().orElseThrow();
    }

    /** Long enough that every promise of section "liveness" has had its time: detection, decision, several gossips. */
    private static long quietTailNanos(ClusterSettings settings, int nodes) {
        int members = nodes + MOST_VISITORS;
        return 20 * SECONDS + Bounds.settledNanos(settings, members) + 2 * Bounds.downingNanos(settings, members);
    }

    private long drawLength(int nodes, long quietTail) {
        long drawn = dice.between(80 * SECONDS, 280 * SECONDS);
        long length = nodes > 100 ? drawn / 2 + quietTail : drawn + quietTail;
        return options.length().map(Duration::toNanos).orElse(length);
    }

    /** Most runs have a working cluster before anything breaks; in some it breaks while it forms. */
    private long drawWarmUp(int nodes) {
        long calm = dice.between(10 * SECONDS, 25 * SECONDS) + nodes * SECONDS / 20;
        return dice.chance(0.75) ? calm : SECONDS / 10;
    }

    private List<RunPlan.Slot> drawSlots(int nodes, boolean drifting) {
        Dice slotDice = Dice.of(seed, Purpose.SLOTS);
        long within = slotDice.chance(0.5) ? SECONDS / 100 : slotDice.between(SECONDS, 6 * SECONDS);
        boolean hasRoles = slotDice.chance(0.3);
        List<RunPlan.Slot> slots = new ArrayList<>();
        for (int slot = 0; slot < nodes; slot++) {
            long start = slotDice.between(0, within);
            int drift = slotDice.betweenInclusive(-50_000, 50_000);
            List<String> roles = List.of(slot % 2 == 0 ? "backend" : "frontend");
            slots.add(new RunPlan.Slot(start, hasRoles ? roles : List.of(), drifting ? drift : 0));
        }
        return slots;
    }
}
