package dev.muster.actor.engine;

import dev.muster.actor.ActorRef;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What the runtime puts between the user's messages: it is handled in order with them, but is none of them.
 *
 * <p>All but {@link Adapted} and {@link Arrived} come from the actor's own doing (a timer, a future, a watch), so there
 * are never more of them than it asked for, and they are let into a full mailbox: an actor that loses its own timer
 * would hang.
 */
abstract sealed class Notice {

    /** Handles it in the turn of {@code cell}. */
    abstract <M> void deliver(ActorCell<M> cell) throws Exception;

    /** What becomes a dead letter when the actor stops before it gets there; null for nothing. */
    Object undelivered() {
        return null;
    }

    /** An actor that was watched has ended. */
    static final class Ended extends Notice {
        private final ActorRef<?> ref;
        private final Throwable failure;

        Ended(ActorRef<?> ref, Throwable failure) {
            this.ref = ref;
            this.failure = failure;
        }

        @Override
        <M> void deliver(ActorCell<M> cell) throws Exception {
            cell.watchedEnded(ref, failure);
        }
    }

    /** A message that came by an adapter. */
    static final class Adapted<U, T> extends Notice {
        private final U message;
        private final Function<? super U, ? extends T> function;

        Adapted(U message, Function<? super U, ? extends T> function) {
            this.message = message;
            this.function = function;
        }

        @Override
        @SuppressWarnings("unchecked")
        <M> void deliver(ActorCell<M> cell) throws Exception {
            cell.receive((M) function.apply(message));
        }

        @Override
        Object undelivered() {
            return message;
        }
    }

    /** A message from elsewhere, which the actor reads itself. */
    static final class Arrived extends Notice {
        private final Unread message;

        Arrived(Unread message) {
            this.message = message;
        }

        @Override
        @SuppressWarnings("unchecked")
        <M> void deliver(ActorCell<M> cell) throws Exception {
            M read = (M) message.read();
            if (read != null && message.isForAll()) {
                cell.receiveForAll(read);
            } else if (read != null) {
                cell.receive(read);
            }
        }

        boolean isForAll() {
            return message.isForAll();
        }

        @Override
        Object undelivered() {
            return message.read();
        }
    }

    /** What a future brought. */
    static final class Piped<V, T> extends Notice {
        private final V value;
        private final Throwable failure;
        private final BiFunction<? super V, ? super Throwable, ? extends T> function;

        Piped(V value, Throwable failure, BiFunction<? super V, ? super Throwable, ? extends T> function) {
            this.value = value;
            this.failure = failure;
            this.function = function;
        }

        @Override
        @SuppressWarnings("unchecked")
        <M> void deliver(ActorCell<M> cell) throws Exception {
            cell.receive((M) function.apply(value, failure));
        }
    }

    /** A timer of the actor has run out. */
    static final class TimerFired extends Notice {
        private final ActorTimers.Entry<?> entry;

        TimerFired(ActorTimers.Entry<?> entry) {
            this.entry = entry;
        }

        @Override
        @SuppressWarnings("unchecked")
        <M> void deliver(ActorCell<M> cell) throws Exception {
            // A timer that was cancelled or replaced while its notice waited is never heard of.
            M message = (M) entry.messageIfActive();
            if (message != null) {
                cell.receive(message);
            }
        }
    }

    /** Nothing has come for a while, perhaps. */
    static final class QuietFor extends Notice {
        private final ReceiveTimeout<?> timeout;

        QuietFor(ReceiveTimeout<?> timeout) {
            this.timeout = timeout;
        }

        @Override
        @SuppressWarnings("unchecked")
        <M> void deliver(ActorCell<M> cell) throws Exception {
            M message = (M) timeout.messageIfQuiet();
            if (message != null) {
                cell.receive(message);
            }
        }
    }
}
