package dev.muster.bench.formation;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.bench.meter.ProcessMeter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.ClusterEvent.CurrentClusterState;
import org.apache.pekko.cluster.MemberStatus;

/** Nodes of Pekko, with its defaults, over Artery on TCP. */
public final class PekkoCluster implements NodesSide {

    private static final String NODE = """
            pekko.actor.provider = cluster
            pekko.remote.artery.transport = tcp
            pekko.remote.artery.canonical.hostname = "127.0.0.1"
            pekko.remote.artery.canonical.port = 0
            # Its receptionist would need one more library, and cost it something that nobody asked for.
            pekko.actor.typed.library-extensions = []
            pekko.cluster.jmx.enabled = off
            pekko.log-dead-letters = off
            pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off
            pekko.coordinated-shutdown.exit-jvm = off
            """;

    private static final long SHUTDOWN_SECONDS = 60;

    private final Config config;
    private final List<ActorSystem> systems = new ArrayList<>();

    /** @param more settings on top of the defaults */
    public PekkoCluster(String more) {
        this.config = ConfigFactory.parseString(more)
                .withFallback(ConfigFactory.parseString(NODE))
                .withFallback(ConfigFactory.load());
    }

    @Override
    public void add() {
        ActorSystem system = ActorSystem.create("bench", config);
        systems.add(system);
        List<Address> seeds = systems.stream()
                .limit(3)
                .filter(seed -> systems.size() == 1 || seed != system)
                .map(seed -> Cluster.get(seed).selfAddress())
                .toList();
        Cluster.get(system).joinSeedNodes(seeds);
    }

    public ActorSystem system(int index) {
        return systems.get(index);
    }

    @Override
    public void awaitUp(Duration timeout) throws InterruptedException {
        Looking.until(systems.size() + " nodes of Pekko up everywhere", timeout, this::allUp);
    }

    private boolean allUp() {
        for (ActorSystem system : systems) {
            CurrentClusterState state = Cluster.get(system).state();
            int up = 0;
            for (var member : state.getMembers()) {
                if (!member.status().equals(MemberStatus.up())) {
                    return false;
                }
                up++;
            }
            if (up != systems.size()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public long sentBytes() throws IOException {
        return ProcessMeter.writtenBytes();
    }

    @Override
    public void close() {
        systems.forEach(ActorSystem::terminate);
        for (ActorSystem system : systems) {
            try {
                var unused = system.getWhenTerminated().toCompletableFuture().get(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
            } catch (Exception stuck) {
                throw new IllegalStateException("a system of Pekko did not end", stuck);
            }
        }
    }
}
