package dev.muster.simulator;

import java.util.Locale;

/**
 * Something that must hold did not.
 *
 * @param invariant its id in docs/invariants.md, or {@link #CRASH} or {@link #DETERMINISM}
 * @param what what was seen, in a sentence
 * @param atNanos true time
 * @param node where, such as {@code n3#1}; empty when it is about the whole
 */
public record Violation(String invariant, String what, long atNanos, String node) {
    /** A core or a checker threw. */
    public static final String CRASH = "CRASH";
    /** The same seed ran twice and did not do the same. */
    public static final String DETERMINISM = "DETERMINISM";

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%s at %.3f s%s: %s", invariant, atNanos / 1e9, node.isEmpty() ? "" : " on " + node, what);
    }
}
