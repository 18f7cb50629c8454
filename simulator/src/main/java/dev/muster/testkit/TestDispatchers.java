package dev.muster.testkit;

import dev.muster.actor.SpawnOptions;
import dev.muster.environment.Activation;
import dev.muster.environment.Dispatcher;
import dev.muster.environment.Dispatchers;

/**
 * The dispatchers of a virtual world, with a trace of who runs.
 *
 * <p>One of them is for the kit's own actors, which only write down what they are told: it runs them inside the very
 * tell. So a probe has a message as soon as it was sent, and observing takes no turn that others could have taken.
 */
final class TestDispatchers implements Dispatchers {

    private static final String AT_ONCE = "testkit-at-once";

    private final Dispatchers virtual;
    private final Dispatcher traced;
    private final Dispatcher atOnce = new AtOnce();

    TestDispatchers(Dispatchers virtual, TurnTrace trace) {
        this.virtual = virtual;
        this.traced = new Traced(virtual.named(DEFAULT), trace);
    }

    /** For an actor of the kit. */
    static SpawnOptions atOnce() {
        return SpawnOptions.defaults().withDispatcher(AT_ONCE).withUnboundedMailbox();
    }

    @Override
    public Dispatcher named(String name) {
        return name.equals(AT_ONCE) ? atOnce : traced;
    }

    @Override
    public boolean isOwnedByCaller(String name) {
        return false;
    }

    @Override
    public void shutdown() {
        virtual.shutdown();
    }

    private record Traced(Dispatcher inner, TurnTrace trace) implements Dispatcher {

        @Override
        public void execute(Activation activation) {
            schedule(activation);
        }

        @Override
        public void execute(Runnable task) {
            schedule(task);
        }

        private void schedule(Runnable turn) {
            Runnable traced = () -> {
                trace.turnOf(turn);
                turn.run();
            };
            inner.execute(traced);
        }

        @Override
        public int messagesPerTurn() {
            return inner.messagesPerTurn();
        }

        @Override
        public void shutdown() {
            inner.shutdown();
        }
    }

    private static final class AtOnce implements Dispatcher {

        @Override
        public void execute(Activation activation) {
            activation.run();
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public int messagesPerTurn() {
            return Integer.MAX_VALUE;
        }

        @Override
        public void shutdown() {
            // There is nothing to release.
        }
    }
}
