package dev.muster.simulator.check;

import dev.muster.core.state.Member;
import dev.muster.core.state.Members;
import java.util.ArrayList;
import java.util.List;

/** Finds the rows in which two member lists differ, in one pass over both. */
final class MemberDifference {
    private MemberDifference() {}

    static List<MemberChange> between(Members before, Members after) {
        if (before == after) {
            return List.of();
        }
        List<MemberChange> changes = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < before.size() || j < after.size()) {
            int order = i == before.size()
                    ? 1
                    : j == after.size() ? -1 : before.get(i).compareTo(after.get(j));
            Member earlier = order <= 0 ? before.get(i++) : null;
            Member later = order >= 0 ? after.get(j++) : null;
            if (earlier != later && (earlier == null || !earlier.equals(later))) {
                changes.add(new MemberChange((earlier == null ? later : earlier).id(), earlier, later));
            }
        }
        return changes;
    }
}
