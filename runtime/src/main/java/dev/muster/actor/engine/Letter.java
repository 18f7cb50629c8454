package dev.muster.actor.engine;

import dev.muster.actor.ActorRef;

/**
 * A message with its reply target.
 *
 * @param replyTo null if nobody waits for a reply
 * @param isForAll see {@link Unread#isForAll}
 */
public record Letter(Object message, ActorRef<?> replyTo, boolean isForAll) {

    public Letter(Object message, ActorRef<?> replyTo) {
        this(message, replyTo, false);
    }
}
