package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.handoff.HandoffSettings;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.simulator.check.CrashCells.Role;
import dev.muster.simulator.check.MoveSteps;
import dev.muster.simulator.plan.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * NET-24 for moves: somebody is cut off from all others in the middle of one: N1, N2, the leader or a sender, at each
 * of the six steps of the specification, under each of the twelve sets of options. Either the network is mended before
 * anybody draws conclusions, or the one who was alone has had to go. Nothing that is promised is broken, the move comes
 * to an end, and the partition answers afterwards.
 */
class HandoffCutsTest {
    private static final int PARTS = 12;
    private static final Duration SHORT = Duration.ofSeconds(4);
    private static final Duration LONG = Duration.ofSeconds(40);

    private record Cell(HandoffPolicy policy, Role role, int step, Duration lasts) {}

    private static List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (HandoffPolicy policy : Workload.policies()) {
            for (Role role : Role.values()) {
                for (int step = 1; step <= MoveSteps.LAST; step++) {
                    cells.add(new Cell(policy, role, step, SHORT));
                    cells.add(new Cell(policy, role, step, LONG));
                }
            }
        }
        return cells;
    }

    @Test
    void everyTwelfthCell() {
        List<Cell> cells = cells();
        List<Cell> part = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            // Not simply every twelfth, which would always be the same step.
            if ((i + i / (2 * MoveSteps.LAST)) % PARTS == 0) {
                part.add(cells.get(i));
            }
        }
        assertThat(part).extracting(Cell::step).contains(1, 2, 3, 4, 5, 6);
        assertThat(part).extracting(Cell::role).contains(Role.values());
        assertThat(part).extracting(Cell::policy).containsAll(Workload.policies());
        assertThat(part).extracting(Cell::lasts).contains(SHORT, LONG);
        isolateIn(part);
    }

    @Test
    @Tag("soak")
    void everyCell() {
        isolateIn(cells());
    }

    private static void isolateIn(List<Cell> cells) {
        List<String> problems = new ArrayList<>();
        for (Cell cell : cells) {
            try {
                isolateIn(cell);
            } catch (AssertionError broken) {
                problems.add(cell + ": " + broken.getMessage());
            }
        }
        assertThat(problems).isEmpty();
    }

    private static void isolateIn(Cell cell) {
        MovingPartition moving = new MovingPartition(cell.policy(), HandoffSettings.defaults()).formed();
        SimulatedNode alone = moving.inRole(cell.role());
        boolean[] isCut = {false};
        moving.when(() -> moving.isAtStep(cell.step()), () -> {
            isCut[0] = true;
            moving.others(alone).forEach(other -> {
                moving.cluster.cut(alone.slot(), other.slot());
                moving.cluster.cut(other.slot(), alone.slot());
            });
        });
        moving.move();
        moving.runUntil("where it is cut", 10, () -> isCut[0]);
        moving.cluster.runFor(cell.lasts());
        moving.cluster.heal();
        moving.runUntil("at rest", 60, moving::isAtRest);
        moving.stopWriting();
        assertThat(moving.cluster.runningNodes()).hasSize(cell.lasts().equals(SHORT) ? 5 : 4);
        assertThat(moving.unanswered()).isEmpty();
        assertThat(moving.left()).isEmpty();
        assertThat(moving.cluster.violations()).isEmpty();
    }
}
