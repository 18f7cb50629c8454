package dev.muster.actor;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * What has to happen, in which order, before a process may end.
 *
 * <p>Tasks belong to a {@link Phase}. The tasks of one phase run side by side; the next phase begins when all have
 * finished, failed, or used up the phase's time ({@code muster.coordinated-shutdown.phases.<phase>.timeout}), and what
 * went wrong is logged. It runs once, by {@link ActorSystem#terminate()}, {@link #run} or when the JVM is told to exit.
 */
public interface CoordinatedShutdown {

    /** The phases in the order they run. */
    enum Phase {
        BEFORE_SERVICE_UNBIND,
        SERVICE_UNBIND,
        SERVICE_REQUESTS_DONE,
        SERVICE_STOP,
        BEFORE_CLUSTER_SHUTDOWN,
        CLUSTER_SHARDING_SHUTDOWN_REGION,
        CLUSTER_LEAVE,
        CLUSTER_EXITING,
        CLUSTER_EXITING_DONE,
        CLUSTER_SHUTDOWN,
        BEFORE_ACTOR_SYSTEM_TERMINATE,
        ACTOR_SYSTEM_TERMINATE;

        /** As in settings and logs: {@code before-service-unbind}. */
        public String key() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * Adds a task.
     *
     * @throws IllegalStateException if that phase has begun already
     */
    void addTask(Phase phase, String name, Supplier<? extends CompletionStage<?>> task);

    /** Starts the shutdown unless it has started. The future completes when the last phase has ended. */
    CompletableFuture<Void> run(String reason);

    /** How long it takes at the most: the time of all phases, and what some may take beyond that. */
    Duration limit();

    /** Why it was started; null while it was not. */
    String reason();
}
