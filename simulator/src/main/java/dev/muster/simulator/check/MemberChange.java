package dev.muster.simulator.check;

import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;

/**
 * How one member's row differs between two states.
 *
 * @param before its earlier row, null when there was none
 * @param after its later row, null when there is none any more
 */
record MemberChange(NodeId id, Member before, Member after) {

    /** Null when the member was not known. */
    MemberStatus from() {
        return before == null ? null : before.status();
    }

    MemberStatus to() {
        return after == null ? MemberStatus.REMOVED : after.status();
    }

    boolean isNew() {
        return before == null;
    }

    boolean isRemoval() {
        return after == null;
    }

    boolean changesStatus() {
        return from() != to();
    }

    /** Whether the member's life passed this status in the change, or ended in it. */
    boolean arrivesAt(MemberStatus status) {
        return to() == status && from() != status;
    }

    /** Whether the change contains a step that only a leader on a converged state may take. */
    boolean isLeaderAction() {
        return arrivesAt(MemberStatus.UP) || arrivesAt(MemberStatus.EXITING) || isRemoval();
    }

    @Override
    public String toString() {
        return id + " " + (isNew() ? "unknown" : from().displayName()) + " -> " + to().displayName();
    }
}
