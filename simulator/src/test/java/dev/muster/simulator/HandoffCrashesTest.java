package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.handoff.HandoffSettings;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.simulator.check.CrashCells;
import dev.muster.simulator.check.CrashCells.Role;
import dev.muster.simulator.check.MoveSteps;
import dev.muster.simulator.plan.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Somebody crashes in the middle of a move: N1, N2, the leader or a sender, at each of the six steps of the
 * specification, under each of the twelve sets of options. Nothing that is promised is broken, the move comes to an
 * end, and the partition answers afterwards.
 */
class HandoffCrashesTest {
    private static final int PARTS = 3;

    private record Cell(HandoffPolicy policy, Role role, int step) {
        private String name() {
            return CrashCells.name(policy, role, step);
        }
    }

    private static List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (HandoffPolicy policy : Workload.policies()) {
            for (Role role : Role.values()) {
                for (int step = 1; step <= MoveSteps.LAST; step++) {
                    cells.add(new Cell(policy, role, step));
                }
            }
        }
        return cells;
    }

    @Test
    void everyThirdCell() {
        List<Cell> cells = cells();
        List<Cell> part = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            // Not simply every third, which would always be the same steps.
            if ((i + i / MoveSteps.LAST) % PARTS == 0) {
                part.add(cells.get(i));
            }
        }
        crashIn(part);
    }

    @Test
    @Tag("soak")
    void everyCell() {
        TreeSet<String> covered = crashIn(cells());
        assertThat(covered).containsExactlyElementsOf(CrashCells.all(Workload.policies()));
    }

    private static TreeSet<String> crashIn(List<Cell> cells) {
        TreeSet<String> covered = new TreeSet<>();
        List<String> problems = new ArrayList<>();
        for (Cell cell : cells) {
            try {
                crashIn(cell);
                covered.add(cell.name());
            } catch (AssertionError broken) {
                problems.add(cell.name() + ": " + broken.getMessage());
            }
        }
        assertThat(problems).isEmpty();
        return covered;
    }

    private static void crashIn(Cell cell) {
        MovingPartition moving = new MovingPartition(cell.policy(), HandoffSettings.defaults()).formed();
        SimulatedNode victim = moving.inRole(cell.role());
        moving.when(() -> moving.isAtStep(cell.step()), () -> moving.cluster.crash(victim.slot()));
        moving.move();
        moving.runUntil("where it crashes", 10, () -> !victim.isRunning());
        assertThat(moving.cluster.situations()).contains(cell.name());
        moving.runUntil("at rest", 60, moving::isAtRest);
        moving.stopWriting();
        assertThat(moving.unanswered()).isEmpty();
        assertThat(moving.left()).isEmpty();
        assertThat(moving.cluster.violations()).isEmpty();
    }
}
