package dev.muster.simulator.check;

import static dev.muster.core.state.MemberStatus.LEAVING;
import static dev.muster.core.state.MemberStatus.UP;
import static dev.muster.simulator.check.StandingWorld.SECOND;
import static dev.muster.simulator.check.StandingWorld.member;
import static dev.muster.simulator.check.StandingWorld.quarantined;
import static dev.muster.simulator.check.StandingWorld.stateOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.ClusterSettings;
import dev.muster.core.state.ClusterState;
import org.junit.jupiter.api.Test;

class LeavingEndsTest {
    private final StandingWorld world = new StandingWorld(ClusterSettings.defaults());
    private final Checker checker = new LeavingEnds(new History(new StepReader()));

    @Test
    void whoLeavesForEverIsReported() {
        ClusterState both = stateOf(member("a", UP), member("b", LEAVING));
        world.runs("a", both);
        world.runs("b", both);

        world.pass(100 * SECOND, checker);

        assertThat(world.violations()).contains("L9");
    }

    @Test
    void whomAQuarantineHasCutOffCannotBeLetGo() {
        ClusterState both = stateOf(member("a", UP), member("b", LEAVING));
        world.runs("a", both);
        world.runs("b", quarantined(both, "b", "a"));

        world.pass(100 * SECOND, checker);

        assertThat(world.violations()).isEmpty();
    }

    @Test
    void somebodyInBetweenLetsItGoAllTheSame() {
        ClusterState three = stateOf(member("a", UP), member("b", LEAVING), member("c", UP));
        world.runs("a", three);
        world.runs("b", quarantined(three, "b", "a"));
        world.runs("c", three);

        world.pass(100 * SECOND, checker);

        assertThat(world.violations()).contains("L9");
    }
}
