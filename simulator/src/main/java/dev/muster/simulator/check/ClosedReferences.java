package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.VectorClock;
import java.util.HashSet;
import java.util.Set;

/**
 * M9 and R7: a state speaks of its members only. Observers and subjects are members, nobody is both member and removed,
 * and once everybody has seen a version its clock has no entry of anybody else.
 */
final class ClosedReferences implements Checker {

    @Override
    public void onStep(Step step) {
        ClusterState after = step.after();
        if (!step.changedState()) {
            return;
        }
        if (step.before().members() != after.members() || step.before().reachability() != after.reachability()) {
            checkRows(step, after);
        }
        if (step.before().members() != after.members() || step.before().tombstones() != after.tombstones()) {
            checkTombstones(step, after);
        }
        if (!after.members().isEmpty()
                && after.seen().count() == after.members().size()
                && !Sampling.skips(step.world())) {
            checkClock(step, after);
        }
    }

    private static void checkRows(Step step, ClusterState after) {
        step.world().countChecks(1);
        for (ReachabilityRow row : after.reachability().rows()) {
            requireMember(step, after, row.observer(), "an observer");
            for (ReachabilityRow.Observation record : row.records()) {
                requireMember(step, after, record.subject(), "a subject");
            }
        }
    }

    private static void requireMember(Step step, ClusterState after, NodeId id, String what) {
        if (!after.members().has(id)) {
            step.world()
                    .report(
                            after.tombstones().has(id) ? "R7" : "M9",
                            "version " + after.version() + " has " + id + " as " + what + ", which is no member",
                            step.node());
        }
    }

    private static void checkTombstones(Step step, ClusterState after) {
        step.world().countChecks(1);
        for (NodeId id : after.tombstones().ids()) {
            if (after.members().has(id)) {
                step.world()
                        .report(
                                "M9",
                                "version " + after.version() + " has a row and a tombstone of " + id,
                                step.node());
            }
        }
    }

    private static void checkClock(Step step, ClusterState after) {
        step.world().countChecks(1);
        VectorClock clock = after.version();
        if (clock.size() == 1) {
            return;
        }
        Set<String> known = new HashSet<>();
        for (Member member : after.members()) {
            known.add(member.id().clockKey());
        }
        for (NodeId id : after.tombstones().ids()) {
            known.add(id.clockKey());
        }
        for (int i = 0; i < clock.size(); i++) {
            if (!known.contains(clock.key(i))) {
                step.world()
                        .report(
                                "M9",
                                "everybody has seen version " + clock + ", whose entry " + clock.key(i)
                                        + " belongs to nobody",
                                step.node());
            }
        }
    }
}
