package dev.muster.cluster.engine;

import dev.muster.cluster.Cluster.Outcome;
import dev.muster.cluster.NodeStoppedException;
import dev.muster.core.ClusterCore;
import dev.muster.core.ClusterSettings;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.Input;
import dev.muster.core.partition.LoadTable;
import dev.muster.core.state.NodeId;
import dev.muster.environment.Activation;
import dev.muster.environment.Dispatcher;
import dev.muster.environment.Environment;
import dev.muster.environment.Timers;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One core and its queue: what happens to it happens one after the other, on whichever thread of the dispatcher has
 * time. Between two inputs nothing runs but one timer, set to when the core wants to be woken.
 */
final class CoreDriver extends Activation {
    private static final int MOST_PER_TURN = 64;
    private static final String STOPPED = "this node's membership has ended; ask another one, or wait until it rejoins";
    private static final Outcome NOT_HEARD = new Outcome(false, STOPPED);
    private static final long WALL_CLOCK_NANOS = 60_000_000_000L;

    private final Environment environment;
    private final Dispatcher dispatcher;
    private final ClusterCore core;
    private final Consumer<Effect> executor;
    private final Consumer<Throwable> onBug;
    private final ResumeFence fence;
    private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isScheduled = new AtomicBoolean();
    private final Effects effects = new Effects();
    private volatile boolean isStopped;
    private volatile ClusterSnapshot snapshot;
    private volatile ClusterSnapshot published;
    private volatile LoadTable loads = LoadTable.EMPTY;

    // Used in a turn only.
    private Timers.Timer timer;
    private long timerDueNanos = Long.MAX_VALUE;
    private long wallClockDueNanos;

    CoreDriver(
            NodeId self,
            ClusterSettings settings,
            Environment environment,
            Dispatcher dispatcher,
            Consumer<Effect> executor,
            Consumer<Throwable> onBug,
            ResumeFence fence) {
        this.environment = environment;
        this.dispatcher = dispatcher;
        this.executor = executor;
        this.onBug = onBug;
        this.fence = fence;
        long now = environment.clock().nanoTime();
        this.core = new ClusterCore(self, settings, environment.random(), now);
        this.wallClockDueNanos = now;
        this.snapshot = core.snapshot();
        this.published = snapshot;
    }

    /** What the core knew at the end of its last turn. */
    ClusterSnapshot snapshot() {
        return snapshot;
    }

    /**
     * The same for users, who act on what they see: it shows a partition only when messages to it find their way, and
     * is there before the events that tell of it.
     */
    ClusterSnapshot published() {
        return published;
    }

    /** How busy nodes are, as the core knew at the end of its last turn. */
    LoadTable loads() {
        return loads;
    }

    long nanoTime() {
        return environment.clock().nanoTime();
    }

    void offer(Input input) {
        submit(() -> step(input));
    }

    /** An input that has to be made first, such as a message that is still bytes; null for none. */
    void offerMade(java.util.function.Supplier<Input> maker) {
        submit(() -> {
            Input input = maker.get();
            if (input != null) {
                step(input);
            }
        });
    }

    /** Runs something in the core's turn, between two inputs. */
    void submit(Runnable work) {
        queue.add(work);
        schedule();
    }

    /** What hangs on the answer runs in the core's turn, so it must not wait. */
    <T> CompletableFuture<T> ask(Function<ClusterCore, T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (isStopped) {
            answer.completeExceptionally(new NodeStoppedException(STOPPED));
            return answer;
        }
        submit(() -> {
            if (isStopped) {
                answer.completeExceptionally(new NodeStoppedException(STOPPED));
                return;
            }
            try {
                answer.complete(question.apply(core));
            } catch (RuntimeException failure) {
                answer.completeExceptionally(failure);
            } catch (Error bug) {
                answer.completeExceptionally(bug);
                throw bug;
            }
        });
        return answer;
    }

    /** Gives a command and promises what becomes of it. What hangs on that runs in the core's turn. */
    CompletableFuture<Outcome> command(Command command) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        if (isStopped) {
            outcome.complete(NOT_HEARD);
            return outcome;
        }
        submit(() -> {
            try {
                outcome.complete(isStopped ? NOT_HEARD : carriedOut(command));
            } catch (Throwable bug) {
                outcome.completeExceptionally(bug);
                throw bug;
            }
        });
        return outcome;
    }

    private Outcome carriedOut(Command command) {
        step(new Input.CommandGiven(command));
        Outcome seen = new Outcome(true, "under way");
        for (Effect effect : effects.list()) {
            seen = effect instanceof Effect.PublishEvent published ? outcomeOf(command, published.event(), seen) : seen;
        }
        return seen;
    }

    private static Outcome outcomeOf(Command command, ClusterEvent event, Outcome otherwise) {
        if (event instanceof ClusterEvent.CommandRefused refused
                && refused.command().equals(command)) {
            return new Outcome(false, refused.reason());
        }
        if (event instanceof ClusterEvent.CommandCarriedOut done
                && done.command().equals(command)) {
            return new Outcome(true, "done to " + done.target());
        }
        return otherwise;
    }

    private void schedule() {
        if (isScheduled.compareAndSet(false, true)) {
            try {
                dispatcher.execute(this);
            } catch (RejectedExecutionException systemHasEnded) {
                isStopped = true;
                answerHere();
            }
        }
    }

    /** There are no turns any more, but whoever has asked something meanwhile must be told that. */
    private void answerHere() {
        do {
            for (Runnable work = queue.poll(); work != null; work = queue.poll()) {
                work.run(); // as the core is stopped, it hears of nothing
            }
            isScheduled.set(false);
        } while (!queue.isEmpty() && isScheduled.compareAndSet(false, true));
    }

    @Override
    public void run() {
        try {
            for (int i = 0; i < MOST_PER_TURN; i++) {
                Runnable work = queue.poll();
                if (work == null) {
                    break;
                }
                work.run();
            }
            planWakeUp();
        } catch (Throwable bug) {
            isStopped = true;
            onBug.accept(bug);
            stop();
        } finally {
            // Whatever happened: those who still wait get their answer in another turn.
            isScheduled.set(false);
            if (!queue.isEmpty()) {
                schedule();
            }
        }
    }

    private void step(Input input) {
        if (isStopped) {
            return;
        }
        long now = environment.clock().nanoTime();
        effects.clear();
        if (now >= wallClockDueNanos) {
            wallClockDueNanos = now + WALL_CLOCK_NANOS;
            core.handle(new Input.WallClockRead(environment.clock().wallMillis()), now, effects);
        }
        core.handle(input, now, effects);
        if (core.state() != snapshot.state() || !(input instanceof Input.MessageReceived) || hasNews()) {
            snapshot = core.snapshot();
        }
        loads = core.loads();
        carryOut();
        fence.coreTurned(now);
    }

    private void carryOut() {
        for (Effect effect : effects.list()) {
            if (isForPartitions(effect)) {
                executor.accept(effect);
            }
        }
        published = snapshot;
        for (Effect effect : effects.list()) {
            if (!isForPartitions(effect)) {
                executor.accept(effect);
            }
        }
    }

    private static boolean isForPartitions(Effect effect) {
        return effect instanceof Effect.FollowRow
                || effect instanceof Effect.FollowMembers
                || effect instanceof Effect.HoldInstances;
    }

    /** Most messages are heartbeats, which change nothing that anybody could see. */
    private boolean hasNews() {
        for (Effect effect : effects.list()) {
            if (!(effect instanceof Effect.SendMessage)) {
                return true;
            }
        }
        return false;
    }

    private void planWakeUp() {
        long due = isStopped ? Long.MAX_VALUE : core.nextWakeUpNanos();
        if (due >= timerDueNanos) {
            return; // the timer that is set comes first, and will look again
        }
        if (timer != null) {
            timer.cancel();
        }
        timerDueNanos = due;
        timer = environment.timers().schedule(due - environment.clock().nanoTime(), () -> submit(this::timePassed));
    }

    private void timePassed() {
        timerDueNanos = Long.MAX_VALUE;
        timer = null;
        if (environment.clock().nanoTime() >= core.nextWakeUpNanos()) {
            step(new Input.TimePassed());
        }
    }

    /** The process ends: the core says what there is to say, and is told nothing more. */
    CompletableFuture<Void> end() {
        CompletableFuture<Void> hasSpoken = new CompletableFuture<>();
        submit(() -> {
            try {
                step(new Input.ProcessEnds());
            } finally {
                stop();
                hasSpoken.complete(null);
            }
        });
        return hasSpoken;
    }

    /** The core is told nothing more. */
    void stop() {
        isStopped = true;
        fence.coreStopped();
    }

    boolean isStopped() {
        return isStopped;
    }
}
