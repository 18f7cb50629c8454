package dev.muster.simulator.fault;

import static dev.muster.simulator.fault.FaultDrawing.MILLIS;
import static dev.muster.simulator.fault.FaultDrawing.SECONDS;

import dev.muster.simulator.fault.FaultAction.Direction;
import dev.muster.simulator.fault.FaultAction.Lose;
import dev.muster.simulator.fault.FaultAction.Quarantine;
import dev.muster.simulator.fault.FaultAction.ResetConnections;
import dev.muster.simulator.fault.FaultAction.Slow;
import java.util.List;

/** Links that carry messages late, twice, or in pieces. */
final class TrafficFaults {
    private static final List<Double> LOSSES = List.of(0.01, 0.02, 0.05, 0.1, 0.2, 0.4);

    private TrafficFaults() {}

    static void loss(FaultDrawing drawing) {
        for (int i = drawing.oneEvery(60); i > 0; i--) {
            long at = drawing.moment();
            long length = drawing.lasting(at, 5 * SECONDS, 60 * SECONDS);
            if (drawing.dice().chance(0.5)) {
                double probability = drawing.dice().pick(LOSSES);
                drawing.add(at, new Lose(FaultAction.EVERYBODY, Direction.BOTH, probability, length));
            } else {
                Direction direction = drawing.dice().pick(List.of(Direction.values()));
                drawing.add(at, new Lose(drawing.slot(), direction, 0.8, length));
            }
        }
    }

    static void delays(FaultDrawing drawing) {
        for (int i = drawing.oneEvery(60); i > 0; i--) {
            long at = drawing.moment();
            int slot = drawing.dice().chance(0.5) ? FaultAction.EVERYBODY : drawing.slot();
            long length = drawing.lasting(at, 5 * SECONDS, 60 * SECONDS);
            drawing.add(at, new Slow(slot, 100 * MILLIS, 900 * MILLIS, length));
        }
    }

    static void duplicates(FaultDrawing drawing) {
        for (int i = drawing.oneEvery(20); i > 0; i--) {
            int slot = drawing.dice().chance(0.4) ? FaultAction.EVERYBODY : drawing.slot();
            drawing.add(
                    drawing.moment(), new ResetConnections(slot, drawing.dice().chance(0.3), true));
        }
    }

    /** Mostly in storms with a reset every one to five seconds, as NET-21 has it. */
    static void resets(FaultDrawing drawing) {
        for (int storm = drawing.oneEvery(90); storm > 0; storm--) {
            long at = drawing.moment();
            long end = at + drawing.lasting(at, 5 * SECONDS, 40 * SECONDS);
            int slot = drawing.dice().chance(0.5) ? FaultAction.EVERYBODY : drawing.slot();
            for (long next = at; next < end; next += drawing.dice().between(SECONDS, 5 * SECONDS)) {
                drawing.add(next, new ResetConnections(slot, drawing.dice().chance(0.5), false));
            }
        }
    }

    /**
     * Every quarantine of a living peer costs a member: they are few where nobody starts a new process in its place.
     * One in four is about a process that is long gone.
     */
    static void quarantines(FaultDrawing drawing) {
        int costly = drawing.ground().staysAlive()
                ? Integer.MAX_VALUE
                : (drawing.ground().slots() - 1) / 2;
        for (int i = drawing.oneEvery(60); i > 0; i--) {
            int slot = drawing.slot();
            boolean oldIncarnation = drawing.dice().chance(0.25);
            if (oldIncarnation || costly-- > 0) {
                drawing.add(drawing.moment(), new Quarantine(slot, drawing.slotBut(slot), oldIncarnation));
            }
        }
    }
}
