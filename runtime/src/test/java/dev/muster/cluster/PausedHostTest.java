package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.SpawnOptions;
import dev.muster.core.ClusterSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** After a process stood still, its partitions do nothing before the node itself has looked what time it is. */
class PausedHostTest {
    private static final Duration HALF_THE_PAUSE = Duration.ofMillis(1_500);

    private final List<ActorRef<String>> family = new ArrayList<>();
    private final List<String> handled = new ArrayList<>();
    private VirtualCluster cluster;
    private ClusterSnapshot beforeThePause;

    @BeforeEach
    void startOneNode() {
        cluster = new VirtualCluster(
                1,
                1,
                "muster.cluster.failure-detector.acceptable-heartbeat-pause = 3s",
                node -> node.cluster.host(Partition.singleton("desk", this::instance)));
        cluster.awaitUp();
        cluster.await("the instance and those below it are there", () -> family.size() == 4);
        cluster.pass(100);
    }

    private Behavior<String> instance() {
        return Behaviors.setup(context -> {
            family.add(context.self());
            family.add(context.spawn(collecting("blocking child"), "blocking", SpawnOptions.blocking()));
            family.add(context.spawn(
                    Behaviors.<String>setup(child -> {
                        family.add(child.spawn(collecting("grandchild")));
                        return collecting("child");
                    }),
                    "child"));
            return collecting("instance");
        });
    }

    private Behavior<String> collecting(String who) {
        return Behaviors.receive(String.class, (context, text) -> {
            // The core makes a new snapshot in each turn that was not for nothing.
            boolean hasTurned = cluster.node(0).cluster.snapshot() != beforeThePause;
            handled.add(who + (hasTurned ? " after the core" : " before the core"));
            return Behaviors.same();
        });
    }

    private void tellAllAndStandStillFor(Duration pause) {
        beforeThePause = cluster.node(0).cluster.snapshot();
        family.forEach(it -> it.tell("go"));
        cluster.world.standStill(pause);
    }

    @Test
    void whatWaitsInMailboxesIsHandledAfterTheTurnOfTheCore() {
        tellAllAndStandStillFor(HALF_THE_PAUSE.plusMillis(1));
        assertThat(handled).isEmpty();

        cluster.world.runUntilIdle();
        assertThat(handled)
                .containsExactlyInAnyOrder(
                        "instance after the core",
                        "blocking child after the core",
                        "child after the core",
                        "grandchild after the core");
    }

    @Test
    void aShortPauseKeepsNobodyWaiting() {
        tellAllAndStandStillFor(HALF_THE_PAUSE.minusSeconds(1));

        cluster.world.runUntilIdle();
        assertThat(handled).hasSize(4).allMatch(it -> it.endsWith(" before the core"));
    }
}
