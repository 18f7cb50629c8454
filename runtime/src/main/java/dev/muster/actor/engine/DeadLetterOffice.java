package dev.muster.actor.engine;

import dev.muster.actor.ActorPath;
import dev.muster.actor.ActorRef;
import dev.muster.actor.DeadLetter;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Where messages go that nobody will handle: counted, published, and logged as long as there are few of them. */
public final class DeadLetterOffice implements InternalRef<Object> {

    private final LocalActorSystem system;
    private final RareLog log;
    private final Map<DeadLetter.Reason, LongAdder> counts = new EnumMap<>(DeadLetter.Reason.class);

    DeadLetterOffice(LocalActorSystem system, RareLog log) {
        this.system = system;
        this.log = log;
        for (DeadLetter.Reason reason : DeadLetter.Reason.values()) {
            counts.put(reason, new LongAdder());
        }
    }

    @Override
    public void tell(Object message, ActorRef<?> replyTo) {
        if (message == null) {
            throw new NullPointerException("a message must not be null; it was sent to dead letters");
        }
        undelivered(message, replyTo, this, DeadLetter.Reason.STOPPED);
    }

    /** A message to {@code recipient} will not be handled. Whoever waits for its reply is told. */
    public void undelivered(Object message, ActorRef<?> replyTo, ActorRef<?> recipient, DeadLetter.Reason reason) {
        counts.get(reason).increment();
        log.info(() -> "message " + RareLog.typeOf(message) + " to " + InternalRef.shown(recipient)
                + " was not delivered: " + InternalRef.why(recipient, reason));
        system.subscriptions().publish(new DeadLetter(message, recipient.path(), reason));
        InternalRef.tellUndelivered(replyTo, recipient, reason);
    }

    Map<DeadLetter.Reason, Long> counts() {
        Map<DeadLetter.Reason, Long> sums = new EnumMap<>(DeadLetter.Reason.class);
        counts.forEach((reason, count) -> sums.put(reason, count.sum()));
        return sums;
    }

    @Override
    public LocalActorSystem system() {
        return system;
    }

    @Override
    public ActorPath path() {
        return new ActorPath(system.name(), List.of("deadLetters"), 0);
    }

    @Override
    public String toString() {
        return path().toString();
    }
}
