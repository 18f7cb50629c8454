package dev.muster.simulator.check;

import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Input;
import dev.muster.core.handoff.PartitionGate;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Remembers when a partition lost somebody who had to do with it: a process that ended although its gate still had
 * something, or one that runs and has such a gate but was removed by somebody, which makes two clusters of one. Comes
 * before those who ask, and reports nothing.
 *
 * <p>Whoever leaves in good order is no loss, whatever it still has, unless its time was up: that which the leader
 * gives it to hand over, or that for which it may wait until nobody needs it any more.
 */
final class HostLosses implements Checker {
    private final Map<PartitionPath, Long> lastNanos = new HashMap<>();
    private final Map<PartitionPath, Long> lastFailedStartNanos = new HashMap<>();
    private final Map<PartitionPath, Long> lastEndNanos = new HashMap<>();
    private final Map<String, Long> latestEndEpochs = new HashMap<>();
    private final Map<String, Long> latestNowhereEpochs = new HashMap<>();
    private final Map<Integer, Integer> clusterOf = new HashMap<>();
    private final Map<NodeId, Long> leavingSince = new HashMap<>();
    private final Set<Integer> leftInOrder = new HashSet<>();
    private final Set<Integer> stoppedOtherwise = new HashSet<>();

    /** Whether that happened at this moment or later. */
    boolean since(PartitionPath path, long nanos) {
        return lastNanos.getOrDefault(path, Long.MIN_VALUE) >= nanos;
    }

    /** Whether an instance did not start at this moment or later. */
    boolean failedStartSince(PartitionPath path, long nanos) {
        return lastFailedStartNanos.getOrDefault(path, Long.MIN_VALUE) >= nanos;
    }

    /** Whether anybody learned at this moment or later that the partition was ended. */
    boolean endedSince(PartitionPath path, long nanos) {
        return lastEndNanos.getOrDefault(path, Long.MIN_VALUE) >= nanos;
    }

    /** The epoch of the last row by which the partition was ended in the cluster of this node; 0 if it never was. */
    long latestEndEpoch(NodeView node, PartitionPath path) {
        return latestEndEpochs.getOrDefault(clusterOf(node) + "/" + path, 0L);
    }

    /**
     * The epoch of the last row in this node's cluster by which the partition was nowhere, because no member could host
     * it then; 0 if there never was one. What it knew went with the last one who could.
     */
    long latestNowhereEpoch(NodeView node, PartitionPath path) {
        return latestNowhereEpochs.getOrDefault(clusterOf(node) + "/" + path, 0L);
    }

    /** Whether a process has ended by leaving, and its time was not up. */
    boolean hasLeftInOrder(NodeView node) {
        return leftInOrder.contains(node.number());
    }

    /** Whether a process ends, or has ended, because it was removed or its time was up, and not in a crash. */
    boolean hadToStop(NodeView node) {
        return stoppedOtherwise.contains(node.number());
    }

    @Override
    public void onProcess(ProcessChange change) {
        if (change.kind() == ProcessChange.Kind.CRASHED) {
            note(change.world(), change.node());
        }
    }

    /** Before what it has becomes dead letters. */
    private void noteStop(Step step) {
        if (step.effects().stream().noneMatch(Effect.StopNode.class::isInstance)) {
            return;
        }
        NodeView node = step.node();
        boolean isRemoved = !(step.input() instanceof Input.ExitTasksDone);
        boolean isTimeUp = !isRemoved && isDrainTimeUp(step);
        if (!isRemoved && !isTimeUp && !node.isCutShort()) {
            leftInOrder.add(node.number());
            return;
        }
        stoppedOtherwise.add(node.number());
        note(step.world(), node);
        if (!isRemoved) {
            step.world()
                    .reached(
                            isTimeUp
                                    ? "a leaver went although it still hosted something"
                                    : "a leaver waited no longer for those to whom it handed over");
        }
    }

    /** Whether it hosts what somebody else could, and has been leaving for as long as that may take. */
    private boolean isDrainTimeUp(Step step) {
        NodeId id = step.node().id();
        long timeout = step.node().settings().partitions().drainTimeout().toNanos();
        long since = leavingSince.getOrDefault(id, Long.MAX_VALUE);
        return step.node().partitions().entries().values().stream().anyMatch(it -> isFor(it, id))
                && step.world().nowNanos() - since >= timeout * 99 / 100;
    }

    private void noteLeaving(Step step) {
        for (Member member : step.after().members()) {
            if (member.status() == MemberStatus.LEAVING) {
                leavingSince.putIfAbsent(member.id(), step.world().nowNanos());
            }
        }
    }

    /** Which cluster a node belongs to, by the number of the node that formed it; -1 while it is in none. */
    int clusterOf(NodeView node) {
        return clusterOf.getOrDefault(node.number(), -1);
    }

    /**
     * Whether anybody still has the table in which a host was at work in that epoch. Where all have died who had it,
     * those who are left begin anew, and the same epoch has another host.
     */
    boolean isRemembered(WorkStep step, NodeView host, long epoch) {
        int cluster = clusterOf(step.node());
        return step.world().runningNodes().stream()
                .filter(it -> clusterOf(it) == cluster)
                .flatMap(it -> it.partitions().find(step.path()).stream())
                .anyMatch(row -> row.epoch() > epoch || row.epoch() == epoch && isFor(row, host.id()));
    }

    private static boolean isFor(PartitionEntry row, NodeId host) {
        return row.isOn(host) || row.move().filter(it -> it.to().equals(host)).isPresent();
    }

    private void noteCluster(Step step) {
        if (!step.before().members().isEmpty() || step.after().members().isEmpty()) {
            return;
        }
        if (History.hasFormed(step)) {
            clusterOf.put(step.node().number(), step.node().number());
        } else if (step.input() instanceof Input.MessageReceived received) {
            step.world()
                    .node(received.from())
                    .ifPresent(welcomer -> clusterOf.put(step.node().number(), clusterOf(welcomer)));
        }
    }

    @Override
    public void onStep(Step step) {
        noteCluster(step);
        noteStop(step);
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.FollowRow follow && isNowhere(follow.row(), step)) {
                latestNowhereEpochs.merge(
                        clusterOf(step.node()) + "/" + follow.row().path(),
                        follow.row().epoch(),
                        Math::max);
            }
            if (effect instanceof Effect.FollowRow follow && follow.row().isDeleted()) {
                lastEndNanos.put(follow.row().path(), step.world().nowNanos());
                latestEndEpochs.merge(
                        clusterOf(step.node()) + "/" + follow.row().path(),
                        follow.row().epoch(),
                        Math::max);
                PartitionGate<Letter> gate =
                        step.node().gates().get(follow.row().path());
                if (gate != null && gate.view().isPresent()) {
                    step.world().reached("a partition was ended while it moved");
                }
            }
        }
        if (step.before().members() == step.after().members()) {
            return;
        }
        noteLeaving(step);
        for (Member member : step.before().members()) {
            if (!step.after().members().has(member.id())) {
                step.world().node(member.id()).filter(NodeView::isRunning).ifPresent(it -> {
                    note(step.world(), it);
                    note(step.world(), step.node());
                });
            }
        }
    }

    static boolean isUpWith(String role, Member member) {
        return member.status() == MemberStatus.UP && (role.isEmpty() || member.hasRole(role));
    }

    private static boolean isNowhere(PartitionEntry row, Step step) {
        return !row.isDeleted()
                && row.instances().isEmpty()
                && step.after().members().stream()
                        .noneMatch(it -> isUpWith(row.spec().role(), it));
    }

    private void note(WorldView world, NodeView node) {
        node.gates().forEach((path, gate) -> {
            if (!gate.isIdle()) {
                lastNanos.put(path, world.nowNanos());
            }
        });
    }

    @Override
    public void onWork(WorkStep step) {
        if (step.what() instanceof WorkStep.StartFailed) {
            lastFailedStartNanos.put(step.path(), step.world().nowNanos());
        }
    }
}
