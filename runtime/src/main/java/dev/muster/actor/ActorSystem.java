package dev.muster.actor;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.environment.Environment;
import dev.muster.real.Production;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * A tree of actors and what they share: threads, timers, settings, an event stream.
 *
 * <p>Starting one starts threads, so a process has few of them, most often one. Ending it, by {@link #terminate()} or
 * {@link #close()}, stops every actor, leaves first, and then the threads.
 */
public interface ActorSystem extends AutoCloseable {

    /** Starts a system with the settings of {@code application.conf}. */
    static ActorSystem create(String name) {
        return create(name, ConfigFactory.load());
    }

    /** Starts a system. {@code config} is resolved against Muster's {@code reference.conf}. */
    static ActorSystem create(String name, Config config) {
        return create(name, config, system -> {});
    }

    /**
     * Starts a system with the actors that it begins with.
     *
     * @param setup starts them. A node that was removed from its cluster and joins again stops all its actors and runs
     *     this once more
     */
    static ActorSystem create(String name, Config config, Consumer<ActorSystem> setup) {
        return Production.start(name, config, setup);
    }

    /** Starts a system in an environment of one's own, such as a virtual one in a test. */
    static ActorSystem create(String name, ActorSettings settings, Environment environment) {
        return LocalActorSystem.start(name, settings, environment, () -> {});
    }

    String name();

    /** Starts a top-level actor with a name made up for it. */
    <M> ActorRef<M> spawn(Behavior<M> behavior);

    /** Starts a top-level actor. Its path is its name. */
    <M> ActorRef<M> spawn(Behavior<M> behavior, String name);

    /** Starts a top-level actor with options; a null name is made up. */
    <M> ActorRef<M> spawn(Behavior<M> behavior, String name, SpawnOptions options);

    /** Stops an actor of this system, wherever in the tree, after the message it is handling. */
    void stop(ActorRef<?> actor);

    /** The actor at a path such as {@code a/b/c} or {@code /user/a/b/c}, if there is one now. */
    Optional<ActorRef<?>> lookup(String path);

    /**
     * The same with its type.
     *
     * @throws IllegalArgumentException if that actor is known to have another protocol
     */
    <M> Optional<ActorRef<M>> lookup(String path, Class<M> protocol);

    /** Swallows everything and publishes it as {@link DeadLetter}. */
    ActorRef<Object> deadLetters();

    EventStream events();

    /** Sends a message later. */
    <M> Cancellable scheduleOnce(Duration delay, ActorRef<M> target, M message);

    /** Sends a message again and again, the first time after {@code initial}. */
    <M> Cancellable scheduleWithFixedDelay(Duration initial, Duration delay, ActorRef<M> target, M message);

    /** What to do, in order, before the process ends. */
    CoordinatedShutdown shutdown();

    /** What actors have done so far. */
    ActorMetrics metrics();

    /** What one actor has done so far; empty if it has stopped or is not of this system. */
    Optional<ActorMetrics.OfActor> metrics(ActorRef<?> actor);

    ActorSettings settings();

    Environment environment();

    Logger log();

    /** Runs {@link CoordinatedShutdown} to its end, which stops all actors. The future is {@link #whenTerminated()}. */
    CompletableFuture<Void> terminate();

    CompletableFuture<Void> whenTerminated();

    /** Like {@link #terminate()}, and waits for it. Not to be called by an actor. */
    @Override
    void close();
}
