package dev.muster.actor.engine;

import dev.muster.actor.ActorContext;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors.Setup;
import dev.muster.actor.StashBuffer;
import dev.muster.actor.TimerScheduler;

/** A behavior that is made when the actor starts, inside the actor's own turn. */
public final class Deferred<M> extends Behavior<M> {

    final Setup<M> setup;

    public Deferred(Setup<M> setup) {
        this.setup = setup;
    }

    @Override
    public Behavior<M> onMessage(ActorContext<M> ctx, M message) {
        throw new IllegalStateException("a behavior made by setup has to be started before it gets messages");
    }

    public static <M> TimerScheduler<M> timersOf(ActorContext<M> ctx) {
        return ((ActorCell<M>) ctx).timers();
    }

    public static <M> StashBuffer<M> stashOf(ActorContext<M> ctx, int capacity) {
        return ((ActorCell<M>) ctx).stash(capacity);
    }
}
