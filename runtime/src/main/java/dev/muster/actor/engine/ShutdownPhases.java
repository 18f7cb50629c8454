package dev.muster.actor.engine;

import dev.muster.actor.ActorSettings;
import dev.muster.actor.CoordinatedShutdown;
import dev.muster.environment.Dispatcher;
import dev.muster.environment.Dispatchers;
import dev.muster.environment.Environment;
import dev.muster.environment.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;

/** Runs the phases of a shutdown, one after the other. */
final class ShutdownPhases implements CoordinatedShutdown {
    private static final long LOOK_AGAIN_NANOS = 500_000_000L;

    private final Environment environment;
    private final ActorSettings settings;
    private final Logger log;
    private final Runnable afterLast;
    /** A thread of its own: actors that never give theirs back must not be able to stop the shutdown. */
    private Dispatcher driver;

    private final CompletableFuture<Void> done = new CompletableFuture<>();

    // Guarded by this.
    private final Map<Phase, List<Task>> tasks = new EnumMap<>(Phase.class);
    private final Map<Phase, Holding> heldOpen = new EnumMap<>(Phase.class);
    private String reason;
    private Phase begun;

    ShutdownPhases(Environment environment, ActorSettings settings, Logger log, Runnable afterLast) {
        this.environment = environment;
        this.settings = settings;
        this.log = log;
        this.afterLast = afterLast;
    }

    @Override
    public synchronized void addTask(Phase phase, String name, Supplier<? extends CompletionStage<?>> task) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(task, "task");
        if (begun != null && begun.compareTo(phase) >= 0) {
            throw new IllegalStateException(
                    "task " + name + " comes too late: phase " + phase.key() + " of the shutdown has begun already");
        }
        tasks.computeIfAbsent(phase, p -> new ArrayList<>()).add(new Task(name, task));
    }

    @Override
    public CompletableFuture<Void> run(String why) {
        synchronized (this) {
            if (reason != null) {
                return done.copy();
            }
            reason = Objects.requireNonNull(why, "reason");
        }
        log.info("shutting down: {}", why);
        driver = environment.dispatchers().named(Dispatchers.PINNED);
        driver.execute(() -> run(0));
        return done.copy();
    }

    @Override
    public synchronized String reason() {
        return reason;
    }

    private void run(int index) {
        if (index == Phase.values().length) {
            afterLast.run();
            done.complete(null);
            if (environment.dispatchers().isOwnedByCaller(Dispatchers.PINNED)) {
                driver.shutdown();
            }
            return;
        }
        Phase phase = Phase.values()[index];
        List<Task> toRun;
        synchronized (this) {
            begun = phase;
            toRun = List.copyOf(tasks.getOrDefault(phase, List.of()));
        }
        if (toRun.isEmpty()) {
            run(index + 1);
            return;
        }
        CompletableFuture<?>[] running =
                toRun.stream().map(task -> new CompletableFuture<Void>()).toArray(CompletableFuture<?>[]::new);
        var unused = withDeadline(phase, toRun, running).whenComplete((nothing, late) -> next(phase, index, late));
        for (int i = 0; i < running.length; i++) {
            Task task = toRun.get(i);
            CompletableFuture<?> end = running[i];
            // Somebody's code: it may wait, so it gets a thread for that, and the deadline runs already.
            blocking().execute(() -> start(phase, task, end));
        }
    }

    private void next(Phase phase, int index, Throwable late) {
        if (late != null) {
            log.warn(
                    "phase {} of the shutdown was left after {}: {}",
                    phase.key(),
                    settings.timeoutOf(phase),
                    late.getMessage());
        }
        // The last phase ends the dispatchers, so nothing may be handed to them after it.
        if (index + 1 == Phase.values().length) {
            run(index + 1);
        } else {
            driver.execute(() -> run(index + 1));
        }
    }

    private void start(Phase phase, Task task, CompletableFuture<?> end) {
        CompletableFuture<?> future;
        try {
            future = task.work().get().toCompletableFuture();
        } catch (Throwable failure) {
            if (Failures.isFatal(failure)) {
                environment.fatal().accept(failure);
            }
            future = CompletableFuture.failedFuture(failure);
        }
        var unused = future.whenComplete((value, failure) -> {
            if (failure != null) {
                log.warn("task {} of shutdown phase {} failed", task.name(), phase.key(), failure);
            }
            end.complete(null);
        });
    }

    private CompletableFuture<Void> withDeadline(Phase phase, List<Task> toRun, CompletableFuture<?>[] running) {
        CompletableFuture<Void> either = new CompletableFuture<>();
        long begunNanos = environment.clock().nanoTime();
        plan(settings.timeoutOf(phase).toNanos(), phase, begunNanos, either, () -> unfinished(toRun, running));
        var unused = CompletableFuture.allOf(running).whenComplete((nothing, failure) -> either.complete(null));
        return either;
    }

    private void plan(
            long nanos, Phase phase, long begunNanos, CompletableFuture<Void> either, Supplier<String> unfinished) {
        Timers.Timer timer = environment.timers().schedule(nanos, () -> {
            if (mayTakeLonger(phase, begunNanos)) {
                plan(LOOK_AGAIN_NANOS, phase, begunNanos, either, unfinished);
            } else {
                either.completeExceptionally(new TimeoutException("still running: " + unfinished.get()));
            }
        });
        var unused = either.whenComplete((nothing, failure) -> timer.cancel());
    }

    private static String unfinished(List<Task> toRun, CompletableFuture<?>[] running) {
        List<String> unfinished = new ArrayList<>();
        for (int i = 0; i < running.length; i++) {
            if (!running[i].isDone()) {
                unfinished.add(toRun.get(i).name());
            }
        }
        return String.join(", ", unfinished);
    }

    /** Beyond its time a phase goes on as long as this says so, for {@code most} since it began. */
    synchronized void holdOpen(Phase phase, Duration most, BooleanSupplier isNeeded) {
        heldOpen.put(phase, new Holding(most, isNeeded));
    }

    private boolean mayTakeLonger(Phase phase, long begunNanos) {
        Holding holding;
        synchronized (this) {
            holding = heldOpen.get(phase);
        }
        return holding != null
                && environment.clock().nanoTime() - begunNanos < holding.most().toNanos()
                && isNeeded(phase, holding);
    }

    /** Whoever cannot say why it should wait does not make a process stand still. */
    private boolean isNeeded(Phase phase, Holding holding) {
        try {
            return holding.isNeeded().getAsBoolean();
        } catch (RuntimeException failure) {
            log.warn("shutdown phase {} is not held open any longer: that could not be decided", phase.key(), failure);
            return false;
        }
    }

    @Override
    public synchronized Duration limit() {
        Duration limit = Duration.ZERO;
        for (Phase phase : Phase.values()) {
            Duration own = settings.timeoutOf(phase);
            Holding holding = heldOpen.get(phase);
            boolean isLonger = holding != null && holding.most().compareTo(own) > 0;
            // The last look may come just before the end.
            limit = limit.plus(isLonger ? holding.most().plusNanos(LOOK_AGAIN_NANOS) : own);
        }
        return limit;
    }

    private Dispatcher blocking() {
        return environment.dispatchers().named(Dispatchers.BLOCKING);
    }

    private record Holding(Duration most, BooleanSupplier isNeeded) {}

    private record Task(String name, Supplier<? extends CompletionStage<?>> work) {}
}
