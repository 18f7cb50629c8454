package dev.muster.simulator.check;

import dev.muster.core.exchange.Input;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityRow.Observation;
import dev.muster.core.state.ReachabilityStatus;
import java.util.List;
import java.util.Set;

/**
 * R1, R2, R4 and R6: everybody speaks for itself.
 *
 * <p>Only the observer changes its row, and each change counts the row's version up by one. Rows of others are taken
 * whole, in the highest version met, less the subjects that are gone. What a state says of a member is the strongest
 * word of any observer that is not down. Whom a node quarantines it holds terminated; nobody else but those who were
 * replaced at their address; and that stays so.
 */
final class ReachabilityRules implements Checker {
    private final StepReader reader;
    private final History history;

    ReachabilityRules(StepReader reader, History history) {
        this.reader = reader;
        this.history = history;
    }

    @Override
    public void onStep(Step step) {
        if (step.changedVersion() || step.input() instanceof Input.PeerQuarantined) {
            history.quarantinedBy(step.node()).forEach(peer -> checkQuarantine(step, peer));
        }
        if (step.before().reachability() == step.after().reachability()) {
            return;
        }
        step.world().countChecks(3);
        for (ReachabilityRow row : step.after().reachability().rows()) {
            if (row.observer().equals(step.node().id())) {
                checkOwnRow(step, row);
            } else {
                checkForeignRow(step, row);
            }
        }
        checkAggregate(step, step.after());
        checkTerminated(step);
    }

    private void checkOwnRow(Step step, ReachabilityRow row) {
        Reachability before = step.before().reachability();
        long counted = row.version() - before.versionOf(row.observer());
        List<Observation> earlier =
                before.rowOf(row.observer()).map(ReachabilityRow::records).orElse(List.of());
        int changed = 0;
        for (Observation record : row.records()) {
            changed += before.statusOf(row.observer(), record.subject()) == record.status() ? 0 : 1;
        }
        for (Observation record : earlier) {
            boolean withdrawn = step.after().members().has(record.subject())
                    && row.statusOf(record.subject()) == ReachabilityStatus.REACHABLE;
            changed += withdrawn ? 1 : 0;
        }
        // Words on a member that was removed in the same step are gone with it.
        boolean somebodyWent = reader.read(step).changes().stream().anyMatch(MemberChange::isRemoval);
        if (counted < changed || counted > changed && !somebodyWent) {
            step.world()
                    .report(
                            "R1",
                            "changed " + changed + " of its own words and counted its row up by " + counted + " to "
                                    + row.version(),
                            step.node());
        }
    }

    private void checkForeignRow(Step step, ReachabilityRow row) {
        ClusterState received = reader.read(step).received();
        ReachabilityRow mine =
                step.before().reachability().rowOf(row.observer()).orElse(null);
        ReachabilityRow theirs = received == null
                ? null
                : received.reachability().rowOf(row.observer()).orElse(null);
        if (row == mine) {
            return;
        }
        if (!isCopyOf(step, row, mine) && !isCopyOf(step, row, theirs)) {
            step.world()
                    .report(
                            "R1",
                            "rewrote the row of " + row.observer() + ": held " + mine + ", received " + theirs
                                    + ", now " + row,
                            step.node());
        }
        if (mine != null && mine.version() > row.version()) {
            step.world()
                    .report(
                            "R6",
                            "took an older row of " + row.observer() + ": " + row.version() + " after "
                                    + mine.version(),
                            step.node());
        }
    }

    private static boolean isCopyOf(Step step, ReachabilityRow row, ReachabilityRow original) {
        if (original == null || original.version() != row.version()) {
            return false;
        }
        List<Observation> kept = original.records().stream()
                .filter(record -> step.after().members().has(record.subject()))
                .toList();
        return row == original || kept.equals(row.records());
    }

    private static void checkAggregate(Step step, ClusterState state) {
        Set<NodeId> accused = LeaderRule.accusedIn(state);
        for (NodeId id : accused) {
            if (state.isReachable(id)) {
                step.world()
                        .report(
                                "R2",
                                id + " is called reachable although somebody who is not down accuses it",
                                step.node());
            }
        }
        for (ReachabilityRow row : state.reachability().rows()) {
            for (Observation record : row.records()) {
                if (!accused.contains(record.subject()) && !state.isReachable(record.subject())) {
                    step.world()
                            .report(
                                    "R2",
                                    record.subject() + " is called unreachable although only members "
                                            + "that are down accuse it",
                                    step.node());
                }
            }
        }
    }

    /** Who was quarantined is let in by somebody else at most, and is terminated as long as it is a member. */
    private void checkQuarantine(Step step, NodeId peer) {
        NodeId self = step.node().id();
        ClusterState after = step.after();
        if (peer.equals(self) || !after.members().has(peer) || !after.members().has(self)) {
            return;
        }
        step.world().countChecks(1);
        if (after.reachability().statusOf(self, peer) != ReachabilityStatus.TERMINATED) {
            step.world().report("R4", "quarantined " + peer + " and does not hold it terminated", step.node());
        }
        if (reader.read(step).ownChanges().stream()
                .anyMatch(change -> change.isNew() && change.id().equals(peer))) {
            step.world().report("R4", "let in " + peer + ", which it had quarantined", step.node());
        }
    }

    private void checkTerminated(Step step) {
        ClusterState after = step.after();
        NodeId self = step.node().id();
        for (Observation record :
                after.reachability().rowOf(self).map(ReachabilityRow::records).orElse(List.of())) {
            if (record.status() == ReachabilityStatus.TERMINATED
                    && step.before().reachability().statusOf(self, record.subject()) != ReachabilityStatus.TERMINATED
                    && !history.quarantinedBy(step.node()).contains(record.subject())
                    && !AuthorRule.isReplaced(step, record.subject())) {
                step.world().report("R4", "holds " + record.subject() + " terminated for no reason", step.node());
            }
        }
        for (ReachabilityRow row : step.before().reachability().rows()) {
            for (Observation record : row.records()) {
                boolean revoked = record.status() == ReachabilityStatus.TERMINATED
                        && after.members().has(record.subject())
                        && after.members().has(row.observer())
                        && after.reachability().statusOf(row.observer(), record.subject())
                                != ReachabilityStatus.TERMINATED;
                if (revoked) {
                    step.world()
                            .report(
                                    "R4",
                                    row.observer() + " took back that " + record.subject() + " is terminated",
                                    step.node());
                }
            }
        }
    }
}
