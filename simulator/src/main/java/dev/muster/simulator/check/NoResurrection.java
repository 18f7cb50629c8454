package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.VectorClock.Relation;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * T1 and T3: the dead stay dead. A node that ever held somebody as removed never again holds it as a member, also long
 * after the tombstone was let go; and no merge loses a tombstone that is still needed: it goes only when the node
 * itself lets go of it (which T2 judges), or with a strictly newer state that has done so.
 */
final class NoResurrection implements Checker {
    private final StepReader reader;
    private final Map<NodeId, BitSet> heldRemovedBy = new HashMap<>();

    NoResurrection(StepReader reader) {
        this.reader = reader;
    }

    @Override
    public void onStep(Step step) {
        if (!step.changedVersion()) {
            return;
        }
        if (step.before().members() != step.after().members() && !heldRemovedBy.isEmpty()) {
            checkNewcomers(step);
        }
        if (step.before().tombstones() != step.after().tombstones()) {
            checkNoneLost(step);
            for (NodeId id : step.after().tombstones().ids()) {
                heldRemovedBy
                        .computeIfAbsent(id, i -> new BitSet())
                        .set(step.node().number());
            }
        }
    }

    private void checkNewcomers(Step step) {
        for (MemberChange change : reader.read(step).changes()) {
            if (change.isNew()) {
                step.world().countChecks(1);
                BitSet holders = heldRemovedBy.get(change.id());
                if (holders != null && holders.get(step.node().number())) {
                    step.world()
                            .report(
                                    "T1",
                                    change.id() + " came back as " + change.to().displayName()
                                            + " at a node that had held it as removed",
                                    step.node());
                }
            }
        }
    }

    private void checkNoneLost(Step step) {
        ClusterState before = step.before();
        StepReading reading = reader.read(step);
        for (NodeId id : before.tombstones().ids()) {
            if (step.after().tombstones().has(id)) {
                continue;
            }
            step.world().countChecks(1);
            boolean newerLetGo = reading.received() != null
                    && !reading.received().tombstones().has(id)
                    && before.version().relationTo(reading.received().version()) == Relation.BEFORE;
            if (!newerLetGo && reading.ownIncrements() <= 0) {
                step.world()
                        .report(
                                "T3",
                                "lost the tombstone of " + id + " going from " + before.version() + " to "
                                        + step.after().version(),
                                step.node());
            }
        }
    }
}
