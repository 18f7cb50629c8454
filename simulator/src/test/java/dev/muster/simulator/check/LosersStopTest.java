package dev.muster.simulator.check;

import static dev.muster.core.state.MemberStatus.DOWN;
import static dev.muster.core.state.MemberStatus.UP;
import static dev.muster.simulator.check.StandingWorld.SECOND;
import static dev.muster.simulator.check.StandingWorld.member;
import static dev.muster.simulator.check.StandingWorld.quarantined;
import static dev.muster.simulator.check.StandingWorld.stateOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.ClusterSettings;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.ClusterState;
import org.junit.jupiter.api.Test;

class LosersStopTest {
    private static final ClusterState WITHOUT_B = stateOf(member("a", UP), member("b", DOWN), member("c", UP));
    private static final ClusterState OF_B = stateOf(member("b", UP), member("a", UP), member("c", UP));

    private final Checker checker = new LosersStop(new History(new StepReader()));

    private static StandingWorld worldWith(DowningStrategy strategy) {
        ClusterSettings settings = ClusterSettings.defaults();
        return new StandingWorld(settings.withDowning(settings.downing().withStrategy(strategy)));
    }

    @Test
    void oneThatRunsOnAlthoughItsClusterGaveItUpIsReported() {
        StandingWorld world = worldWith(new DowningStrategy.Manual());
        world.runs("a", WITHOUT_B);
        world.runs("b", OF_B);

        world.pass(1_000 * SECOND, checker);

        assertThat(world.violations()).containsExactly("B5");
    }

    @Test
    void withManualDowningOneThatQuarantinedAllWhoCouldTellItMayRunOn() {
        StandingWorld world = worldWith(new DowningStrategy.Manual());
        world.runs("a", WITHOUT_B);
        world.runs("b", quarantined(OF_B, "b", "a"));

        world.pass(1_000 * SECOND, checker);

        assertThat(world.violations()).isEmpty();
    }

    @Test
    void somebodyInBetweenCanStillTellIt() {
        StandingWorld world = worldWith(new DowningStrategy.Manual());
        world.runs("a", WITHOUT_B);
        world.runs("b", quarantined(OF_B, "b", "a"));
        world.runs("c", OF_B);

        world.pass(1_000 * SECOND, checker);

        assertThat(world.violations()).containsExactly("B5");
    }

    @Test
    void whereAStrategyDecidesItHasToFindOutByItself() {
        StandingWorld world = worldWith(new DowningStrategy.KeepMajority(""));
        world.runs("a", WITHOUT_B);
        world.runs("b", quarantined(OF_B, "b", "a"));

        world.pass(1_000 * SECOND, checker);

        assertThat(world.violations()).containsExactly("B5");
    }
}
