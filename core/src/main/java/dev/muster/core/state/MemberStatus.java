package dev.muster.core.state;

/**
 * The stations of a member's life, in the order in which a merge prefers them: of two views the further one wins.
 *
 * <p>Specification: "Member States". The two full-shutdown statuses are carried for other systems on the wire and never
 * written by Muster.
 */
public enum MemberStatus {
    /** Known to the cluster, not yet taking part. */
    JOINING("Joining"),
    /** Taking part while convergence is blocked; never counted in quorum decisions. */
    WEAKLY_UP("WeaklyUp"),
    /** The normal state. */
    UP("Up"),
    /** Carried, never written: the whole cluster is about to stop. */
    PREPARING_FOR_SHUTDOWN("PreparingForShutdown"),
    /** Has been told to leave. */
    LEAVING("Leaving"),
    /** Everybody knows that it leaves; it is finishing. */
    EXITING("Exiting"),
    /** Declared gone; no longer part of cluster decisions. */
    DOWN("Down"),
    /** Carried, never written: the whole cluster may stop now. */
    READY_FOR_SHUTDOWN("ReadyForShutdown"),
    /** No longer a member, and never again with this uid. Held as a tombstone, never as a row. */
    REMOVED("Removed");

    private final String displayName;

    MemberStatus(String displayName) {
        this.displayName = displayName;
    }

    public String displayName() {
        return displayName;
    }

    public boolean isFurtherThan(MemberStatus other) {
        return ordinal() > other.ordinal();
    }

    /** Members in these states must have seen a version before it counts as converged, and one of them leads. */
    public boolean countsForConvergence() {
        return this == UP || this == LEAVING || this == PREPARING_FOR_SHUTDOWN || this == READY_FOR_SHUTDOWN;
    }

    /** Joining or weakly up: present, but never counted in majority or quorum decisions. */
    public boolean isNotYetUp() {
        return this == JOINING || this == WEAKLY_UP;
    }

    /** Exiting or down: an unreachable member in such a state does not block convergence. */
    public boolean isOnItsWayOut() {
        return this == EXITING || this == DOWN;
    }

    /** Whether a life can lead from this status to the other, in one step or several. A status follows itself. */
    public boolean mayBecome(MemberStatus next) {
        if (this == next) {
            return true;
        }
        if (this == REMOVED) {
            return false;
        }
        if (this == DOWN) {
            return next == REMOVED;
        }
        if (this == READY_FOR_SHUTDOWN) {
            return next == DOWN || next == REMOVED;
        }
        return next.isFurtherThan(this);
    }
}
