package dev.muster.actor.engine;

import dev.muster.actor.ActorContext;
import dev.muster.actor.Behavior;
import dev.muster.actor.Supervision;
import java.util.Objects;

/** A behavior together with one rule for its failures. It is taken apart when the actor starts. */
public final class Supervised<M> extends Behavior<M> {

    final Behavior<M> behavior;
    final Class<? extends Throwable> failure;
    final Supervision supervision;

    public Supervised(Behavior<M> behavior, Class<? extends Throwable> failure, Supervision supervision) {
        this.behavior = behavior;
        this.failure = Objects.requireNonNull(failure, "failure");
        this.supervision = Objects.requireNonNull(supervision, "supervision");
    }

    @Override
    public Behavior<M> onMessage(ActorContext<M> ctx, M message) {
        throw new IllegalStateException("a supervised behavior has to be started before it gets messages");
    }
}
