package dev.muster.actor.engine;

import dev.muster.actor.ActorRef;
import java.util.HashMap;
import java.util.Map;

/** Whom an actor watches, and what it wants to be told. Used in its turn only. */
final class Watching<M> {

    private static final Object SIGNAL = new Object();

    /** The message to send instead of the signal, or {@link #SIGNAL}. */
    private final Map<ActorRef<?>, Object> watched = new HashMap<>();

    /** Asks twice only once. */
    void add(ActorRef<?> other, M message, LocalActorRef<M> self) {
        if (!(other instanceof Watchable actor)) {
            throw new IllegalArgumentException("only actors can be watched, not " + other);
        }
        if (watched.put(other, message == null ? SIGNAL : message) == null && !actor.addWatcher(self)) {
            self.ended(other, null);
        }
    }

    void takeBack(ActorRef<?> other, LocalActorRef<M> self) {
        if (watched.remove(other) != null && other instanceof Watchable actor) {
            actor.removeWatcher(self);
        }
    }

    void takeBackAll(LocalActorRef<M> self) {
        for (ActorRef<?> other : watched.keySet().toArray(new ActorRef<?>[0])) {
            takeBack(other, self);
        }
    }

    void takeBackChildren(LocalActorRef<M> self) {
        for (ActorRef<?> other : watched.keySet().toArray(new ActorRef<?>[0])) {
            if (other instanceof LocalActorRef<?> actor && actor.parent() == self) {
                takeBack(other, self);
            }
        }
    }

    boolean isWatched(ActorRef<?> other) {
        return watched.containsKey(other);
    }

    /** Ends the watch; returns the message to send instead of the signal, or null. */
    @SuppressWarnings("unchecked")
    M remove(ActorRef<?> other) {
        Object message = watched.remove(other);
        return message == SIGNAL ? null : (M) message;
    }
}
