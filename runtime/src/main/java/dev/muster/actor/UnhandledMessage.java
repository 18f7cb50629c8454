package dev.muster.actor;

/**
 * A message that reached its actor, which did not handle it. Subscribe to {@link EventStream} to see them.
 *
 * @param message what was sent
 * @param recipient who did not handle it
 */
public record UnhandledMessage(Object message, ActorRef<?> recipient) {}
