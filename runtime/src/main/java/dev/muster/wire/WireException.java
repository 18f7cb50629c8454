package dev.muster.wire;

/**
 * Bytes that mean nothing, or more than anybody should have to believe. The message names the field and its value, made
 * harmless for logs.
 *
 * <p>It has no stack trace: an enemy who sends a thousand of them a second should not get more than a thousand small
 * objects for it.
 */
public final class WireException extends RuntimeException {
    /** What is wrong, as it is counted. */
    public enum Reason {
        /** It cannot be read, or contradicts itself. */
        MALFORMED,
        /** A length or a count above what is allowed. */
        TOO_LARGE,
        /** Nobody here reads messages with this number. */
        UNKNOWN_SERIALIZER,
        /** The serializer is known, this kind of message is not. */
        UNKNOWN_MANIFEST,
        /** A text with characters that do not belong there, or that is no text at all. */
        BAD_TEXT,
        /** Something small that would become huge when it is unpacked. */
        BOMB,
        /** A message that says it is from somebody else than the connection has proved. */
        WRONG_SENDER
    }

    private final Reason reason;

    public WireException(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    static WireException malformed(String message) {
        return new WireException(Reason.MALFORMED, message);
    }

    static WireException missing(String field) {
        return malformed(field + " is missing");
    }

    static WireException tooLarge(String field, long value, long most) {
        return new WireException(Reason.TOO_LARGE, field + " may be at most " + most + ", was " + value);
    }

    static WireException badText(String field, String value) {
        return new WireException(
                Reason.BAD_TEXT, field + " holds characters that do not belong there: '" + Texts.shown(value) + "'");
    }

    /** For parts that are readable and yet refused by the class that they are for. */
    static WireException refused(String field, IllegalArgumentException refusal) {
        return malformed(field + " is refused: " + Texts.shown(String.valueOf(refusal.getMessage()), 300));
    }

    static WireException unknownManifest(int serializerId, String manifest) {
        return new WireException(
                Reason.UNKNOWN_MANIFEST,
                "serializer " + serializerId + " has no manifest '" + Texts.shown(manifest) + "'");
    }
}
