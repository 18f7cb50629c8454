package dev.muster.serialization;

/**
 * One message could not be written or read. Nothing else is harmed by it.
 *
 * <p>Its text may go into a log: what came from the wire is escaped in it and cut.
 */
public class SerializationException extends RuntimeException {

    /** What was wrong, for counters and for deciding whom to tell. */
    public enum Reason {
        /** Nobody here has the serializer id that the message is marked with. */
        UNKNOWN_SERIALIZER,
        /** The serializer is known, the kind of message is not. */
        UNKNOWN_MANIFEST,
        /** The bytes do not mean such a message. */
        MALFORMED,
        /** The message is too deep, too long or has too many parts. */
        LIMIT_EXCEEDED,
        /** The message's own code, its constructor or serializer, failed. */
        REFUSED,
        /** The message has something in it that cannot be written. */
        NOT_WRITABLE,
        /** Messages of this class cannot travel at all. */
        NO_SERIALIZER
    }

    private final Reason reason;

    SerializationException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Without a stack trace: what strangers send must be cheap to refuse, and the trace would tell nothing. */
    SerializationException(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
