package dev.muster.core.exchange;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;

/**
 * One of two clusters that have one name, as its members describe it to the other: enough to agree on which of the two
 * gives way.
 *
 * @param members how many it has that are not on their way out
 * @param lowest {@code host:port} of the first of them in member order
 */
public record Island(int members, String lowest) {
    /** From somebody who is a member and says no more. */
    public static final Island UNKNOWN = new Island(0, "");

    public static Island of(ClusterState state) {
        int members = 0;
        String lowest = "";
        for (Member member : state.members()) {
            if (!member.status().isOnItsWayOut()) {
                members++;
                if (lowest.isEmpty()) {
                    lowest = member.id().address().hostAndPort();
                }
            }
        }
        return new Island(members, lowest);
    }

    /** The smaller one gives way; of two that are equal, the one whose lowest address is the higher of the two. */
    public boolean givesWayTo(Island other) {
        if (other.equals(UNKNOWN) || members == 0) {
            return false;
        }
        return members != other.members ? members < other.members : lowest.compareTo(other.lowest) > 0;
    }
}
