package dev.muster.testkit;

import dev.muster.actor.ActorContext;
import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.Signal;
import dev.muster.actor.Terminated;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * An actor whose part the test plays. Hand its {@link #ref()} to the actors under test, and say what it should get.
 *
 * <p>Every method that waits lets the kit's actors take turns, and virtual time pass, until what it waits for has come,
 * and not a turn longer. Messages are expected in the order they came, each once.
 *
 * @param <M> the messages it is sent
 */
public final class TestProbe<M> {

    private final ActorTestKit kit;
    private final Class<M> type;
    private final String name;
    private final ActorRef<Object> actor;
    private final Deque<Object> waiting = new ArrayDeque<>();
    private final List<Object> taken = new ArrayList<>();
    private final List<ActorRef<?>> ended = new ArrayList<>();

    TestProbe(ActorTestKit kit, Class<M> type, String name) {
        this.kit = kit;
        this.type = type;
        this.name = name;
        this.actor = kit.system().spawn(new Part(), name, TestDispatchers.atOnce());
    }

    /** Its address. Messages of any other type arrive too, as replies can, and are then not what is expected. */
    @SuppressWarnings("unchecked")
    public ActorRef<M> ref() {
        return (ActorRef<M>) (ActorRef<?>) actor;
    }

    /** Waits for the next message and returns it. */
    public M receive() {
        Object next = next("a message");
        if (!type.isInstance(next)) {
            throw unexpected("a " + type.getName(), next);
        }
        return type.cast(next);
    }

    /** Waits for the next message, which must equal {@code expected}. */
    public M expectMessage(M expected) {
        Object next = next(String.valueOf(expected));
        if (!next.equals(expected)) {
            throw unexpected(String.valueOf(expected), next);
        }
        return expected;
    }

    /** Waits for the next message, which must be of that type. */
    public <T extends M> T expectMessageClass(Class<T> expected) {
        Object next = next("a " + expected.getName());
        if (!expected.isInstance(next)) {
            throw unexpected("a " + expected.getName(), next);
        }
        return expected.cast(next);
    }

    /** Lets that much time pass, in which nothing may come. */
    public void expectNoMessage(Duration time) {
        if (kit.drive().until(() -> !waiting.isEmpty(), time)) {
            throw kit.failure(name + " expected no message for " + time + ", but received " + waiting, null);
        }
    }

    /** Waits until that actor has stopped; no mistake if it has already. */
    public void expectTerminated(ActorRef<?> other) {
        actor.tell(new Watch(other));
        if (!kit.drive().until(() -> ended.contains(other), ActorTestKit.PATIENCE)) {
            throw kit.failure(
                    name + " expected " + other.path() + " to stop, but it still lives after " + ActorTestKit.PATIENCE,
                    null);
        }
    }

    /** What has come and was not expected yet, oldest first. Nobody takes a turn for it. */
    public List<Object> unread() {
        return List.copyOf(waiting);
    }

    private Object next(String expected) {
        if (!kit.drive().until(() -> !waiting.isEmpty(), ActorTestKit.PATIENCE)) {
            throw kit.failure(
                    name + " expected " + expected + ", but nothing came within " + ActorTestKit.PATIENCE + before(),
                    null);
        }
        Object next = waiting.removeFirst();
        taken.add(next);
        return next;
    }

    private AssertionError unexpected(String expected, Object received) {
        String after = waiting.isEmpty() ? "" : "\n  received after it: " + waiting;
        taken.remove(taken.size() - 1);
        return kit.failure(
                name + " expected " + expected + ", but received " + received + " of type "
                        + received.getClass().getName() + before() + after,
                null);
    }

    private String before() {
        return taken.isEmpty() ? "" : "\n  received before: " + taken;
    }

    @Override
    public String toString() {
        return name;
    }

    /** What the test tells its own actor to do, since only an actor can watch. */
    private record Watch(ActorRef<?> other) {}

    private final class Part extends Behavior<Object> {

        @Override
        public Behavior<Object> onMessage(ActorContext<Object> ctx, Object message) {
            if (message instanceof Watch watch) {
                ctx.watch(watch.other());
            } else {
                kit.turns().received(ctx.self(), message);
                waiting.addLast(message);
            }
            return Behaviors.same();
        }

        @Override
        public Behavior<Object> onSignal(ActorContext<Object> ctx, Signal signal) {
            if (signal instanceof Terminated terminated) {
                ended.add(terminated.ref());
            }
            return Behaviors.same();
        }
    }
}
