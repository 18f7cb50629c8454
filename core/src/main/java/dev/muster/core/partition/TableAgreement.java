package dev.muster.core.partition;

import dev.muster.core.state.Member;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;

/**
 * Whether all members are known to have the table that is here, for onlookers, who may ask any node. Nobody may write
 * by it: that the leader has to hear from each.
 *
 * <p>Only the leader hears from all, so it says so, and names by a mark which members it speaks of. A word of that
 * table and those members stays true, however late it comes and however often it is repeated.
 */
final class TableAgreement {
    /** The mark of those of whom it is known; 0 while it is not known of anybody. */
    private int knownTo;

    private Members marked = Members.NONE;
    private int mark = markOf(marked);

    /** Whether the table here has lasted for a round, in which the leader may have said something of it. */
    private boolean hasLasted;

    /** The table here is another one now. */
    void forget() {
        knownTo = 0;
        hasLasted = false;
    }

    /** Whether to ask others in this round. What the leader says unasked may have been lost, but comes first. */
    boolean isToBeAsked() {
        boolean isToBeAsked = hasLasted;
        hasLasted = true;
        return isToBeAsked;
    }

    boolean isKnown(Members members) {
        return knownTo != 0 && knownTo == mark(members);
    }

    /** The members of whom all are known to have the table here, as others are told. */
    int knownTo() {
        return knownTo;
    }

    /** This node, which leads, has heard from all. Returns whether that is news. */
    boolean heardFromAll(Members members) {
        return learn(mark(members), members);
    }

    /** Somebody with the same table says so. Returns whether it is news of these members; they may be others soon. */
    boolean learn(int said, Members members) {
        if (said == 0 || said == knownTo || isKnown(members)) {
            return false;
        }
        knownTo = said;
        return isKnown(members);
    }

    private int mark(Members members) {
        if (members != marked) {
            marked = members;
            mark = markOf(members);
        }
        return mark;
    }

    /** The same on all nodes, and never 0. */
    private static int markOf(Members members) {
        int sum = 0;
        for (Member member : members) {
            if (TableMembers.counts(member)) {
                NodeId id = member.id();
                sum = 31 * sum + id.address().host().hashCode();
                sum = 31 * sum + id.address().port();
                sum = 31 * sum + Long.hashCode(id.uid());
            }
        }
        return Math.max(1, sum & Integer.MAX_VALUE);
    }
}
