package dev.muster.testkit;

import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSettings;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.Behavior;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.SpawnOptions;
import dev.muster.actor.UnhandledMessage;
import dev.muster.environment.Environment;
import dev.muster.virtual.VirtualEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * An actor system for one test, in virtual time.
 *
 * <p>Nothing runs by itself. Actors take turns only inside the methods of this class and of its {@linkplain TestProbe
 * probes}, on the thread that calls them, and who goes next is decided by the seed. Time passes only when nobody has
 * anything to do, so a test that waits for an hour takes no longer than one that waits for a millisecond, and never
 * sleeps. The same seed gives the same run.
 *
 * <pre>{@code
 * try (var kit = ActorTestKit.create()) {
 *     var answers = kit.probe(String.class);
 *     var greeter = kit.spawn(Greeter.behavior());
 *
 *     greeter.tell(new Greet("Ada", answers.ref()));
 *
 *     answers.expectMessage("Hello, Ada");
 * }
 * }</pre>
 *
 * <p>What is expected and does not come ends in an {@link AssertionError} that names the seed, what came instead, and
 * which messages were lost. There is one thread, so a handler that waits for another actor waits for ever, and actors
 * with {@link SpawnOptions#blocking()} run like all others. A kit belongs to the thread of its test.
 */
public final class ActorTestKit implements AutoCloseable {

    /** The seed of {@link #create()}: always the same, so that a test that passes passes again. */
    public static final long DEFAULT_SEED = 1;

    /** How much virtual time passes at most while something is waited for, where no other time is given. */
    public static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final Duration TIME_TO_STOP = Duration.ofMinutes(10);

    private final long seed;
    private final Drive drive;
    private final TurnTrace trace;
    private final ActorSystem system;
    private final List<DeadLetter> deadLetters = new ArrayList<>();
    private final List<UnhandledMessage> unhandled = new ArrayList<>();
    private int probes;

    private ActorTestKit(long seed) {
        this.seed = seed;
        VirtualEnvironment world = new VirtualEnvironment(seed);
        this.drive = new Drive(world, this::situation);
        this.trace = new TurnTrace(world);
        Environment plain = world.environment();
        Environment traced = new Environment(
                plain.clock(),
                plain.timers(),
                new TestDispatchers(plain.dispatchers(), trace),
                plain.random(),
                plain.fatal());
        this.system = ActorSystem.create("test", ActorSettings.defaults(), traced);
    }

    /** A kit with {@link #DEFAULT_SEED}. */
    public static ActorTestKit create() {
        return create(DEFAULT_SEED);
    }

    /** A kit whose run follows from {@code seed}. */
    public static ActorTestKit create(long seed) {
        ActorTestKit kit = new ActorTestKit(seed);
        kit.collect("dead-letters", DeadLetter.class, kit.deadLetters);
        kit.collect("unhandled", UnhandledMessage.class, kit.unhandled);
        return kit;
    }

    private <E> void collect(String what, Class<E> type, List<E> into) {
        Behavior<E> collector = new Collector<>(event -> {
            into.add(event);
            trace.note(type.getSimpleName());
        });
        system.events().subscribe(system.spawn(collector, "testkit-" + what, TestDispatchers.atOnce()), type);
    }

    // --- Actors

    /** Starts an actor with a name made up for it. */
    public <M> ActorRef<M> spawn(Behavior<M> behavior) {
        return system.spawn(behavior, null, SpawnOptions.defaults());
    }

    /** Starts an actor. */
    public <M> ActorRef<M> spawn(Behavior<M> behavior, String name) {
        return system.spawn(behavior, name);
    }

    /** Starts an actor with options; a null name is made up. Its dispatcher makes no difference here. */
    public <M> ActorRef<M> spawn(Behavior<M> behavior, String name, SpawnOptions options) {
        return system.spawn(behavior, name, options);
    }

    /** An actor that the test plays: what is sent to it can be expected. */
    public <M> TestProbe<M> probe(Class<M> type) {
        probes++;
        return probe(type, "probe-" + probes);
    }

    /** The same with a name of its own, which failures mention. */
    public <M> TestProbe<M> probe(Class<M> type, String name) {
        return new TestProbe<>(this, type, name);
    }

    /** The system the actors live in, for what the kit has no method of its own for. */
    public ActorSystem system() {
        return system;
    }

    // --- Time

    /** Lets everybody take turns until nobody has anything to do. Time does not pass. */
    public void runUntilIdle() {
        drive.untilIdle();
    }

    /** Lets that much time pass, with everything that becomes due in it. */
    public void advance(Duration time) {
        drive.pass(time);
    }

    /** How much virtual time has passed since the kit was created. */
    public Duration elapsed() {
        return drive.elapsed();
    }

    // --- Asking

    /** Asks and waits for the reply, for at most {@link #PATIENCE}. */
    public <M, R> R ask(ActorRef<M> actor, M message, Class<R> replyType) {
        return await(actor.ask(message, replyType, PATIENCE));
    }

    /**
     * Asks an actor whose messages carry the address for the reply, and waits for it, for at most {@link #PATIENCE}.
     */
    public <M, R> R ask(ActorRef<M> actor, Function<ActorRef<R>, M> message) {
        return await(actor.ask(message, PATIENCE));
    }

    /**
     * Goes on until the future completes, for at most {@link #PATIENCE}, and returns what it brings. It must be one
     * that the kit's actors complete.
     *
     * @throws AssertionError if it does not complete, or fails; then its failure is the cause
     */
    public <R> R await(CompletableFuture<R> future) {
        return await(future, PATIENCE);
    }

    /** The same with a time of its own. */
    public <R> R await(CompletableFuture<R> future, Duration atMost) {
        if (!drive.until(future::isDone, atMost)) {
            throw failure("the future did not complete within " + atMost, null);
        }
        try {
            return future.join();
        } catch (CompletionException failed) {
            throw failure("the future failed: " + failed.getCause(), failed.getCause());
        }
    }

    // --- What happened

    /** The messages so far that nobody handled because their actor was gone, full, or no longer waiting. */
    public List<DeadLetter> deadLetters() {
        return List.copyOf(deadLetters);
    }

    /** The messages so far that reached an actor which did not handle them. */
    public List<UnhandledMessage> unhandled() {
        return List.copyOf(unhandled);
    }

    /** What the run follows from. */
    public long seed() {
        return seed;
    }

    /**
     * Who took a turn when, and which types of messages probes received, as one line each; the last ten thousand of
     * them. Equal seeds give equal lines.
     */
    public List<String> trace() {
        return trace.lines();
    }

    /** Stops all actors, leaves first, and lets them take the turns they need for it. */
    @Override
    public void close() {
        CompletableFuture<Void> ended = system.terminate();
        if (!drive.until(ended::isDone, TIME_TO_STOP)) {
            throw failure("the actors did not stop within " + TIME_TO_STOP, null);
        }
    }

    // --- For probes

    Drive drive() {
        return drive;
    }

    TurnTrace turns() {
        return trace;
    }

    AssertionError failure(String what, Throwable cause) {
        Objects.requireNonNull(what, "what");
        return new AssertionError(what + "\n" + situation(), cause);
    }

    private String situation() {
        StringBuilder text = new StringBuilder("  seed ")
                .append(seed)
                .append(", after ")
                .append(drive.elapsed())
                .append(" of virtual time and ")
                .append(drive.turns())
                .append(" turns");
        long failures = system.metrics().types().stream()
                .mapToLong(type -> type.failures())
                .sum();
        if (failures > 0) {
            text.append("\n  failures of actors, see the log: ").append(failures);
        }
        if (!deadLetters.isEmpty()) {
            text.append("\n  dead letters: ").append(deadLetters);
        }
        if (!unhandled.isEmpty()) {
            text.append("\n  unhandled: ").append(unhandled);
        }
        return text.toString();
    }
}
