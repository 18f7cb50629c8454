package dev.muster.actor;

import java.time.Duration;
import java.util.Objects;

/**
 * What happens to an actor that failed.
 *
 * @param directive the kind of answer
 * @param maximumRestarts more than so many restarts {@code within} that time, and it is stopped; negative for no limit
 * @param within the time in which restarts are counted
 * @param backoff how long to wait before a restart; {@link Backoff#NONE} to begin again at once
 * @param stopsChildren whether a restart stops the children first
 */
public record Supervision(
        Directive directive, int maximumRestarts, Duration within, Backoff backoff, boolean stopsChildren) {

    /** The kinds of answer to a failure. */
    public enum Directive {
        /** The actor ends, and its children with it. What actors without supervision get. */
        STOP,
        /** The failed message is dropped, and the actor goes on as it was. */
        RESUME,
        /** The actor begins anew; its mailbox and its address stay. */
        RESTART,
        /** The actor ends, and its parent fails with the same cause. */
        ESCALATE
    }

    /**
     * Waiting longer after each failure in a row: {@code minimum} doubled each time, up to {@code maximum}, and
     * lengthened by a random part of at most {@code randomFactor}. An actor that lived for {@code maximum} without
     * failing starts again with {@code minimum}.
     */
    public record Backoff(Duration minimum, Duration maximum, double randomFactor) {

        public static final Backoff NONE = new Backoff(Duration.ZERO, Duration.ZERO, 0);

        public Backoff {
            if (minimum.isNegative() || maximum.compareTo(minimum) < 0) {
                throw new IllegalArgumentException(
                        "back-off needs 0 <= minimum <= maximum, was " + minimum + " and " + maximum);
            }
            if (!(randomFactor >= 0 && randomFactor <= 1)) {
                throw new IllegalArgumentException("back-off's random factor must be 0 to 1, was " + randomFactor);
            }
        }
    }

    public Supervision {
        Objects.requireNonNull(directive, "directive");
        Objects.requireNonNull(within, "within");
        Objects.requireNonNull(backoff, "backoff");
        if (maximumRestarts >= 0 && (within.isZero() || within.isNegative())) {
            throw new IllegalArgumentException("a limit of restarts needs a positive time, was " + within);
        }
    }

    public static Supervision stop() {
        return of(Directive.STOP);
    }

    public static Supervision resume() {
        return of(Directive.RESUME);
    }

    public static Supervision restart() {
        return of(Directive.RESTART);
    }

    public static Supervision escalate() {
        return of(Directive.ESCALATE);
    }

    /** Restarts after a wait that grows with each failure in a row. Messages wait in the mailbox meanwhile. */
    public static Supervision restartWithBackoff(Duration minimum, Duration maximum, double randomFactor) {
        return new Supervision(Directive.RESTART, -1, Duration.ZERO, new Backoff(minimum, maximum, randomFactor), true);
    }

    /** Stops the actor at the failure after so many restarts in that time. */
    public Supervision withLimit(int restarts, Duration time) {
        if (restarts < 0) {
            throw new IllegalArgumentException("the limit of restarts must not be negative, was " + restarts);
        }
        return new Supervision(directive, restarts, time, backoff, stopsChildren);
    }

    /** Lets the children live through a restart; the new behavior finds them by name. */
    public Supervision keepingChildren() {
        return new Supervision(directive, maximumRestarts, within, backoff, false);
    }

    private static Supervision of(Directive directive) {
        return new Supervision(directive, -1, Duration.ZERO, Backoff.NONE, true);
    }
}
