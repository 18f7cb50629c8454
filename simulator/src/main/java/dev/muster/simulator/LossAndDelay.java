package dev.muster.simulator;

import dev.muster.simulator.fault.FaultAction;
import dev.muster.simulator.fault.FaultAction.Direction;
import dev.muster.simulator.plan.RunPlan;
import java.util.ArrayList;
import java.util.List;

/** Faults of traffic that may overlap: the network is told the sum of all that are at work. */
final class LossAndDelay {
    private final World world;
    private final List<FaultAction.Lose> losses = new ArrayList<>();
    private final List<FaultAction.Slow> delays = new ArrayList<>();

    LossAndDelay(World world) {
        this.world = world;
    }

    Runnable lose(FaultAction.Lose lose) {
        losses.add(lose);
        applyLosses();
        return () -> {
            losses.remove(lose);
            applyLosses();
        };
    }

    Runnable slow(FaultAction.Slow slow) {
        delays.add(slow);
        applyDelays();
        return () -> {
            delays.remove(slow);
            applyDelays();
        };
    }

    private void applyLosses() {
        for (Place place : world.network().places()) {
            place.lossIn = 0;
            place.lossOut = 0;
        }
        double everywhere = 0;
        for (FaultAction.Lose lose : losses) {
            if (lose.slot() == FaultAction.EVERYBODY) {
                everywhere = Math.max(everywhere, lose.probability());
            } else {
                Place place = world.network().place(RunPlan.addressOf(lose.slot()));
                place.lossIn = lose.direction() == Direction.OUT ? place.lossIn : lose.probability();
                place.lossOut = lose.direction() == Direction.IN ? place.lossOut : lose.probability();
            }
        }
        world.network().setLoss(everywhere);
    }

    private void applyDelays() {
        for (Place place : world.network().places()) {
            place.slow = SlowLinks.NONE;
        }
        SlowLinks everywhere = SlowLinks.NONE;
        for (FaultAction.Slow slow : delays) {
            SlowLinks links = new SlowLinks(slow.lowNanos(), slow.highNanos());
            if (slow.slot() == FaultAction.EVERYBODY) {
                everywhere = links;
            } else {
                world.network().place(RunPlan.addressOf(slow.slot())).slow = links;
            }
        }
        world.network().setSlowEverywhere(everywhere);
    }
}
