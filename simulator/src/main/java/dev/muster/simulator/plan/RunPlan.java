package dev.muster.simulator.plan;

import dev.muster.core.ClusterSettings;
import dev.muster.core.state.NodeAddress;
import dev.muster.simulator.fault.FaultEvent;
import dev.muster.simulator.fault.FaultKind;
import dev.muster.simulator.fault.FaultSchedule;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Everything about a run that is decided before it begins. A run is a function of its plan: equal plans, equal traces.
 *
 * @param seed what all dice of the run come from
 * @param settings what all nodes run with, apart from roles and deliberate misconfiguration
 * @param slots the nodes that the run starts with, by slot
 * @param supervisorDelayNanos how long after its end a process is started again at the same address; 0 for never
 * @param liveness whether faults stop at {@code quietFromNanos} and the liveness promises are checked at the end
 * @param uidCollision whether one process is given the uid of another one
 */
public record RunPlan(
        long seed,
        ClusterSettings settings,
        List<Slot> slots,
        LinkProfile links,
        TimerHabit timers,
        List<FaultKind> faultKinds,
        FaultSchedule schedule,
        long supervisorDelayNanos,
        boolean liveness,
        boolean uidCollision,
        long quietFromNanos,
        long lengthNanos) {

    private static final int PORT = 2552;

    /** Where and how one of the initial nodes starts. */
    public record Slot(long startNanos, List<String> roles, int driftPartsPerMillion) {
        /** Never started: left out by the shrinker. */
        public static final long NEVER = Long.MAX_VALUE;

        public Slot {
            roles = List.copyOf(roles);
        }

        public boolean isUsed() {
            return startNanos != NEVER;
        }

        public Slot unused() {
            return new Slot(NEVER, roles, driftPartsPerMillion);
        }
    }

    public RunPlan {
        slots = List.copyOf(slots);
        faultKinds = List.copyOf(faultKinds);
    }

    /** The address that belongs to a slot. */
    public static NodeAddress addressOf(int slot) {
        return new NodeAddress("muster", "simulation", String.format(Locale.ROOT, "n%d", slot), PORT);
    }

    public RunPlan withSchedule(FaultSchedule next) {
        return new RunPlan(
                seed,
                settings,
                slots,
                links,
                timers,
                faultKinds,
                next,
                supervisorDelayNanos,
                liveness,
                uidCollision,
                quietFromNanos,
                lengthNanos);
    }

    public RunPlan withSlots(List<Slot> next) {
        return new RunPlan(
                seed,
                settings,
                next,
                links,
                timers,
                faultKinds,
                schedule,
                supervisorDelayNanos,
                liveness,
                uidCollision,
                quietFromNanos,
                lengthNanos);
    }

    public RunPlan withLengthNanos(long next) {
        return new RunPlan(
                seed,
                settings,
                slots,
                links,
                timers,
                faultKinds,
                schedule,
                supervisorDelayNanos,
                liveness,
                uidCollision,
                quietFromNanos,
                next);
    }

    public RunPlan withSettings(ClusterSettings next) {
        return new RunPlan(
                seed,
                next,
                slots,
                links,
                timers,
                faultKinds,
                schedule,
                supervisorDelayNanos,
                liveness,
                uidCollision,
                quietFromNanos,
                lengthNanos);
    }

    public int usedSlots() {
        return (int) slots.stream().filter(Slot::isUsed).count();
    }

    /** One line for people. */
    public String summary() {
        return String.format(
                Locale.ROOT,
                "%d nodes, %s, %s, %.0f s, faults %s (%d)",
                usedSlots(),
                settings.downing().strategy().name(),
                liveness ? "liveness" : "safety",
                lengthNanos / 1e9,
                faultKinds.stream().map(FaultKind::displayName).collect(Collectors.joining(",")),
                schedule.events().size());
    }

    /** All that happens by plan, a line each. */
    public String describeSchedule() {
        return schedule.events().stream().map(FaultEvent::toString).collect(Collectors.joining("\n"));
    }
}
