package dev.muster.actor.engine;

import dev.muster.actor.ActorRef;
import java.util.function.Consumer;

/** What cells tell each other. These go before all user messages, and never count against a bound. */
public abstract sealed class SystemMessage {

    /** The one that was sent before it: they are kept as a stack, and turned round when they are taken. */
    SystemMessage next;

    /** Run the setup of a new actor. */
    static final class Start extends SystemMessage {}

    /** End, after the message being handled. */
    static final class Stop extends SystemMessage {}

    /** The wait before a restart is over. */
    static final class BeginAnew extends SystemMessage {}

    /** Read no more user messages, give away what is there, and end. */
    static final class Retire extends SystemMessage {
        /** Takes the state, or throws if it cannot; null if none is wanted. */
        final Consumer<Object> taker;

        final Consumer<Retired> then;

        Retire(Consumer<Object> taker, Consumer<Retired> then) {
            this.taker = taker;
            this.then = then;
        }
    }

    /** Read nothing until {@link Release}. */
    static final class Hold extends SystemMessage {
        final Runnable whenQuiet;
        /** Whether it comes from a parent that is held itself, and not from outside the tree. */
        final boolean isPassedDown;

        Hold(Runnable whenQuiet, boolean isPassedDown) {
            this.whenQuiet = whenQuiet;
            this.isPassedDown = isPassedDown;
        }
    }

    /** Read again. */
    static final class Release extends SystemMessage {}

    /** A child has fully stopped. */
    static final class ChildStopped extends SystemMessage {
        final LocalActorRef<?> child;
        /** Why, if it failed and the parent has to fail with it; null otherwise. */
        final Throwable escalated;

        ChildStopped(LocalActorRef<?> child, Throwable escalated) {
            this.child = child;
            this.escalated = escalated;
        }
    }

    /** Somebody wants to know when this actor ends. */
    public static final class Watch extends SystemMessage {
        final Watcher watcher;

        public Watch(Watcher watcher) {
            this.watcher = watcher;
        }
    }

    /** Somebody no longer wants to know. */
    public static final class Unwatch extends SystemMessage {
        final Watcher watcher;

        public Unwatch(Watcher watcher) {
            this.watcher = watcher;
        }
    }

    /** Who can be told of an end. */
    public interface Watcher {
        void ended(ActorRef<?> ref, Throwable failure);
    }
}
