package dev.muster.core.partition;

import static dev.muster.core.partition.KeeperWorld.SECOND;
import static dev.muster.core.partition.Layouts.node;
import static dev.muster.core.partition.Layouts.path;
import static dev.muster.core.partition.Layouts.up;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.StateBuilder;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The number of instances follows the load, from the samples of nodes to the table. */
class ScalingByLoadTest {
    private static final long MINUTE = 60 * SECOND;
    private static final String PATH = "jobs";

    /** Four nodes, of which the last three may host it. */
    private static KeeperWorld hosting(int least, int most, int hint) {
        StateBuilder state = StateBuilder.aState().with(up(1, Member.MUSTER_ROLE));
        for (int number = 2; number <= 4; number++) {
            state.with(up(number, Member.MUSTER_ROLE, "worker"));
        }
        KeeperWorld world = new KeeperWorld(state.build(), 1, 0);
        PartitionSpec spec = new PartitionSpec(least, most, hint, "worker", HandoffPolicy.stateless());
        world.at(node(1)).want(path(PATH), spec, world.now());
        world.pass(2 * SECOND);
        return world;
    }

    /** Lets time pass in which so many messages wait for each instance, and its node is so busy. */
    private static void pass(KeeperWorld world, long nanos, long waiting, double cpuLoad) {
        for (long end = world.now() + nanos; world.now() < end; world.pass(5 * SECOND)) {
            for (NodeId node : world.nodes()) {
                TreeMap<PartitionPath, Long> mailboxes = new TreeMap<>();
                world.runningOn(node).forEach(path -> mailboxes.put(path, waiting));
                world.at(node).measured(mailboxes.isEmpty() ? 0 : cpuLoad, 0, mailboxes);
            }
        }
    }

    private static int instances(KeeperWorld world) {
        int running = world.running(PATH).size();
        assertThat(world.table().find(path(PATH)).orElseThrow().instances()).hasSize(running);
        return running;
    }

    @Test
    void floodedMailboxesMakeInstancesAppearAndCalmMakesThemGo() {
        KeeperWorld world = hosting(1, 10, 0);
        assertThat(instances(world)).isEqualTo(1);

        pass(world, MINUTE, 5_000, 0.5);
        assertThat(instances(world)).isGreaterThan(1);
        pass(world, MINUTE, 5_000, 0.5);
        assertThat(instances(world)).as("as many as nodes may host it").isEqualTo(3);

        pass(world, 20 * MINUTE, 80, 0.5);
        assertThat(instances(world))
                .as("neither too much nor little enough for fewer")
                .isEqualTo(3);

        pass(world, 6 * MINUTE, 0, 0.05);
        assertThat(instances(world)).isEqualTo(2);
        pass(world, 6 * MINUTE, 0, 0.05);
        assertThat(instances(world)).isEqualTo(1);
        pass(world, 20 * MINUTE, 0, 0.05);
        assertThat(instances(world)).isEqualTo(1);
    }

    @Test
    void busyProcessorsAreAReasonTooAndTheUsersLimitHolds() {
        KeeperWorld world = hosting(1, 2, 0);
        pass(world, 5 * MINUTE, 10, 1);
        assertThat(instances(world)).isEqualTo(2);
    }

    @Test
    void aShortPeakIsNoReason() {
        KeeperWorld world = hosting(1, 10, 0);
        for (int i = 0; i < 5; i++) {
            pass(world, 10 * SECOND, 5_000, 0.5);
            pass(world, 30 * SECOND, 0, 0.05);
        }
        assertThat(instances(world)).isEqualTo(1);
    }

    @Test
    void whoExpectsLoadHasTheInstancesBeforeItComesAndKeepsThem() {
        KeeperWorld world = hosting(1, 3, 2);
        pass(world, MINUTE, 0, 0.05);
        assertThat(instances(world)).isEqualTo(2);
        pass(world, 20 * MINUTE, 0, 0.05);
        assertThat(instances(world)).isEqualTo(2);
    }

    @Test
    void withAFixedNumberLoadHasNoSay() {
        KeeperWorld world = hosting(1, 1, 0);
        pass(world, 5 * MINUTE, 5_000, 1);
        assertThat(instances(world)).isEqualTo(1);
    }
}
