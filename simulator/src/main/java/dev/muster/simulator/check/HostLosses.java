package dev.muster.simulator.check;

import dev.muster.core.exchange.Input;
import dev.muster.core.state.Member;
import dev.muster.core.state.PartitionPath;
import java.util.HashMap;
import java.util.Map;

/**
 * Remembers when a partition lost somebody who had to do with it: a process that ended although its gate still had
 * something, or one that runs and has such a gate but was removed by somebody, which makes two clusters of one. Comes
 * before those who ask, and reports nothing.
 */
final class HostLosses implements Checker {
    private final Map<PartitionPath, Long> lastNanos = new HashMap<>();
    private final Map<PartitionPath, Long> lastFailedStartNanos = new HashMap<>();
    private final Map<Integer, Integer> clusterOf = new HashMap<>();

    /** Whether that happened at this moment or later. */
    boolean since(PartitionPath path, long nanos) {
        return lastNanos.getOrDefault(path, Long.MIN_VALUE) >= nanos;
    }

    /** Whether an instance did not start at this moment or later. */
    boolean failedStartSince(PartitionPath path, long nanos) {
        return lastFailedStartNanos.getOrDefault(path, Long.MIN_VALUE) >= nanos;
    }

    @Override
    public void onProcess(ProcessChange change) {
        if (change.kind() == ProcessChange.Kind.CRASHED || change.kind() == ProcessChange.Kind.STOPPED_ITSELF) {
            note(change.world(), change.node());
        }
    }

    /** Which cluster a node belongs to, by the number of the node that formed it; -1 while it is in none. */
    int clusterOf(NodeView node) {
        return clusterOf.getOrDefault(node.number(), -1);
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
        if (step.before().members() == step.after().members()) {
            return;
        }
        for (Member member : step.before().members()) {
            if (!step.after().members().has(member.id())) {
                step.world().node(member.id()).filter(NodeView::isRunning).ifPresent(it -> {
                    note(step.world(), it);
                    note(step.world(), step.node());
                });
            }
        }
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
