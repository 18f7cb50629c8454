package dev.muster.simulator.check;

import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Input;
import dev.muster.core.handoff.PartitionGate;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * P2, P4, P6, P10: once nothing has disturbed a cluster for long enough, all its members have one table, in which every
 * partition has as many instances as are wanted and possible, on members that are up, and there they are really at
 * work.
 */
final class PartitionsRun extends PeriodicChecker {
    private static final long SETTLING_NANOS = 20_000_000_000L;
    /** A start may take 8 s and fail, and so may the next ones, each tried twice as late as the one before. */
    private static final long STARTING_NANOS = 40_000_000_000L;

    private final SortedMap<PartitionPath, PartitionSpec> wanted;
    private final Map<String, Long> idleSinceNanos = new HashMap<>();
    private long lastExternalNanos;

    PartitionsRun(SortedMap<PartitionPath, PartitionSpec> wanted) {
        super(5);
        this.wanted = wanted;
    }

    @Override
    public void onProcess(ProcessChange change) {
        lastExternalNanos = change.world().nowNanos();
    }

    @Override
    public void onStep(Step step) {
        boolean isDisturbing = step.input() instanceof Input.PeerQuarantined
                || step.input() instanceof Input.CommandGiven given && !isThere(step, given.command());
        if (isDisturbing) {
            lastExternalNanos = step.world().nowNanos();
        }
        super.onStep(step);
    }

    /** Whether it only wants what this node has in its table. */
    private static boolean isThere(Step step, Command command) {
        return command instanceof Command.WantPartition wish
                && step.node().partitions().find(wish.path()).isPresent();
    }

    @Override
    void look(WorldView world) {
        long undisturbed = Math.min(world.quietForNanos(), world.nowNanos() - lastExternalNanos);
        if (!world.facts().liveness() || undisturbed < SETTLING_NANOS) {
            return;
        }
        for (NodeView node : world.runningNodes()) {
            ClusterState state = node.state();
            long bound =
                    4 * Bounds.convergenceNanos(node.settings(), state.members().size())
                            + SETTLING_NANOS
                            + 2 * Bounds.detectionNanos(node.settings());
            if (undisturbed >= bound && Health.isMember(node) && isSettled(world, state)) {
                world.countChecks(1);
                wanted.forEach((path, spec) -> judge(world, node, path, spec));
                judgeMoves(world, node, undisturbed - bound);
            }
        }
    }

    /** P10: nothing that moves is still on its way when even a move that is given up has had its time. */
    private static void judgeMoves(WorldView world, NodeView node, long moreThanEnough) {
        if (moreThanEnough < 2 * node.settings().handoff().migrationTimeout().toNanos()) {
            return;
        }
        world.judged("P10");
        for (PartitionEntry row : node.partitions().entries().values()) {
            if (row.pending().isPresent()) {
                world.report("P10", "has not come to an end: " + row, node);
                return;
            }
        }
    }

    /** P6: what has just moved, or could not start, has a little time. */
    private void judgeRunning(WorldView world, NodeView host, PartitionPath path) {
        PartitionGate<Letter> gate = host.gates().get(path);
        String key = host.number() + "/" + path;
        world.judged("P6");
        if (gate != null && gate.acts()) {
            idleSinceNanos.remove(key);
            return;
        }
        long since = idleSinceNanos.computeIfAbsent(key, it -> world.nowNanos());
        if (world.nowNanos() - since >= STARTING_NANOS) {
            world.report("P6", path + " should run on " + host.id() + " but does not", host);
        } else {
            world.letOff("P6");
        }
    }

    /** Everybody is up and runs, has the same members, and nobody refuses to talk to anybody. */
    private static boolean isSettled(WorldView world, ClusterState state) {
        return state.reachability().isAllReachable()
                && state.members().stream()
                        .allMatch(member -> member.status() == MemberStatus.UP
                                && Health.runs(world, member)
                                && world.node(member.id())
                                        .filter(it -> it.state().version().equals(state.version()))
                                        .isPresent());
    }

    /** What is for members with a role may have been ended, and wanted again for those with another one. */
    private static boolean isAsWanted(PartitionSpec now, PartitionSpec first) {
        String role = first.role().isEmpty() ? "" : now.role();
        return now.equals(new PartitionSpec(first.instances(), first.most(), first.hint(), role, first.policy()));
    }

    private void judge(WorldView world, NodeView node, PartitionPath path, PartitionSpec spec) {
        world.judged("P2");
        ClusterState state = node.state();
        PartitionEntry row = node.partitions().find(path).orElse(null);
        if (row == null || !isAsWanted(row.spec(), spec)) {
            world.report("P2", path + " should be there as " + spec + ": " + row, node);
            return;
        }
        long possible = state.members().stream().filter(row.spec()::fits).count();
        long least = Math.min(spec.instances(), possible);
        long most = Math.min(spec.most(), possible);
        if (row.instances().size() < least || row.instances().size() > most) {
            String range = least == most ? String.valueOf(least) : least + " to " + most;
            world.report("P2", path + " should have " + range + " instances: " + row, node);
            return;
        }
        for (NodeId host : row.instances()) {
            Member member = state.members().find(host).orElse(null);
            if (member == null || !row.spec().fits(member)) {
                world.report("P2", path + " is on " + host + ", which is " + member, node);
                return;
            }
            NodeView process = world.node(host).orElseThrow();
            judgeRunning(world, process, path);
            if (!row.equals(process.partitions().row(path))) {
                world.report("P4", host + " has another row than " + row, node);
                return;
            }
        }
    }
}
