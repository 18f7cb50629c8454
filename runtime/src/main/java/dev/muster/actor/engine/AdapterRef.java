package dev.muster.actor.engine;

import dev.muster.actor.ActorPath;
import dev.muster.actor.ActorRef;
import dev.muster.actor.DeadLetter;
import java.util.Objects;
import java.util.function.Function;

/** A second address of an actor, for messages that it turns into its own. */
final class AdapterRef<U, M> implements InternalRef<U> {

    private final LocalActorRef<M> owner;
    private final Class<U> type;
    private final Function<? super U, ? extends M> function;

    AdapterRef(LocalActorRef<M> owner, Class<U> type, Function<? super U, ? extends M> function) {
        this.owner = owner;
        this.type = Objects.requireNonNull(type, "type");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public void tell(U message, ActorRef<?> replyTo) {
        if (message == null) {
            throw new NullPointerException("a message must not be null; it was sent to " + path());
        }
        if (!type.isInstance(message)) {
            system().unhandled(message, this);
            InternalRef.tellUndelivered(replyTo, this, DeadLetter.Reason.UNHANDLED);
            return;
        }
        int outcome = offer(message, replyTo);
        if (outcome != Mailbox.ACCEPTED) {
            DeadLetter.Reason reason =
                    outcome == Mailbox.FULL ? DeadLetter.Reason.MAILBOX_FULL : DeadLetter.Reason.STOPPED;
            system().deadLetterOffice().undelivered(message, replyTo, this, reason);
        }
    }

    /** For an event: the caller cares for what became of it. */
    int offer(U message) {
        return offer(message, null);
    }

    private int offer(U message, ActorRef<?> replyTo) {
        return owner.offer(new Notice.Adapted<U, M>(message, function), replyTo);
    }

    @Override
    public boolean isSecondAddress() {
        return true;
    }

    @Override
    public boolean hasEnded() {
        return isClosed();
    }

    /** Whether the actor behind it has stopped. */
    boolean isClosed() {
        return owner.isClosed();
    }

    @Override
    public LocalActorSystem system() {
        return owner.system();
    }

    @Override
    public ActorPath path() {
        return owner.path();
    }

    @Override
    public String toString() {
        return "adapter of " + type.getSimpleName() + " for " + owner.path();
    }
}
