package dev.muster.simulator.fault;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The kinds of harm a schedule can hold, by the names that {@code --faults} takes. */
public enum FaultKind {
    /** Clean cuts into two or three groups. */
    SPLITS,
    /** Single pairs, bridges and rings of cut links. */
    PARTIAL,
    /** Links, or a whole node, dead in one direction only. */
    ONEWAY,
    /** Lost packets, on all links or around one sick node. */
    LOSS,
    /** Slow links. */
    DELAYS,
    /** Messages that arrive once more after a reconnect. */
    DUPLICATES,
    /** Connections that break, with or without what was in flight. */
    RESETS,
    /** Processes that die, one or several, also in the middle of a leader's action. */
    CRASHES,
    /** Processes that die and come back with another uid at the same address. */
    RESTARTS,
    /** Processes that stand still for a while. */
    PAUSES,
    /** Clocks that run fast or slow, and wall clocks that jump. */
    CLOCKS,
    /** Forged and replayed messages of a peer that is no member. */
    HOSTILE,
    /** Operators who let nodes leave, declare them down, and make mistakes. */
    COMMANDS,
    /** Short-lived nodes that come and go. */
    CHURN,
    /** Peers that the remoting layer of a node will never talk to again. */
    QUARANTINES;

    /** As users write it. */
    public String displayName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<FaultKind> all() {
        return Arrays.asList(values());
    }

    public static List<String> displayNames() {
        return all().stream().map(FaultKind::displayName).toList();
    }

    public static Optional<FaultKind> named(String name) {
        return all().stream().filter(kind -> kind.displayName().equals(name)).findFirst();
    }
}
