package dev.muster.actor;

import java.util.Optional;

/**
 * An actor that was watched has stopped. It comes exactly once for a watch, after every message that the stopped actor
 * had sent to the watcher.
 *
 * <p>A watcher that does not handle this signal stops too, with a {@link DeathPactException}: to watch somebody and not
 * care is most likely a mistake.
 *
 * @param ref who stopped
 * @param failure why, if it failed and it was a child of the watcher; empty otherwise
 */
public record Terminated(ActorRef<?> ref, Optional<Throwable> failure) implements Signal {}
