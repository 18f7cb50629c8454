package dev.muster.serialization;

import dev.muster.actor.ActorRef;

/**
 * Refs as texts, because an {@link ActorRef} in a message travels as the address of its actor.
 *
 * <p>Both methods are called by many threads at once.
 */
public interface RefNames {

    /** The text by which any other node can find this actor. */
    String nameOf(ActorRef<?> ref);

    /** The ref that a text means. Throws {@link IllegalArgumentException} for a text that is no address. */
    ActorRef<?> resolve(String name);
}
