package dev.muster.wire;

import java.util.Objects;
import java.util.Optional;

/**
 * A message of users on its way from gate to gate, as bytes.
 *
 * @param content empty for one that was lost: it could not be written, or would not fit a frame. What is left of it is
 *     its place in the order
 * @param sender the address for its reply; empty for none
 * @param isForAll whether all instances get one, so that it is not for another in place of the one that it was sent to
 * @param problem why what came cannot be read; empty if it can
 */
public record GateLetter(Optional<Payload> content, String sender, boolean isForAll, String problem) {
    public static final GateLetter LOST = new GateLetter(Optional.empty(), "");

    public GateLetter {
        Objects.requireNonNull(content, "content");
        Objects.requireNonNull(sender, "sender");
        Objects.requireNonNull(problem, "problem");
    }

    public GateLetter(Optional<Payload> content, String sender) {
        this(content, sender, false);
    }

    public GateLetter(Optional<Payload> content, String sender, boolean isForAll) {
        this(content, sender, isForAll, "");
    }

    /** Something has come that is no letter. To refuse it would not help: it would be sent again, for ever. */
    static GateLetter unreadable(String problem) {
        return new GateLetter(Optional.empty(), "", false, problem);
    }
}
