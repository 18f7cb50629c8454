package dev.muster.bench.partitions;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ShardRegion;

/** A node of Pekko, with its defaults, over Artery on TCP: cluster sharding with a shard for each partition. */
final class PekkoPartitionNode implements PartitionNode {

    private static final String NODE = """
            pekko.actor.provider = cluster
            pekko.remote.artery.transport = tcp
            pekko.remote.artery.canonical.hostname = "127.0.0.1"
            pekko.remote.artery.canonical.port = 0
            # There is no downing without it. It has defaults of its own.
            pekko.cluster.downing-provider-class = "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider"
            pekko.actor.typed.library-extensions = []
            pekko.cluster.jmx.enabled = off
            pekko.loglevel = ERROR
            pekko.stdout-loglevel = OFF
            pekko.log-dead-letters = off
            """;

    private static final String TYPE = "bench";

    private final Cluster cluster;
    private final ActorRef region;
    private final ActorRef answers;

    PekkoPartitionNode(NodePlan plan, Watcher watcher) {
        Config config = ConfigFactory.parseMap(
                        Map.of("pekko.cluster.roles", plan.isHost() ? List.of(NodePlan.HOST) : List.of()))
                .withFallback(ConfigFactory.parseString(NODE))
                .withFallback(ConfigFactory.load());
        ActorSystem system = ActorSystem.create("bench", config);
        cluster = Cluster.get(system);
        region = region(system, plan);
        answers = system.actorOf(Props.create(Watching.class, () -> new Watching(watcher)));
        cluster.subscribe(
                answers,
                ClusterEvent.initialStateAsEvents(),
                ClusterEvent.UnreachableMember.class,
                ClusterEvent.MemberRemoved.class);
        join(plan.seeds());
    }

    private static ActorRef region(ActorSystem system, NodePlan plan) {
        ClusterSharding sharding = ClusterSharding.get(system);
        if (!plan.isHost()) {
            return sharding.startProxy(TYPE, Optional.of(NodePlan.HOST), new ByPartition());
        }
        return sharding.start(
                TYPE,
                Props.create(Answering.class, Answering::new),
                ClusterShardingSettings.create(system).withRole(NodePlan.HOST),
                new ByPartition());
    }

    private void join(List<String> seeds) {
        if (seeds.isEmpty()) {
            cluster.join(cluster.selfAddress());
        } else {
            cluster.joinSeedNodes(seeds.stream().map(this::parsed).toList());
        }
    }

    private Address parsed(String hostAndPort) {
        int colon = hostAndPort.lastIndexOf(':');
        Address self = cluster.selfAddress();
        int port = Integer.parseInt(hostAndPort.substring(colon + 1));
        return new Address(self.protocol(), self.system(), hostAndPort.substring(0, colon), port);
    }

    private static String text(Address address) {
        return address.getHost().orElseThrow() + ":" + address.getPort().orElseThrow();
    }

    @Override
    public String address() {
        return text(cluster.selfAddress());
    }

    @Override
    public void ask(Question question) {
        region.tell(question.bytes(), answers);
    }

    @Override
    public boolean sees(int members) {
        int up = 0;
        for (var member : cluster.state().getMembers()) {
            if (!member.status().equals(MemberStatus.up())) {
                return false;
            }
            up++;
        }
        return up == members;
    }

    @Override
    public void rebalance() {
        // The coordinator of its shards does so every ten seconds.
    }

    private static final class ByPartition implements ShardRegion.MessageExtractor {

        @Override
        public String entityId(Object message) {
            return message instanceof byte[] bytes
                    ? String.valueOf(Question.of(bytes).partition())
                    : null;
        }

        @Override
        public Object entityMessage(Object message) {
            return message;
        }

        @Override
        public String shardId(Object message) {
            return message instanceof ShardRegion.StartEntity start ? start.entityId() : entityId(message);
        }
    }

    private static final class Answering extends AbstractActor {

        private final Entity entity = new Entity(0);

        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .match(byte[].class, question -> getSender().tell(entity.answer(question), getSelf()))
                    .build();
        }
    }

    private static final class Watching extends AbstractActor {

        private final Watcher watcher;

        Watching(Watcher watcher) {
            this.watcher = watcher;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .match(byte[].class, watcher::answered)
                    .match(
                            ClusterEvent.UnreachableMember.class,
                            event -> watcher.unreachable(text(event.member().address())))
                    .match(
                            ClusterEvent.MemberRemoved.class,
                            event -> watcher.removed(text(event.member().address())))
                    .build();
        }
    }
}
