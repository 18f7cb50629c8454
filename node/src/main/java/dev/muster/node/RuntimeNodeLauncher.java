package dev.muster.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import dev.muster.actor.ActorSystem;
import dev.muster.cluster.Cluster;
import dev.muster.node.demo.DemoLoad;
import java.util.Collections;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Starts nodes of the real runtime. */
public final class RuntimeNodeLauncher implements NodeLauncher {
    /** Beyond what the shutdown allows itself; then something has gone wrong. */
    private static final long GRACE_SECONDS = 5;

    /** How a shutdown begins its reason when the others ended this node's membership. */
    private static final String REMOVED = "the cluster has removed this node";

    @Override
    public RunningNode start(NodeOptions options) {
        Config config = options.config().withValue("muster.actor.provider", ConfigValueFactory.fromAnyRef("cluster"));
        Config chosen = unlessChosen(config, "muster.cluster.rejoin.enabled", true);
        if (!config.getBoolean(DemoLoad.SETTING)) {
            return new Running(ActorSystem.create(options.system(), chosen), Collections::emptySortedMap);
        }
        DemoLoad load = new DemoLoad();
        return new Running(ActorSystem.create(options.system(), chosen, load), load::figures);
    }

    /** What a whole node does by default where the library does not. */
    private static Config unlessChosen(Config config, String key, Object value) {
        boolean isDefault = config.getValue(key).origin().description().contains("reference.conf");
        return isDefault ? config.withValue(key, ConfigValueFactory.fromAnyRef(value)) : config;
    }

    private record Running(ActorSystem system, Supplier<SortedMap<String, Long>> counted) implements RunningNode {
        @Override
        public Cluster cluster() {
            return Cluster.get(system);
        }

        @Override
        public SortedMap<String, Long> figures() {
            return counted.get();
        }

        @Override
        public void leaveAndStop() {
            long most = GRACE_SECONDS + system.shutdown().limit().toSeconds();
            try {
                system.terminate().get(most, TimeUnit.SECONDS);
            } catch (TimeoutException late) {
                system.log().warn("the node did not stop within {} s", most);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            } catch (java.util.concurrent.ExecutionException failure) {
                throw new CompletionException(failure.getCause());
            }
        }

        @Override
        public CompletionStage<Void> whenStopped() {
            return system.whenTerminated().thenCompose(nothing -> {
                String reason = system.shutdown().reason();
                return reason != null && reason.startsWith(REMOVED)
                        ? CompletableFuture.failedFuture(new IllegalStateException(reason))
                        : CompletableFuture.completedFuture(null);
            });
        }
    }
}
