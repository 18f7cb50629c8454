package dev.muster.cluster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Input;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.environment.Dispatchers;
import dev.muster.environment.Environment;
import dev.muster.virtual.VirtualEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoreDriverTest {
    private static final NodeId SELF = new NodeId(new NodeAddress("muster", "one", "a", 2552), 1);
    private static final PartitionPath PATH = new PartitionPath("orders");

    private final VirtualEnvironment world = new VirtualEnvironment(1);
    private final List<String> seen = new ArrayList<>();
    private CoreDriver driver;

    /** Whoever has seen a partition may send to it at once. */
    @Test
    void usersSeeAPartitionWhenItsWayIsKnownAndBeforeItsEvents() {
        Environment environment = world.environment();
        driver = new CoreDriver(
                SELF,
                ClusterSettings.defaults(),
                environment,
                environment.dispatchers().named(Dispatchers.DEFAULT),
                this::look,
                bug -> {
                    throw new AssertionError(bug);
                },
                new ResumeFence(environment.clock(), Duration.ofSeconds(5).toNanos(), () -> {}));

        driver.offer(new Input.CommandGiven(
                new Command.WantPartition(PATH, new PartitionSpec(1, "", HandoffPolicy.stateless()))));
        driver.offer(new Input.CommandGiven(new Command.JoinTo(SELF.address())));
        world.advance(Duration.ofSeconds(10));

        assertThat(seen).startsWith("row, not shown", "event, shown").doesNotContain("event, not shown");
    }

    private void look(Effect effect) {
        String shown = driver.published().partitions().find(PATH).isPresent() ? "shown" : "not shown";
        if (effect instanceof Effect.FollowRow) {
            seen.add("row, " + shown);
        } else if (effect instanceof Effect.PublishEvent published
                && published.event() instanceof ClusterEvent.PartitionChanged) {
            seen.add("event, " + shown);
        }
    }
}
