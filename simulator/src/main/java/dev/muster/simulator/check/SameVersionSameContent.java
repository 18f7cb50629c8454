package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;

/**
 * M6: two states with the same version have the same members, tombstones and reachability, whoever holds them.
 *
 * <p>Everything rests on this one: a node that has seen a version is taken to know its content. Checked whenever a node
 * comes to hold another version or other content, against everything that any node ever held.
 */
final class SameVersionSameContent implements Checker {
    private final History history;

    SameVersionSameContent(History history) {
        this.history = history;
    }

    @Override
    public void onStep(Step step) {
        ClusterState after = step.after();
        if (!step.changedState() || !step.changedVersion() && sameParts(step.before(), after)) {
            return;
        }
        if (after.members().isEmpty()) {
            return;
        }
        step.world().countChecks(1);
        ClusterState known = history.versions().findOrAdd(after).state;
        if (!known.sameContentAs(after)) {
            step.world()
                    .report(
                            "M6",
                            "version " + after.version() + " means two things: " + difference(known, after),
                            step.node());
        }
    }

    private static boolean sameParts(ClusterState one, ClusterState other) {
        return one.members() == other.members()
                && one.tombstones() == other.tombstones()
                && one.reachability() == other.reachability();
    }

    private static String difference(ClusterState known, ClusterState after) {
        if (!known.members().equals(after.members())) {
            return "members " + MemberDifference.between(known.members(), after.members());
        }
        if (!known.tombstones().equals(after.tombstones())) {
            return "tombstones " + known.tombstones() + " and " + after.tombstones();
        }
        return "reachability " + known.reachability().rows() + " and "
                + after.reachability().rows();
    }
}
