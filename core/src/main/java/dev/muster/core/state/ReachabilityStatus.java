package dev.muster.core.state;

/** What one observer says of one subject. */
public enum ReachabilityStatus {
    REACHABLE("Reachable"),
    /** No answers for too long. May come back. */
    UNREACHABLE("Unreachable"),
    /** Quarantined, or replaced by a new incarnation. Never comes back with this uid. */
    TERMINATED("Terminated");

    private final String displayName;

    ReachabilityStatus(String displayName) {
        this.displayName = displayName;
    }

    public String displayName() {
        return displayName;
    }
}
