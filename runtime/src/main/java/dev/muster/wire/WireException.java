package dev.muster.wire;

/** Placeholder until the codecs are here. */
public final class WireException extends RuntimeException {
    public enum Reason {
        MALFORMED,
        TOO_LARGE
    }

    private final Reason reason;

    public WireException(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
