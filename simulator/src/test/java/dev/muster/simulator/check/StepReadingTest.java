package dev.muster.simulator.check;

import static dev.muster.core.state.MemberStatus.DOWN;
import static dev.muster.core.state.MemberStatus.UP;
import static dev.muster.simulator.check.StandingWorld.id;
import static dev.muster.simulator.check.StandingWorld.member;
import static dev.muster.simulator.check.StandingWorld.stateOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.GossipMessage.GossipState;
import dev.muster.core.exchange.Input;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.simulator.check.StandingWorld.Standing;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepReadingTest {
    private static final ClusterState BEFORE = stateOf(member("a", UP), member("b", UP));
    private static final ClusterState AFTER = stateOf(member("b", UP), member("a", DOWN));
    private static final ClusterState HEARD = stateOf(member("c", UP), member("a", UP), member("b", DOWN));

    private final StandingWorld world = new StandingWorld(ClusterSettings.defaults());
    private final Standing a = world.runs("a", BEFORE);

    private StepReading heardFor(NodeId whom) {
        Input input = new Input.MessageReceived(id("b"), new GossipState(whom, HEARD), 0);
        return new StepReading(new Step(world, a, input, 0, BEFORE, AFTER, List.of()));
    }

    @Test
    void whatIsMeantForAnotherIncarnationWasNotLearned() {
        StepReading reading = heardFor(new NodeId(id("a").address(), 7));

        assertThat(reading.received()).isNull();
        assertThat(reading.base()).isSameAs(BEFORE);
    }

    @Test
    void whatIsMeantForThisOneWas() {
        assertThat(heardFor(id("a")).received()).isSameAs(HEARD);
    }
}
