package dev.muster.simulator.plan;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What travels between simulated nodes. Neither changes what happens in a run, only how much of the code takes part.
 */
public enum WireMode {
    /** The message itself; fast, and nodes that agree share one state object. */
    RECORDS,
    /** The bytes of the real wire: every message is written by the sender's codec and read by the receiver's. */
    BYTES;

    /** As on the command line. */
    public String displayName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> displayNames() {
        return Arrays.stream(values()).map(WireMode::displayName).toList();
    }

    public static Optional<WireMode> named(String name) {
        return Arrays.stream(values())
                .filter(mode -> mode.displayName().equals(name))
                .findFirst();
    }
}
