package dev.muster.remote;

import dev.muster.actor.ActorRef;
import dev.muster.actor.DeadLetter;
import dev.muster.wire.Payload;

/**
 * A path on another node, for those who write their messages themselves and see to those that cannot go. What is sent
 * to one path stays in order.
 */
public final class Destination {
    private final Remoting remoting;
    private final RemoteRef<?> ref;

    Destination(Remoting remoting, RemoteRef<?> ref) {
        this.remoting = remoting;
        this.ref = ref;
    }

    /**
     * Sends it, if that can be.
     *
     * @return why not; null if it was sent
     */
    public DeadLetter.Reason send(Payload message, ActorRef<?> replyTo) {
        return remoting.send(ref, message, replyTo);
    }

    /** The same for a message of Muster's own that may enclose one of users, and so may be a little larger. */
    public DeadLetter.Reason sendEnclosed(Payload message) {
        return remoting.sendEnclosed(ref, message);
    }

    /**
     * The same for a message of users that only goes in an envelope of Muster's own: it may be as large as one that
     * goes without, and no larger, or those who have to hand it over could not.
     */
    public DeadLetter.Reason sendEnclosing(Payload message, Payload enclosed) {
        return remoting.sendEnclosing(ref, message, enclosed);
    }

    /** How many bytes {@link #sendEnclosed} takes. */
    public int mostEnclosedBytes() {
        return remoting.mostEnclosedBytes(ref);
    }
}
