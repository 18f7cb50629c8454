package dev.muster.examples;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.cluster.Cluster;
import dev.muster.cluster.LocalCluster;
import dev.muster.cluster.Partition;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** A partition with several instances: tickets are printed by one printer after the other, wherever these are. */
public final class TicketPrinters {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Config STAGE =
            ConfigFactory.parseString("muster.cluster.roles = [stage]").withFallback(ConfigFactory.load());
    private static final Config BOX_OFFICE = ConfigFactory.parseString("muster.cluster.roles = [box-office]");

    private TicketPrinters() {}

    /** A ticket to print; the answer says on which node that was done. */
    record Print(int seat) {}

    static Behavior<Print> printer() {
        return Behaviors.receive(Print.class, (ctx, print) -> {
            ctx.reply(Cluster.get(ctx.system()).selfAddress().hostAndPort());
            return Behaviors.same();
        });
    }

    static Partition<Print> printers() {
        return Partition.at("theatre/printers")
                .instances(2)
                .role("stage")
                .of(TicketPrinters::printer)
                .messages(Print.class);
    }

    /** Where they are, as far as this node knows. */
    static List<NodeId> hosts(LocalCluster.Node node) {
        return node.cluster()
                .snapshot()
                .partitions()
                .find(printers().path())
                .map(PartitionEntry::instances)
                .orElse(List.of());
    }

    /** Has four tickets printed, and tells on which nodes that was done. */
    private static Set<String> printFour(ActorRef<Print> printers) {
        Set<String> places = new TreeSet<>();
        for (int seat = 1; seat <= 4; seat++) {
            places.add(printers.ask(new Print(seat), String.class, PATIENCE).join());
        }
        return places;
    }

    public static void main(String[] args) {
        Map<NodeAddress, ActorRef<Print>> refs = new ConcurrentHashMap<>();
        try (LocalCluster cluster = LocalCluster.start("theatre", 3, STAGE, system -> {
            Cluster node = Cluster.get(system);
            if (node.selfMember().hasRole("stage")) {
                refs.put(node.selfAddress(), node.host(printers()));
            }
        })) {
            cluster.awaitUp(PATIENCE);
            cluster.await(
                    "two printers",
                    PATIENCE,
                    () -> cluster.nodes().stream().allMatch(node -> hosts(node).size() == 2));
            System.out.println("2 printers on 3 nodes");

            for (int i = 0; i < 3; i++) {
                Set<String> places = printFour(refs.get(cluster.node(i).address()));
                System.out.println("node " + i + " had 4 tickets printed, on " + places.size() + " nodes");
            }

            LocalCluster.Node boxOffice = cluster.add(BOX_OFFICE);
            cluster.awaitUp(PATIENCE);
            ActorRef<Print> printers = boxOffice.cluster().partition("theatre/printers", Print.class);
            System.out.println("the box office had 4 tickets printed, on "
                    + printFour(printers).size() + " nodes");

            NodeId goes = hosts(cluster.node(0)).get(0);
            LocalCluster.Node leaving = cluster.nodes().stream()
                    .filter(node -> node.cluster().self().equals(goes))
                    .findFirst()
                    .orElseThrow();
            leaving.leave().join();
            cluster.await(
                    "two printers without it",
                    PATIENCE,
                    () -> cluster.nodes().stream()
                            .allMatch(node ->
                                    hosts(node).size() == 2 && !hosts(node).contains(goes)));
            System.out.println("one of their hosts has left: 2 printers on 2 nodes");
        }
    }
}
