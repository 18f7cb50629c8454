package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * P9: whoever writes that a leaving member is exiting has no row on it that could be elsewhere, or has known for as
 * long as a member may take that it leaves.
 */
final class LeaversHandOver implements Checker {
    private final Map<Integer, Map<NodeId, Long>> leavingSince = new HashMap<>();
    private final Set<NodeId> exiting = new HashSet<>();

    @Override
    public void onStep(Step step) {
        if (step.before().members() == step.after().members()) {
            return;
        }
        Map<NodeId, Long> since = leavingSince.computeIfAbsent(step.node().number(), number -> new HashMap<>());
        for (Member member : step.after().members()) {
            if (member.status() == MemberStatus.LEAVING) {
                since.putIfAbsent(member.id(), step.localNanos());
            } else if (member.status() == MemberStatus.EXITING && exiting.add(member.id())) {
                judge(step, member, since);
            }
        }
    }

    private static void judge(Step step, Member member, Map<NodeId, Long> since) {
        step.world().countChecks(1);
        step.world().judged("P9");
        long timeout = step.node().settings().partitions().drainTimeout().toNanos();
        Long known = since.get(member.id());
        if (known != null && step.localNanos() - known >= timeout) {
            step.world().letOff("P9");
            step.world().reached("a leaver's time was up before it had handed over");
            return;
        }
        for (PartitionEntry row : step.node().partitions().entries().values()) {
            // Somebody may have come up in the same step, too late for this one.
            boolean isThere =
                    row.isOn(member.id()) && canGoElsewhere(row, step.before()) && canGoElsewhere(row, step.after());
            boolean isComing =
                    row.pending().filter(it -> it.to().equals(member.id())).isPresent();
            if (isThere || isComing) {
                step.world().report("P9", member + " is let go although there is " + row, step.node());
                return;
            }
        }
    }

    private static boolean canGoElsewhere(PartitionEntry row, ClusterState state) {
        return state.members().stream().anyMatch(it -> row.spec().fits(it) && !row.isOn(it.id()));
    }
}
