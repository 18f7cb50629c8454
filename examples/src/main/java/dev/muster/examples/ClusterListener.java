package dev.muster.examples;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.cluster.Cluster;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.ClusterEvent.LeaderChanged;
import dev.muster.core.exchange.ClusterEvent.MemberEvent;
import dev.muster.core.exchange.ClusterEvent.MemberRemoved;
import dev.muster.core.exchange.ClusterEvent.MemberUp;
import dev.muster.core.exchange.ClusterEvent.UnreachableMember;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import java.util.List;
import java.util.function.Consumer;

/** Nodes that form a cluster, each with an actor that tells what happens in it. */
public final class ClusterListener {

    private ClusterListener() {}

    static Behavior<ClusterEvent> listener(Consumer<String> out) {
        return Behaviors.setup(ctx -> {
            Cluster.get(ctx.system())
                    .subscribe(ctx.self(), MemberEvent.class, UnreachableMember.class, LeaderChanged.class);
            return Behaviors.receive(ClusterEvent.class)
                    .on(MemberUp.class, (c, it) -> tell(out, "member is up", it.member()))
                    .on(UnreachableMember.class, (c, it) -> tell(out, "member is unreachable", it.member()))
                    .on(MemberRemoved.class, (c, it) -> tell(out, "member is removed", it.member()))
                    .on(LeaderChanged.class, (c, it) -> {
                        it.leader().ifPresent(leader -> out.accept("the leader is " + name(leader)));
                        return Behaviors.same();
                    })
                    .otherwise((c, other) -> Behaviors.same())
                    .build();
        });
    }

    private static Behavior<ClusterEvent> tell(Consumer<String> out, String what, Member who) {
        out.accept(what + ": " + name(who.id()));
        return Behaviors.same();
    }

    private static String name(NodeId node) {
        return node.address().hostAndPort();
    }

    static Config config(int port, List<String> seeds) {
        return ConfigFactory.parseString("muster.actor.provider = cluster")
                .withFallback(ConfigFactory.parseString("muster.remote.artery.canonical.port = " + port))
                .withFallback(ConfigFactory.parseString("muster.cluster.seed-nodes = " + seeds))
                .withFallback(ConfigFactory.load());
    }

    static ActorSystem start(int port, List<String> seeds, Consumer<String> out) {
        Consumer<String> withPort = line -> out.accept(port + ": " + line);
        return ActorSystem.create(
                "ClusterSystem", config(port, seeds), system -> system.spawn(listener(withPort), "listener"));
    }

    public static void main(String[] ports) {
        List<String> seeds = List.of("\"127.0.0.1:2552\"", "\"127.0.0.1:2551\"");
        for (String port : ports.length == 0 ? new String[] {"2551", "2552", "0"} : ports) {
            ActorSystem system = start(Integer.parseInt(port), seeds, System.out::println);
            Runtime.getRuntime().addShutdownHook(new Thread(system::close));
        }
    }
}
