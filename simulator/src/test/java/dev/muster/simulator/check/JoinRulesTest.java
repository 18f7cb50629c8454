package dev.muster.simulator.check;

import static dev.muster.core.state.MemberStatus.UP;
import static dev.muster.simulator.check.StandingWorld.SECOND;
import static dev.muster.simulator.check.StandingWorld.id;
import static dev.muster.simulator.check.StandingWorld.member;
import static dev.muster.simulator.check.StandingWorld.stateOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Input;
import dev.muster.core.state.ClusterState;
import dev.muster.simulator.check.StandingWorld.Standing;
import org.junit.jupiter.api.Test;

class JoinRulesTest {
    private final StandingWorld world = new StandingWorld(ClusterSettings.defaults());
    private final StepReader reader = new StepReader();
    private final Checker checker = new JoinRules(reader, new History(reader));
    private final Standing joiner = world.runs("j", ClusterState.EMPTY);

    private void isTold(Command command) {
        world.step(joiner, checker, new Input.CommandGiven(command));
    }

    private void ends() {
        world.pass(600 * SECOND, checker);
        checker.atEnd(world);
    }

    @Test
    void whoIsNotLetInByTheOneThatItAsksIsReported() {
        world.runs("a", stateOf(member("a", UP)));
        isTold(new Command.JoinTo(id("a").address()));

        ends();

        assertThat(world.sentences())
                .singleElement()
                .asString()
                .contains(id("a").toString())
                .contains("could let it in");
    }

    /** Others could let it in, but nobody has told it to ask them. */
    @Test
    void whoIsToldToAskTheDeadIsNotExpectedElsewhere() {
        world.runs("a", stateOf(member("a", UP)));
        isTold(new Command.JoinTo(id("a").address()));
        isTold(new Command.JoinTo(id("dead").address()));

        ends();

        assertThat(world.violations()).isEmpty();
    }

    /** A command to somebody who is a member already changes nothing. */
    @Test
    void whatAMemberIsToldIsOfNoInterest() {
        world.runs("a", stateOf(member("a", UP)));
        isTold(new Command.JoinTo(id("a").address()));
        joiner.holds(stateOf(member("j", UP)));
        isTold(new Command.JoinTo(id("dead").address()));
        joiner.holds(ClusterState.EMPTY);

        ends();

        assertThat(world.violations()).isNotEmpty();
    }
}
