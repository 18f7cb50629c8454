package dev.muster.simulator.check;

import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Input;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * S3, S4, S5, S7 and the liveness half of U7: who may come in does, who may not does not.
 *
 * <p>A node that is itself leaving, exiting or down lets nobody in, and nobody lets in a node that runs with other
 * settings where all must be equal. At the end of a long enough undisturbed stretch, every node that was told to join
 * by seeds is a member, provided that some seed is up in a state that nothing blocks and with enough members, and runs
 * with the same settings. Where no fault happens at all, that must be so ten seconds and two agreements after the last
 * start.
 */
final class JoinRules implements Checker {
    private static final long MASS_JOIN_NANOS = 10_000_000_000L;
    private static final int MOST_JOINING_AT_ONCE = 200;

    private final StepReader reader;
    private final History history;
    private final Set<Integer> toldToJoin = new HashSet<>();
    private long versionChanges;

    JoinRules(StepReader reader, History history) {
        this.reader = reader;
        this.history = history;
    }

    @Override
    public void onStep(Step step) {
        if (step.input() instanceof Input.CommandGiven given && given.command() instanceof Command.JoinSeeds) {
            toldToJoin.add(step.node().number());
        }
        if (step.changedVersion() && step.world().facts().faultKinds().isEmpty()) {
            versionChanges += Math.max(0, reader.read(step).ownIncrements());
        }
        if (step.before().members() == step.after().members()) {
            return;
        }
        for (MemberChange change : reader.read(step).ownChanges()) {
            if (change.isNew() && !change.id().equals(step.node().id())) {
                judgeLetIn(step, change);
            }
        }
    }

    private static void judgeLetIn(Step step, MemberChange change) {
        step.world().countChecks(2);
        MemberStatus own = step.before().members().statusOf(step.node().id());
        if (own.compareTo(MemberStatus.LEAVING) >= 0) {
            step.world().report("S4", "let in " + change.id() + " while itself " + own.displayName(), step.node());
        }
        Optional<? extends NodeView> joiner = step.world().node(change.id());
        if (joiner.isPresent() && !fit(joiner.get().settings(), step.node().settings())) {
            step.world().report("S5", "let in " + change.id() + ", which runs with other settings", step.node());
        }
    }

    private static boolean fit(ClusterSettings one, ClusterSettings other) {
        return one.join().wireVersion().equals(other.join().wireVersion())
                && one.downing()
                        .strategy()
                        .name()
                        .equals(other.downing().strategy().name());
    }

    @Override
    public void atEnd(WorldView world) {
        countVersions(world);
        for (NodeView node : world.runningNodes()) {
            ClusterSettings settings = node.settings();
            int members = world.runningNodes().size();
            boolean noFaults = world.facts().faultKinds().isEmpty();
            long bound = noFaults
                    ? MASS_JOIN_NANOS + 2 * Bounds.convergenceNanos(settings, members)
                    : Bounds.settledNanos(settings, members) + 2 * Bounds.downingNanos(settings, members);
            if (!node.isHostile() && toldToJoin.contains(node.number()) && history.undisturbedNanos(world) >= bound) {
                judgeIn(world, node, noFaults);
            }
        }
    }

    /** Without faults nothing changes but that nodes come in and become up. */
    private void countVersions(WorldView world) {
        int nodes = world.facts().initialNodes();
        if (!world.facts().faultKinds().isEmpty() || nodes > MOST_JOINING_AT_ONCE) {
            return;
        }
        world.countChecks(1);
        if (versionChanges > 2L * nodes) {
            world.report("S7", nodes + " nodes came in with " + versionChanges + " changes of version", null);
        }
    }

    /** How fast members become up is judged elsewhere, except where no fault excuses any delay. */
    private void judgeIn(WorldView world, NodeView node, boolean noFaults) {
        world.countChecks(1);
        MemberStatus own = node.state().members().statusOf(node.id());
        boolean isIn = Health.isMember(node) && !(noFaults && own.isNotYetUp());
        NodeView host = isIn ? null : hostOf(world, node);
        if (host != null) {
            world.report(
                    noFaults ? "S7" : "U7",
                    "is " + own.displayName() + " in its own view, although seed " + host.id() + " could let it in",
                    node);
        }
    }

    /** A seed that can let the node in; null when there is none. */
    private NodeView hostOf(WorldView world, NodeView node) {
        List<NodeAddress> seeds = node.settings().join().seedNodes();
        for (NodeView seed : world.runningNodes()) {
            boolean able = seed != node
                    && seeds.contains(seed.address())
                    && Health.isMember(seed)
                    && seed.state().members().statusOf(seed.id()) == MemberStatus.UP
                    && fit(seed.settings(), node.settings())
                    && !history.quarantinedBy(seed).contains(node.id())
                    && Health.isUnblocked(world, seed.state())
                    && Health.hasEnoughMembers(seed.state(), seed.settings().lifecycle())
                    && seed.state().members().stream()
                            .noneMatch(m -> m.id().uid() == node.id().uid());
            if (able) {
                return seed;
            }
        }
        return null;
    }
}
