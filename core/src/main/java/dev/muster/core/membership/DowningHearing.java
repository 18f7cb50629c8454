package dev.muster.core.membership;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.SeenSet;
import java.util.Arrays;

/**
 * Remembers when each member was last known to have seen what this node had to say.
 *
 * <p>Every change of the state empties the seen set, and for a moment everybody seems silent: the dead, and those whose
 * answer is just under way. So a member counts as in touch for a while after it was last heard: briefly when it is
 * accused, for twice as long as the picture must be still when nobody has a word against it.
 */
final class DowningHearing {
    private static final long MOST_BENEFIT_OF_DOUBT_NANOS = 3_000_000_000L;
    private static final long NEVER = Long.MIN_VALUE;

    private Members members = Members.NONE;
    private SeenSet seen = SeenSet.NOBODY;
    private long[] lastHeardNanos = {}; // by ordinal in members

    /** All is calm: nothing that was heard before matters in the next trouble. */
    void forget() {
        members = Members.NONE;
        seen = SeenSet.NOBODY;
    }

    /** Another state took the place of this one: up to now, all who had seen it had nothing more to say. */
    void noteEndOf(ClusterState state, long nowNanos) {
        seen = SeenSet.NOBODY;
        note(state, nowNanos);
    }

    void note(ClusterState state, long nowNanos) {
        if (state.members() != members) {
            moveTo(state.members());
        } else if (state.seen() == seen) {
            return;
        }
        seen = state.seen();
        for (int i = 0; i < lastHeardNanos.length; i++) {
            if (seen.contains(i)) {
                lastHeardNanos[i] = nowNanos;
            }
        }
    }

    void noteAnswer(NodeId id, long nowNanos) {
        int ordinal = members.ordinalOf(id);
        if (ordinal >= 0) {
            lastHeardNanos[ordinal] = nowNanos;
        }
    }

    private void moveTo(Members next) {
        long[] moved = new long[next.size()];
        Arrays.fill(moved, NEVER);
        int j = 0;
        for (int i = 0; i < next.size() && j < members.size(); i++) {
            while (j < members.size() && members.get(j).compareTo(next.get(i)) < 0) {
                j++;
            }
            if (j < members.size() && members.get(j).id().equals(next.get(i).id())) {
                moved[i] = lastHeardNanos[j];
            }
        }
        members = next;
        lastHeardNanos = moved;
    }

    /** The state as seen by those who are in touch. */
    ClusterState inTouch(ClusterState state, long nowNanos, long patienceNanos) {
        note(state, nowNanos);
        SeenSet heard = SeenSet.NOBODY;
        for (int i = 0; i < lastHeardNanos.length; i++) {
            boolean accused = !state.isReachable(members.get(i).id());
            long benefitNanos = accused ? Math.min(patienceNanos / 2, MOST_BENEFIT_OF_DOUBT_NANOS) : 2 * patienceNanos;
            if (lastHeardNanos[i] != NEVER && nowNanos - lastHeardNanos[i] < benefitNanos) {
                heard = heard.with(i);
            }
        }
        return state.seenAlsoBy(heard);
    }
}
