package dev.muster.virtual;

import dev.muster.environment.Activation;
import dev.muster.environment.Clock;
import dev.muster.environment.Dispatcher;
import dev.muster.environment.Dispatchers;
import dev.muster.environment.Environment;
import dev.muster.environment.ProcessLoad;
import dev.muster.environment.Timers;
import dev.muster.environment.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * A world on one thread: nothing happens but when it is told to go on, time passes only when there is nothing else to
 * do, and who goes next is chosen by a seeded die. An actor reads one message a turn, so every order of messages that
 * threads could bring about comes up for some seed, and the same seed brings it about again.
 */
public final class VirtualEnvironment {

    private final RandomGenerator order;
    private final List<Runnable> ready = new ArrayList<>();
    private final PriorityQueue<VirtualTimer> timers = new PriorityQueue<>(
            Comparator.comparingLong(VirtualTimer::dueNanos).thenComparingLong(VirtualTimer::number));
    private final Environment environment;
    private final long wallStartMillis;
    private final Object owner = Turn.current();
    private long nowNanos;
    private long timersMade;
    private long steps;
    private ProcessLoad.Usage usage = new ProcessLoad.Usage(0, 0, 1);

    public VirtualEnvironment(long seed) {
        SplittableRandom source = new SplittableRandom(seed);
        this.order = source.split();
        this.wallStartMillis = 1_700_000_000_000L;
        this.environment = new Environment(
                new VirtualClock(),
                this::schedule,
                new OneDispatcher(),
                source.split(),
                VirtualEnvironment::rethrow,
                () -> usage);
    }

    /** What to start an actor system with. */
    public Environment environment() {
        return environment;
    }

    /** Lets one of those who are ready take a turn; returns false if nobody is. Time does not pass. */
    public boolean step() {
        if (ready.isEmpty()) {
            return false;
        }
        int chosen = order.nextInt(ready.size());
        int last = ready.size() - 1;
        Runnable turn = ready.get(chosen);
        ready.set(chosen, ready.get(last));
        ready.remove(last);
        steps++;
        turn.run();
        return true;
    }

    /** Goes on until nobody is ready. Time does not pass. */
    public void runUntilIdle() {
        while (step()) {
            // The step was the work.
        }
    }

    /** Lets that much time pass, with everything that becomes due in it. */
    public void advance(Duration time) {
        long untilNanos = nowNanos + time.toNanos();
        runUntilIdle();
        while (!timers.isEmpty() && timers.peek().dueNanos() <= untilNanos) {
            fireNext();
            runUntilIdle();
        }
        nowNanos = untilNanos;
    }

    /** As if the process were suspended: time passes, and what became due in it happens only when it goes on. */
    public void standStill(Duration time) {
        nowNanos += time.toNanos();
    }

    /**
     * Goes on, letting time pass where needed, until the condition holds; returns false if it does not within the time.
     */
    public boolean runUntil(BooleanSupplier condition, Duration atMost) {
        long untilNanos = nowNanos + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (step()) {
                continue;
            }
            if (timers.isEmpty() || timers.peek().dueNanos() > untilNanos) {
                nowNanos = Math.max(nowNanos, untilNanos);
                return condition.getAsBoolean();
            }
            fireNext();
        }
        return true;
    }

    private void fireNext() {
        VirtualTimer timer = timers.poll();
        nowNanos = Math.max(nowNanos, timer.dueNanos());
        timer.task().run();
    }

    /** How many turns were taken so far. */
    public long steps() {
        return steps;
    }

    /**
     * Lets it look as if so much processor time was used, and so much time was spent collecting garbage, on the one
     * processor that there is. Nothing is unless this says so, and no time passes by it.
     */
    public void spend(Duration cpuTime, Duration gcTime) {
        usage = new ProcessLoad.Usage(
                usage.cpuNanos() + cpuTime.toNanos(), usage.gcNanos() + gcTime.toNanos(), usage.processors());
    }

    public Duration elapsed() {
        return Duration.ofNanos(nowNanos);
    }

    private void requireOwner() {
        if (Turn.current() != owner) {
            throw new IllegalStateException("a virtual environment belongs to the thread that made it; complete futures"
                    + " and send messages from there, or the run could not be repeated");
        }
    }

    private Timers.Timer schedule(long delayNanos, Runnable task) {
        requireOwner();
        VirtualTimer timer = new VirtualTimer(nowNanos + Math.max(0, delayNanos), timersMade++, task);
        timers.add(timer);
        return () -> timers.remove(timer);
    }

    private static void rethrow(Throwable fatal) {
        if (fatal instanceof Error error) {
            throw error;
        }
        throw new IllegalStateException(fatal);
    }

    private record VirtualTimer(long dueNanos, long number, Runnable task) {}

    private final class VirtualClock implements Clock {
        @Override
        public long nanoTime() {
            return nowNanos;
        }

        @Override
        public long wallMillis() {
            return wallStartMillis + nowNanos / 1_000_000;
        }
    }

    /** All names mean the same one here: there are no threads to choose between. */
    private final class OneDispatcher implements Dispatcher, Dispatchers {
        @Override
        public void execute(Activation activation) {
            requireOwner();
            ready.add(activation);
        }

        @Override
        public void execute(Runnable task) {
            requireOwner();
            ready.add(task);
        }

        @Override
        public int messagesPerTurn() {
            return 1;
        }

        @Override
        public Dispatcher named(String name) {
            return this;
        }

        @Override
        public boolean isOwnedByCaller(String name) {
            return false;
        }

        @Override
        public void shutdown() {
            // What is ready may still run; there is nothing to release.
        }
    }
}
