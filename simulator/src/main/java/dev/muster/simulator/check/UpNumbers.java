package dev.muster.simulator.check;

import dev.muster.core.membership.LifecycleSettings;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import java.util.HashMap;
import java.util.Map;

/**
 * L5 and L6: age is told by up numbers, so they must be unique and must stay; and nobody becomes up too early.
 *
 * <p>In one node's view a number, once given, stays; except in the last moment of a node that learns from another side
 * that it was declared down, since that side may have made a member up on its own. Whoever makes members up gives each
 * a number that no other member of the state has, and does so only when there are enough members.
 */
final class UpNumbers implements Checker {
    private final StepReader reader;

    UpNumbers(StepReader reader) {
        this.reader = reader;
    }

    @Override
    public void onStep(Step step) {
        if (step.before().members() == step.after().members()) {
            return;
        }
        StepReading reading = reader.read(step);
        for (MemberChange change : reading.changes()) {
            checkStays(step, change);
        }
        boolean madeUp = false;
        for (MemberChange change : reading.ownChanges()) {
            if (change.arrivesAt(MemberStatus.UP) || change.arrivesAt(MemberStatus.WEAKLY_UP)) {
                madeUp = true;
                checkEnough(step, change);
            }
        }
        if (madeUp) {
            checkUnique(step, step.after());
        }
    }

    private static void checkStays(Step step, MemberChange change) {
        if (change.isNew() || change.isRemoval() || !change.before().hasBeenUp()) {
            return;
        }
        step.world().countChecks(1);
        boolean isLastMoment = step.after().members().statusOf(step.node().id()).compareTo(MemberStatus.DOWN) >= 0;
        if (change.before().upNumber() != change.after().upNumber() && !isLastMoment) {
            step.world()
                    .report(
                            "L5",
                            "the up number of " + change.id() + " went from "
                                    + change.before().upNumber() + " to "
                                    + change.after().upNumber(),
                            step.node());
        }
    }

    private static void checkUnique(Step step, ClusterState after) {
        step.world().countChecks(1);
        Map<Integer, Member> byNumber = new HashMap<>();
        for (Member member : after.members()) {
            Member other = member.hasBeenUp() ? byNumber.put(member.upNumber(), member) : null;
            if (other != null) {
                step.world()
                        .report(
                                "L5",
                                member + " and " + other + " both have up number " + member.upNumber() + " in version "
                                        + after.version(),
                                step.node());
            }
        }
    }

    private static void checkEnough(Step step, MemberChange change) {
        step.world().countChecks(1);
        LifecycleSettings settings = step.node().settings().lifecycle();
        int all = count(step.after(), "");
        if (all < settings.minNrOfMembers()) {
            step.world()
                    .report(
                            "L6",
                            change + " with " + all + " members, where " + settings.minNrOfMembers() + " are needed",
                            step.node());
        }
        settings.minNrOfMembersPerRole().forEach((role, needed) -> {
            if (count(step.after(), role) < needed) {
                step.world()
                        .report(
                                "L6",
                                change + " with " + count(step.after(), role) + " members of role " + role + ", where "
                                        + needed + " are needed",
                                step.node());
            }
        });
    }

    /** Those on their way out count: they may have gone that way later in the same step. */
    private static int count(ClusterState state, String role) {
        int count = 0;
        for (Member member : state.members()) {
            if (role.isEmpty() || member.hasRole(role)) {
                count++;
            }
        }
        return count;
    }
}
