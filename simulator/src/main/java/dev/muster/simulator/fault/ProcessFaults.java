package dev.muster.simulator.fault;

import static dev.muster.simulator.fault.FaultDrawing.MILLIS;
import static dev.muster.simulator.fault.FaultDrawing.SECONDS;

import dev.muster.simulator.fault.FaultAction.ChangeDrift;
import dev.muster.simulator.fault.FaultAction.Crash;
import dev.muster.simulator.fault.FaultAction.CrashActingLeader;
import dev.muster.simulator.fault.FaultAction.JumpWallClock;
import dev.muster.simulator.fault.FaultAction.Pause;
import dev.muster.simulator.fault.FaultAction.Restart;
import java.util.List;

/** Processes that die, stand still, or have strange clocks. */
final class ProcessFaults {
    private static final long HOUR_MILLIS = 3_600_000;
    private static final List<Long> WALL_JUMPS = List.of(HOUR_MILLIS, -HOUR_MILLIS, 10 * 365 * 24 * HOUR_MILLIS, -1L);

    private ProcessFaults() {}

    static void crashes(FaultDrawing drawing) {
        int few = Math.max(1, (drawing.ground().slots() - 1) / 2);
        int count = drawing.ground().staysAlive()
                ? drawing.oneEvery(40)
                : drawing.dice().betweenInclusive(1, few);
        while (count > 0) {
            long at = drawing.moment();
            if (drawing.dice().chance(0.3)) {
                drawing.add(at, new CrashActingLeader());
                count--;
            } else if (drawing.dice().chance(0.2)) {
                int together = drawing.dice()
                        .betweenInclusive(2, Math.max(2, drawing.ground().slots() * 3 / 5));
                drawing.slots(Math.min(together, count)).forEach(slot -> drawing.add(at, new Crash(slot)));
                count -= together;
            } else {
                drawing.add(at, new Crash(drawing.slot()));
                count--;
            }
        }
    }

    static void restarts(FaultDrawing drawing) {
        for (int i = drawing.oneEvery(40); i > 0; i--) {
            long at = drawing.moment();
            long after = drawing.dice().chance(0.5)
                    ? drawing.lasting(at, 50 * MILLIS, 3 * SECONDS)
                    : drawing.lasting(at, 3 * SECONDS, 40 * SECONDS);
            int together = drawing.dice().chance(0.05)
                    ? drawing.ground().slots()
                    : drawing.dice().chance(0.8) ? 1 : 2;
            drawing.add(at, new Restart(drawing.slots(together), after));
        }
    }

    static void pauses(FaultDrawing drawing) {
        for (int i = drawing.oneEvery(25); i > 0; i--) {
            long at = drawing.moment();
            int together = drawing.dice().chance(0.85) ? 1 : 2;
            for (int slot : drawing.slots(together)) {
                drawing.add(at, new Pause(slot, pauseLength(drawing, at)));
            }
        }
    }

    private static long pauseLength(FaultDrawing drawing, long at) {
        double length = drawing.dice().unit();
        return length < 0.5
                ? drawing.lasting(at, SECONDS / 2, 3 * SECONDS)
                : length < 0.85
                        ? drawing.lasting(at, 3 * SECONDS, 10 * SECONDS)
                        : drawing.lasting(at, 10 * SECONDS, 40 * SECONDS);
    }

    static void clocks(FaultDrawing drawing) {
        for (int i = drawing.oneEvery(25); i > 0; i--) {
            if (drawing.dice().chance(0.5)) {
                drawing.add(
                        drawing.moment(),
                        new JumpWallClock(drawing.slot(), drawing.dice().pick(WALL_JUMPS)));
            } else {
                int drift = drawing.dice().betweenInclusive(-50_000, 50_000);
                drawing.add(drawing.moment(), new ChangeDrift(drawing.slot(), drift));
            }
        }
    }
}
