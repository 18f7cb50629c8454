package dev.muster.actor.engine;

import dev.muster.actor.ActorRef;

/**
 * A message with its reply target.
 *
 * @param replyTo null if nobody waits for a reply
 */
public record Letter(Object message, ActorRef<?> replyTo) {}
