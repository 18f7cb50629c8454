package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behaviors;
import dev.muster.cluster.Cluster.InitialState;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.PartitionPath;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Whoever gives null where something is needed is told so by name, and costs the cluster no node. */
class LeftOutTest {
    private static final PartitionPath PATH = new PartitionPath("desk");

    private static Map<String, Function<Cluster, CompletableFuture<?>>> questions(NodeAddress address) {
        return Map.ofEntries(
                Map.entry("end path", it -> it.end(null)),
                Map.entry("migrate path", it -> it.migrate(null, address)),
                Map.entry("migrate to", it -> it.migrate(PATH, null)),
                Map.entry("migrate from", it -> it.migrate(PATH, null, address)),
                Map.entry("migrationPlan path", it -> it.migrationPlan(null, address)),
                Map.entry("migrationPlan to", it -> it.migrationPlan(PATH, null)),
                Map.entry("migrationPlan from", it -> it.migrationPlan(PATH, null, address)),
                Map.entry("join address", it -> it.join(null)),
                Map.entry("leave address", it -> it.leave(null)),
                Map.entry("down address", it -> it.down(null)),
                Map.entry("explain question", it -> it.explain(null)),
                Map.entry("Partition path", it -> it.explain(new Cluster.Question.Partition(null))),
                Map.entry("Unreachable address", it -> it.explain(new Cluster.Question.Unreachable(null))),
                Map.entry("NotUp address", it -> it.explain(new Cluster.Question.NotUp(null))));
    }

    private static Map<String, Consumer<Cluster>> requests(ActorRef<?> ref) {
        return Map.ofEntries(
                Map.entry("host partition", it -> it.host(null)),
                Map.entry("partition path", it -> it.partition(null, String.class)),
                Map.entry("partition messages", it -> it.partition(PATH.text(), null)),
                Map.entry("partition routing", it -> it.partition(PATH.text(), String.class, null)),
                Map.entry("resolve name", it -> it.resolve(null)),
                Map.entry("nameOf ref", it -> it.nameOf(null)),
                Map.entry(
                        "subscribe subscriber",
                        it -> it.subscribe(null, InitialState.AS_EVENTS, List.of(Object.class))),
                Map.entry("subscribe initial", it -> it.subscribe(ref, null, List.of(Object.class))),
                Map.entry("subscribe types", it -> it.subscribe(ref, InitialState.AS_EVENTS, null)),
                Map.entry("unsubscribe subscriber", it -> it.unsubscribe(null)),
                Map.entry("registerOnMemberUp callback", it -> it.registerOnMemberUp(null)),
                Map.entry("registerOnMemberRemoved callback", it -> it.registerOnMemberRemoved(null)));
    }

    /** A command that cannot be understood in the core's turn is a mistake of Muster, and ends the node. */
    @TestFactory
    Stream<DynamicTest> itIsNamedAndTheNodeGoesOn() {
        VirtualCluster cluster = new VirtualCluster(
                1, 2, "", node -> node.cluster.host(Partition.at(PATH.text(), Behaviors::<String>empty)));
        cluster.awaitUp();
        ActorRef<?> ref = cluster.node(0).system.spawn(Behaviors.empty(), "listener");
        Map<String, Consumer<Cluster>> calls = new TreeMap<>(requests(ref));
        questions(cluster.node(1).address())
                .forEach((name, question) -> calls.put(name, it -> {
                    var unused = question.apply(it);
                }));
        return calls.entrySet().stream()
                .map(it -> DynamicTest.dynamicTest(it.getKey(), () -> isNamed(cluster, it.getKey(), it.getValue())));
    }

    private static void isNamed(VirtualCluster cluster, String name, Consumer<Cluster> call) {
        Cluster node = cluster.node(0).cluster;
        assertThatThrownBy(() -> call.accept(node))
                .isInstanceOf(NullPointerException.class)
                .hasMessage(name.substring(name.indexOf(' ') + 1));
        var answer = node.rebalance();
        cluster.await("the node answers", answer::isDone);
        assertThat(answer.join().done()).as(answer.join().detail()).isTrue();
    }
}
