package dev.muster.actor.engine;

import dev.muster.environment.Activation;
import dev.muster.environment.Dispatcher;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;

/**
 * A dispatcher behind a fence: whoever's turn comes while the fence is closed does not run, but waits and gets a turn
 * once it opens.
 *
 * <p>The fence is looked at when a turn begins, not when it is asked for, because what matters is what is true when a
 * user's code runs. {@link ActorCell} looks again before each message, and gives up its turn when the fence has closed
 * in the middle of it; only the message that it is at is finished. Children of an actor behind a fence are behind it
 * too, whatever dispatcher they have. Stopping an actor takes a turn too, so a fence that never opens keeps its actors
 * from ending.
 */
public final class FencedDispatcher implements Dispatcher {

    private final Dispatcher inner;
    private final Fence fence;

    public FencedDispatcher(Dispatcher inner, Fence fence) {
        this.inner = Objects.requireNonNull(inner, "inner");
        this.fence = Objects.requireNonNull(fence, "fence");
    }

    /** Where a child runs that would run on {@code chosen}: there, but behind its parent's fence, if there is one. */
    static Dispatcher forChild(Dispatcher parents, Dispatcher chosen) {
        if (!(parents instanceof FencedDispatcher fenced)) {
            return chosen;
        }
        return fenced.inner == chosen ? fenced : new FencedDispatcher(chosen, fenced.fence);
    }

    Fence fence() {
        return fence;
    }

    @Override
    public void execute(Activation activation) {
        inner.execute(new Gate(activation));
    }

    @Override
    public void executeAfterOthers(Activation activation) {
        inner.executeAfterOthers(new Gate(activation));
    }

    @Override
    public void execute(Runnable task) {
        inner.execute(new Gate(task));
    }

    @Override
    public int messagesPerTurn() {
        return inner.messagesPerTurn();
    }

    @Override
    public void shutdown() {
        inner.shutdown();
    }

    /** One turn at the fence. */
    private final class Gate extends Activation {
        private final Runnable turn;

        Gate(Runnable turn) {
            this.turn = turn;
        }

        @Override
        public void run() {
            if (fence.isOpen()) {
                turn.run();
            } else {
                fence.whenOpen(this::lineUp);
            }
        }

        /** Never runs the turn here: whoever opens the fence has other work. */
        private void lineUp() {
            try {
                inner.execute(this);
            } catch (RejectedExecutionException systemHasEnded) {
                // Its actor did not stop in time and was left behind, as it would have been without a fence.
            }
        }

        @Override
        public Runnable whose() {
            return turn instanceof Activation activation ? activation.whose() : turn;
        }
    }
}
