package dev.muster.core.partition;

import static dev.muster.core.partition.KeeperWorld.SECOND;
import static dev.muster.core.partition.Layouts.node;
import static dev.muster.core.partition.Layouts.path;
import static dev.muster.core.partition.Layouts.up;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.StateBuilder;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitions that are moved because of what nodes say about their load, from the samples to the moves. */
class LoadBalancingTest {
    private static final long MINUTE = 60 * SECOND;
    private static final PartitionSpec ONE = new PartitionSpec(1, "", HandoffPolicy.stateless());

    /** How many moves chance may cause in a minute, of 40 partitions. */
    private static final int MOST_MOVES_BY_NOISE = 4;

    private static KeeperWorld worldOf(int nodes, int partitions) {
        KeeperWorld world = new KeeperWorld(LoadWorld.cluster(nodes), 1, 0);
        for (int i = 0; i < partitions; i++) {
            world.at(node(1)).want(path("p/" + i), ONE, world.now());
        }
        world.pass(2 * SECOND);
        return world;
    }

    /** Lets time pass in which each instance makes so much work for its node, and as many messages wait for it. */
    private static void pass(KeeperWorld world, long nanos, ToDoubleFunction<PartitionPath> work) {
        for (long end = world.now() + nanos; world.now() < end; world.pass(5 * SECOND)) {
            for (NodeId node : world.nodes()) {
                TreeMap<PartitionPath, Long> mailboxes = new TreeMap<>();
                double busy = 0;
                for (PartitionPath path : world.runningOn(node)) {
                    busy += work.applyAsDouble(path);
                    mailboxes.put(path, Math.round(1_000 * work.applyAsDouble(path)));
                }
                world.at(node).measured(Math.min(1, busy), 0, mailboxes);
            }
        }
    }

    private static double workOn(KeeperWorld world, int node, ToDoubleFunction<PartitionPath> work) {
        return world.runningOn(node(node)).stream().mapToDouble(work).sum();
    }

    @Test
    void loadThatStaysLopsidedIsEvenedOutOnceAndThenAllIsQuiet() {
        KeeperWorld world = worldOf(3, 90);
        var busyAtFirst = List.copyOf(world.runningOn(node(2)));
        ToDoubleFunction<PartitionPath> work = path -> busyAtFirst.contains(path) ? 0.03 : 0.003;

        pass(world, 6 * MINUTE, work);

        assertThat(world.moves()).isNotEmpty().hasSizeLessThan(30);
        assertThat(workOn(world, 2, work)).as("was 0.9").isLessThan(0.65);
        assertThat(world.at(node(1)).rebalancePlan(LoadWorld.cluster(3)).loads())
                .extracting(load -> load.before().load())
                .allSatisfy(load -> assertThat(load).isBetween(0.75, 0.95));
        List<String> soFar = List.copyOf(world.moves());
        pass(world, 20 * MINUTE, work);
        assertThat(world.moves()).isEqualTo(soFar);
    }

    /** In the middle of an upgrade nothing is evened out, but what a lost node had begins elsewhere. */
    @Test
    void whatIsMissingBeginsWhereThereIsLittleToDo() {
        KeeperWorld world = new KeeperWorld(whileUpgrading(1, 2, 3, 4), 1, 0);
        for (int i = 0; i < 40; i++) {
            world.at(node(1)).want(path("p/" + i), ONE, world.now());
        }
        world.pass(2 * SECOND);
        var busy = List.copyOf(world.runningOn(node(1)));
        ToDoubleFunction<PartitionPath> work = path -> busy.contains(path) ? 0.09 : 0.003;
        pass(world, 2 * MINUTE, work);
        assertThat(world.moves()).isEmpty();

        world.become(whileUpgrading(1, 2, 3));
        world.pass(SECOND);
        for (int i = 0; i < 10; i++) {
            world.at(node(3)).want(path("q/" + i), ONE, world.now());
        }
        world.pass(2 * SECOND);

        assertThat(world.runningOn(node(1))).as("the busy one gets nothing").hasSize(10);
        assertThat(world.runningOn(node(2))).hasSize(20);
        assertThat(world.runningOn(node(3))).hasSize(20);
    }

    private static ClusterState whileUpgrading(int... numbers) {
        StateBuilder state = StateBuilder.aState();
        for (int number : numbers) {
            Member member = up(number, Member.MUSTER_ROLE);
            state.with(new Member(
                    member.id(), member.status(), member.upNumber(), member.roles(), number == 2 ? "2" : "1"));
        }
        return state.build();
    }

    @Test
    void whatIsShownIsWhatIsDone() {
        KeeperWorld world = worldOf(3, 90);
        var busyAtFirst = List.copyOf(world.runningOn(node(2)));
        ToDoubleFunction<PartitionPath> work = path -> busyAtFirst.contains(path) ? 0.03 : 0.003;
        ClusterState state = LoadWorld.cluster(3);
        while (world.at(node(1)).rebalancePlan(state).isEmpty()) {
            pass(world, 5 * SECOND, work);
            assertThat(world.moves()).isEmpty();
        }
        List<Move> shown = world.at(node(1)).rebalancePlan(state).moves();

        pass(world, 10 * SECOND, work);

        assertThat(world.moves()).hasSize(shown.size());
    }

    @Test
    void anOddSampleNowAndThenMovesNothing() {
        KeeperWorld world = worldOf(3, 90);
        var odd = List.copyOf(world.runningOn(node(2)));
        for (int i = 0; i < 4; i++) {
            pass(world, MINUTE, path -> 0.003);
            pass(world, 5 * SECOND, path -> odd.contains(path) ? 0.015 : 0.003);
        }
        pass(world, MINUTE, path -> 0.003);
        assertThat(world.moves()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void noiseMovesLittle(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        KeeperWorld world = worldOf(4, 40);
        List<Integer> moves = new ArrayList<>();
        for (int minute = 0; minute < 10; minute++) {
            int before = world.moves().size();
            for (int i = 0; i < 12; i++) {
                measureAtRandom(world, random);
                world.pass(5 * SECOND);
            }
            moves.add(world.moves().size() - before);
        }
        assertThat(moves).allSatisfy(it -> assertThat(it).isLessThanOrEqualTo(MOST_MOVES_BY_NOISE));
    }

    @ParameterizedTest
    @ValueSource(longs = {4724, 1, 4, 7, 8})
    void aThousandPartitionsOnIdleNodesFollowTheNodesThatComeAndGo(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        KeeperWorld world = worldOf(3, 1_000);
        idle(world, MINUTE, random);
        assertThat(world.moves()).isEmpty();

        assertThat(changedBy(world, cluster(1, 2, 3, 4, 5, 6), random)).isBetween(450L, 600L);
        assertThat(changedBy(world, cluster(1, 3, 4, 6), random)).isBetween(300L, 400L);
    }

    /** How many partitions are elsewhere when nodes have come or gone. Then all is even and nothing more moves. */
    private static long changedBy(KeeperWorld world, ClusterState next, SplittableRandom random) {
        TreeMap<PartitionPath, NodeId> before = hosts(world);
        world.become(next);
        idle(world, 2 * MINUTE, random);
        TreeMap<PartitionPath, NodeId> after = hosts(world);
        for (NodeId node : world.nodes()) {
            double even = 1_000.0 / world.nodes().size();
            assertThat((double) world.runningOn(node).size()).isBetween(0.9 * even, 1.1 * even);
        }
        int moves = world.moves().size();
        idle(world, MINUTE, random);
        assertThat(world.moves()).hasSize(moves);
        return after.entrySet().stream()
                .filter(it -> !it.getValue().equals(before.get(it.getKey())))
                .count();
    }

    private static TreeMap<PartitionPath, NodeId> hosts(KeeperWorld world) {
        TreeMap<PartitionPath, NodeId> hosts = new TreeMap<>();
        world.nodes().forEach(node -> world.runningOn(node).forEach(path -> hosts.put(path, node)));
        assertThat(hosts).hasSize(1_000);
        return hosts;
    }

    /** Nobody has anything to do, and processors are busy by a percent or two all the same. */
    private static void idle(KeeperWorld world, long nanos, SplittableRandom random) {
        for (long end = world.now() + nanos; world.now() < end; world.pass(5 * SECOND)) {
            world.nodes().forEach(node -> world.at(node).measured(random.nextDouble(0.03), 0, new TreeMap<>()));
        }
    }

    private static ClusterState cluster(int... numbers) {
        StateBuilder state = StateBuilder.aState();
        for (int number : numbers) {
            state.with(up(number, Member.MUSTER_ROLE));
        }
        return state.build();
    }

    private static void measureAtRandom(KeeperWorld world, SplittableRandom random) {
        for (NodeId node : world.nodes()) {
            TreeMap<PartitionPath, Long> mailboxes = new TreeMap<>();
            world.runningOn(node).forEach(path -> mailboxes.put(path, random.nextLong(1_000)));
            world.at(node).measured(random.nextDouble(), random.nextDouble(), mailboxes);
        }
    }
}
