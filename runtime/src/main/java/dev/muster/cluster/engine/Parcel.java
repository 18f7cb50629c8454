package dev.muster.cluster.engine;

import dev.muster.actor.ActorRef;
import dev.muster.actor.engine.Unread;
import dev.muster.core.state.NodeId;
import dev.muster.remote.Remoting;
import dev.muster.serialization.SerializationException;
import dev.muster.wire.Payload;
import java.util.Objects;

/**
 * A message on its way to a partition: as an object, as bytes, or both. What came as bytes is read by the instance that
 * handles it, and not at all by those who pass it on; what was sent here becomes bytes when it has to go elsewhere.
 *
 * <p>Used by one thread at a time.
 */
final class Parcel {
    /** What an object is believed to take that nobody has written yet. */
    private static final long OBJECT_BYTES = 256;

    private static final long OVERHEAD_BYTES = 128;

    private final Object message;
    private final ActorRef<?> replyTo;
    private final NodeId from;
    private Payload bytes;
    private boolean isUnwritable;
    private boolean isForAll;
    private boolean isLost;
    private String problem;
    private long weight;

    private Parcel(Object message, Payload bytes, NodeId from, ActorRef<?> replyTo) {
        this.message = message;
        this.bytes = bytes;
        this.from = from;
        this.replyTo = replyTo;
    }

    /** One that was sent on this node. */
    static Parcel of(Object message, ActorRef<?> replyTo) {
        return new Parcel(Objects.requireNonNull(message, "message"), null, null, replyTo);
    }

    /** One that came from another node. */
    static Parcel arrived(NodeId from, Payload bytes, ActorRef<?> replyTo) {
        return new Parcel(null, Objects.requireNonNull(bytes, "bytes"), from, replyTo);
    }

    /** What is left of one that could not be sent. */
    static Parcel lost() {
        Parcel parcel = new Parcel(null, null, null, null);
        parcel.isLost = true;
        return parcel;
    }

    /** One that came in a form which this node cannot read. Its place in the order is left. */
    static Parcel unreadable(String problem) {
        Parcel parcel = lost();
        parcel.problem = Objects.requireNonNull(problem, "problem");
        return parcel;
    }

    /** Why it cannot be read, for the first who asks; null if it can, or if somebody knows already. */
    String takeProblem() {
        String told = problem;
        problem = null;
        return told;
    }

    ActorRef<?> replyTo() {
        return replyTo;
    }

    /** Null if it has not been written, or cannot be. */
    Payload bytes() {
        return bytes;
    }

    /** Whether it has been tried to turn it into bytes. */
    boolean isWritten() {
        return bytes != null || isUnwritable || isLost;
    }

    /** Turns it into bytes, which runs users' code. If that cannot be done, it can still be delivered here. */
    void write(Remoting remoting, ClusterLog log, ActorRef<?> recipient) {
        if (isWritten()) {
            return;
        }
        try {
            bytes = remoting.write(message);
        } catch (SerializationException unwritable) {
            isUnwritable = true;
            log.unwritable(recipient, unwritable);
        }
    }

    /** Whether each instance gets one. Then whoever else it might be passed on to has one already. */
    boolean isForAll() {
        return isForAll;
    }

    Parcel markForAll() {
        isForAll = true;
        return this;
    }

    /** Whether nobody can handle it. Somebody was told so already, unless there is a problem to be taken. */
    boolean isLost() {
        return isLost;
    }

    void markLost() {
        isLost = true;
    }

    /** The message itself, or an {@link Unread}. */
    Object content(Remoting remoting, ActorRef<?> recipient) {
        return message != null ? message : (Unread) () -> remoting.read(recipient, from, bytes);
    }

    /** The same with its mark, which it has to keep if the instance leaves it to the next one. */
    Object markedContent(Remoting remoting, ActorRef<?> recipient) {
        Object content = content(remoting, recipient);
        if (!isForAll) {
            return content;
        }
        return Unread.forAll(content instanceof Unread unread ? unread : () -> content);
    }

    boolean isObject() {
        return message != null;
    }

    /** Whether nobody has asked for its weight yet, because it never had to wait. */
    boolean isUnweighed() {
        return weight == 0;
    }

    /** How many bytes it takes, more or less, and always the same. */
    long weight() {
        if (weight == 0) {
            weight = OVERHEAD_BYTES + (bytes != null ? bytes.bytes().length : OBJECT_BYTES);
        }
        return weight;
    }
}
