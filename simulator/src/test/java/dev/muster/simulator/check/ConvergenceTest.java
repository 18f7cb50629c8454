package dev.muster.simulator.check;

import static dev.muster.core.state.MemberStatus.JOINING;
import static dev.muster.core.state.MemberStatus.UP;
import static dev.muster.simulator.check.StandingWorld.SECOND;
import static dev.muster.simulator.check.StandingWorld.member;
import static dev.muster.simulator.check.StandingWorld.quarantined;
import static dev.muster.simulator.check.StandingWorld.stateOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.ClusterSettings;
import dev.muster.core.state.ClusterState;
import dev.muster.simulator.check.StandingWorld.Standing;
import org.junit.jupiter.api.Test;

class ConvergenceTest {
    private static final ClusterState WITH_DEAD_B = stateOf(member("a", UP), member("b", UP));
    private static final ClusterState WITH_NEWCOMER = stateOf(member("a", UP), member("c", JOINING));

    private final StandingWorld world = new StandingWorld(ClusterSettings.defaults());
    private final Checker checker = new Convergence(new History(new StepReader()));

    @Test
    void aNewcomerWhomTheDeadKeptOutHasItsTimeFromWhenItIsThere() {
        Standing a = world.runs("a", WITH_DEAD_B);
        Standing c = world.runs("c", ClusterState.EMPTY);
        world.pass(100 * SECOND, checker);

        a.holds(WITH_NEWCOMER);
        c.holds(WITH_NEWCOMER);
        world.pass(SECOND, checker);
        world.pass(15 * SECOND, checker);

        assertThat(world.violations()).isEmpty();
    }

    @Test
    void aNewcomerThatWaitsForTooLongIsReported() {
        world.runs("a", WITH_NEWCOMER);
        world.runs("c", WITH_NEWCOMER);
        world.pass(SECOND, checker);

        world.pass(16 * SECOND, checker);

        assertThat(world.violations()).contains("C7");
    }

    @Test
    void whoeverHoldsAnotherVersionIsReported() {
        world.runs("a", WITH_DEAD_B);
        world.runs("b", stateOf(member("b", UP), member("a", UP)));

        world.pass(9 * SECOND, checker);

        assertThat(world.violations()).contains("C6");
    }

    @Test
    void whomAQuarantineHasCutOffCannotAgree() {
        ClusterState mine = stateOf(member("a", UP), member("b", UP));
        world.runs("a", mine);
        world.runs("b", quarantined(mine, "b", "a"));

        world.pass(9 * SECOND, checker);

        assertThat(world.violations()).isEmpty();
    }

    @Test
    void somebodyInBetweenLetsThemAgreeAllTheSame() {
        ClusterState mine = stateOf(member("a", UP), member("b", UP), member("c", UP));
        world.runs("a", mine);
        world.runs("b", quarantined(mine, "b", "a"));
        world.runs("c", mine);

        world.pass(12 * SECOND, checker);

        assertThat(world.violations()).contains("C6");
    }
}
