package dev.muster.wire;

import java.util.Optional;

/** Small questions that other systems ask of actors. */
public sealed interface MiscMessage {

    /** Who are you? The correlation comes back as it is, read by nobody in between. */
    record Identify(Payload correlation) implements MiscMessage {}

    /** @param path the actor's full path; empty when nobody is there */
    record ActorIdentity(Payload correlation, Optional<String> path) implements MiscMessage {}
}
