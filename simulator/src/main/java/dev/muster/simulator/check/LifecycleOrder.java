package dev.muster.simulator.check;

import dev.muster.core.state.MemberStatus;

/**
 * L1, L3 and L4: lives run forward only.
 *
 * <p>In each node's view a member goes from joining over weakly up, up, leaving and exiting to removed, skipping what
 * it likes, or from anywhere over down to removed. Weakly up occurs only where it is switched on, the two statuses of a
 * full shutdown never, and a row disappears only against a tombstone.
 */
final class LifecycleOrder implements Checker {
    private final StepReader reader;
    private final History history;

    LifecycleOrder(StepReader reader, History history) {
        this.reader = reader;
        this.history = history;
    }

    @Override
    public void onStep(Step step) {
        if (step.before().members() == step.after().members()) {
            return;
        }
        for (MemberChange change : reader.read(step).changes()) {
            step.world().countChecks(1);
            checkDirection(step, change);
            checkStatus(step, change);
            checkTombstone(step, change);
        }
    }

    private static void checkDirection(Step step, MemberChange change) {
        if (!change.isNew() && change.changesStatus() && !mayFollow(change.from(), change.to())) {
            step.world().report("L1", "a life ran backwards: " + change, step.node());
        }
    }

    private static boolean mayFollow(MemberStatus from, MemberStatus to) {
        return switch (from) {
            case JOINING, WEAKLY_UP, UP, LEAVING, EXITING -> to.ordinal() > from.ordinal();
            case DOWN -> to == MemberStatus.REMOVED;
            case PREPARING_FOR_SHUTDOWN, READY_FOR_SHUTDOWN, REMOVED -> false;
        };
    }

    private static void checkStatus(Step step, MemberChange change) {
        MemberStatus to = change.to();
        boolean weaklyUpIsOff =
                step.world().facts().settings().lifecycle().weaklyUpAfter().isEmpty();
        if (to == MemberStatus.WEAKLY_UP && weaklyUpIsOff) {
            step.world().report("L3", change + " although weakly up is switched off", step.node());
        }
        if (to == MemberStatus.PREPARING_FOR_SHUTDOWN || to == MemberStatus.READY_FOR_SHUTDOWN) {
            step.world().report("L1", change + ", which nobody here ever writes", step.node());
        }
    }

    private void checkTombstone(Step step, MemberChange change) {
        if (change.isRemoval() && !step.after().tombstones().has(change.id()) && !history.wasLetGo(change.id())) {
            step.world().report("L4", change.id() + " vanished without a tombstone", step.node());
        }
    }
}
