package dev.muster.bench.partitions;

import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.HandingOver;
import dev.muster.cluster.Cluster;
import dev.muster.cluster.Partition;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.MemberStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A node of Muster, with its defaults. */
final class MusterPartitionNode implements PartitionNode {

    /** What an instance leaves to the next one. */
    record Seen(long highest) {}

    private final List<ActorRef<byte[]>> partitions = new ArrayList<>();
    private final Cluster cluster;
    private final ActorRef<byte[]> answers;

    MusterPartitionNode(NodePlan plan, Watcher watcher) {
        Map<String, Object> settings = Map.of(
                "muster.actor.provider",
                "cluster",
                "muster.cluster.seed-nodes",
                plan.seeds(),
                "muster.cluster.roles",
                plan.isHost() ? List.of(NodePlan.HOST) : List.of());
        ActorSystem system = ActorSystem.create(
                "bench", ConfigFactory.parseMap(settings).withFallback(ConfigFactory.load()), started -> {
                    for (int i = 0; i < plan.partitions(); i++) {
                        partitions.add(Cluster.get(started)
                                .host(partition("bench/" + i, plan.kind()).role(NodePlan.HOST)));
                    }
                });
        cluster = Cluster.get(system);
        answers = system.spawn(Behaviors.receive(byte[].class, (context, answer) -> {
            watcher.answered(answer);
            return Behaviors.same();
        }));
        cluster.subscribe(
                system.spawn(events(watcher)), ClusterEvent.UnreachableMember.class, ClusterEvent.MemberRemoved.class);
    }

    private static Partition<byte[]> partition(String path, NodePlan.Kind kind) {
        return switch (kind) {
            case STATELESS -> Partition.at(path, () -> answering(new Entity(0)));
            case ORDERED -> Partition.at(path, () -> answering(new Entity(0))).handoff(HandoffPolicy.ordered());
            case SINGLETON ->
                Partition.singleton(
                        path,
                        Seen.class,
                        left -> answering(new Entity(left.map(Seen::highest).orElse(0L))));
        };
    }

    private static Behavior<byte[]> answering(Entity entity) {
        return Behaviors.receive(byte[].class)
                .on(byte[].class, (context, question) -> {
                    context.reply(entity.answer(question));
                    return Behaviors.same();
                })
                .onSignal(HandingOver.class, (context, handing) -> {
                    handing.state(new Seen(entity.highest()));
                    return Behaviors.same();
                })
                .build();
    }

    private static Behavior<ClusterEvent> events(Watcher watcher) {
        return Behaviors.receive(ClusterEvent.class, (context, event) -> {
            if (event instanceof ClusterEvent.UnreachableMember unreachable) {
                watcher.unreachable(unreachable.member().id().address().hostAndPort());
            } else if (event instanceof ClusterEvent.MemberRemoved removed) {
                watcher.removed(removed.member().id().address().hostAndPort());
            }
            return Behaviors.same();
        });
    }

    @Override
    public String address() {
        return cluster.selfAddress().hostAndPort();
    }

    @Override
    public void ask(Question question) {
        partitions.get(question.partition()).tell(question.bytes(), answers);
    }

    @Override
    public boolean sees(int members) {
        var known = cluster.snapshot().state().members();
        return known.size() == members && known.stream().allMatch(it -> it.status() == MemberStatus.UP);
    }

    @Override
    public void rebalance() {
        var unused = cluster.rebalance();
    }
}
