package dev.muster.remote;

import dev.muster.actor.ActorRef;
import dev.muster.actor.engine.Ask;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The names of actors that send much, made once. A small table in which a newcomer takes the place of whoever was there
 * holds nothing for long; entries are values, so threads may race for a place.
 */
final class SenderNames {
    private static final int SLOTS = 512;

    record Name(ActorRef<?> ref, String text, byte[] ascii) {}

    private final Refs refs;
    private final AtomicReferenceArray<Name> names = new AtomicReferenceArray<>(SLOTS);

    SenderNames(Refs refs) {
        this.refs = refs;
    }

    Name of(ActorRef<?> ref) {
        if (ref instanceof Ask<?>) {
            return named(ref); // it sends once
        }
        int slot = ref.hashCode() * 0x9E3779B9 >>> 23;
        Name known = names.getAcquire(slot);
        if (known != null && known.ref() == ref) {
            return known;
        }
        Name made = named(ref);
        names.setRelease(slot, made);
        return made;
    }

    private Name named(ActorRef<?> ref) {
        String text = refs.nameOf(ref);
        return new Name(ref, text, text.getBytes(StandardCharsets.US_ASCII));
    }
}
