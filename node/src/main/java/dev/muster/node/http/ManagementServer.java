package dev.muster.node.http;

import com.typesafe.config.Config;
import dev.muster.cluster.Cluster;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Management of one node over HTTP, from start to close. */
public final class ManagementServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ManagementServer.class);
    private static final long OBSERVE_EVERY_MILLIS = 250;

    /** One thread looks at all nodes of a process; a look costs next to nothing. */
    private static final ScheduledExecutorService OBSERVER = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "muster-http-observer");
        thread.setDaemon(true);
        return thread;
    });

    private final JdkHttpFront front;
    private final ScheduledFuture<?> observation;

    private ManagementServer(JdkHttpFront front, ScheduledFuture<?> observation) {
        this.front = front;
        this.observation = observation;
    }

    /** The same for a node whose application counts nothing. */
    public static ManagementServer start(HttpSettings settings, Cluster cluster, Config config) throws IOException {
        return start(settings, cluster, config, Collections::emptySortedMap);
    }

    /**
     * Listens from now on.
     *
     * @param config what the node runs with, for those who ask
     * @param figures what the application of the node counts
     * @throws IllegalArgumentException if it would be open to other machines without a token
     * @throws IOException if it cannot listen there
     */
    public static ManagementServer start(
            HttpSettings settings, Cluster cluster, Config config, Supplier<SortedMap<String, Long>> figures)
            throws IOException {
        settings.requireProtection();
        if (settings.isReachableFromOutside() && settings.insecure()) {
            LOG.warn(
                    "everybody who can reach {} may read this cluster's management routes, because"
                            + " muster.management.http.insecure is on",
                    settings.hostname());
        }
        ConvergenceHistory history = new ConvergenceHistory();
        MoveAges ages = new MoveAges();
        Management management =
                new Management(settings, routes(cluster, config, history, ages, figures), System::nanoTime);
        JdkHttpFront front = JdkHttpFront.start(settings, management::answer);
        ScheduledFuture<?> observation = OBSERVER.scheduleWithFixedDelay(
                () -> {
                    history.observe(cluster.snapshot(), Instant.now());
                    ages.observe(cluster.snapshot(), Instant.now());
                },
                0,
                OBSERVE_EVERY_MILLIS,
                TimeUnit.MILLISECONDS);
        return new ManagementServer(front, observation);
    }

    static List<Route> routes(
            Cluster cluster,
            Config config,
            ConvergenceHistory history,
            MoveAges ages,
            Supplier<SortedMap<String, Long>> figures) {
        NodeRoutes node = new NodeRoutes(cluster, config, figures);
        List<Route> all = new ArrayList<>();
        all.addAll(new ClusterRoutes(cluster, history).routes());
        all.addAll(new MembershipRoutes(cluster).routes());
        all.addAll(new PartitionRoutes(cluster, ages).routes());
        all.addAll(new HealthRoutes(cluster).routes());
        all.addAll(node.routes());
        node.list(all);
        return all;
    }

    /** Where it listens, with the port that the system chose. */
    public InetSocketAddress address() {
        return front.address();
    }

    @Override
    public void close() {
        observation.cancel(false);
        front.close();
    }
}
