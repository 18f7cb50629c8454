package dev.muster.simulator.fault;

import java.util.Locale;

/** One fault of a schedule: when it begins, and all that is needed to carry it out. */
public record FaultEvent(long atNanos, FaultKind kind, FaultAction action) implements Comparable<FaultEvent> {

    /** When it is over; the time of its beginning for faults that do not last. */
    public long endNanos() {
        return atNanos + action.durationNanos();
    }

    @Override
    public int compareTo(FaultEvent other) {
        return Long.compare(atNanos, other.atNanos);
    }

    @Override
    public String toString() {
        String lasting = action.durationNanos() == 0
                ? ""
                : String.format(Locale.ROOT, " for %.3f s", action.durationNanos() / 1e9);
        return String.format(
                Locale.ROOT, "%.3f s %s: %s%s", atNanos / 1e9, kind.displayName(), action.describe(), lasting);
    }
}
