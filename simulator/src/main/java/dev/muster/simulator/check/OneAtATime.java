package dev.muster.simulator.check;

import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * P7, H7, H8: of a partition whose instance must be alone, no two handle letters at once, and once a later one has
 * begun, no earlier one begins with another letter, nor one of the same epoch on another host. A letter that a process
 * was at when it stood still for longer than the down-removal-margin does not count: nothing can be done about that
 * one.
 *
 * <p>Two clusters that nobody ever joined together know nothing of each other. Under auto-down, and where people
 * declare members down, both sides of a split may go on, and nothing is promised about this. Of those that need not be
 * alone a later one may begin while the earlier one still works, but only if somebody was lost within 20 s, or one of
 * the two is no member any more in the eyes of the other.
 *
 * <p>An instance that gets a state gets that which the last letter left behind. One that gets none although there was
 * one begins anew only if somebody was lost, or could not start, or if the one before was removed without knowing it
 * yet and went on for a moment. After the end of the partition it must begin anew, and also where it was nowhere
 * because there was no member that could host it.
 */
final class OneAtATime implements Checker {
    private static final long A_WHILE_NANOS = 20_000_000_000L;

    private final SortedMap<PartitionPath, PartitionSpec> wanted;
    private final HostLosses losses;
    private final Map<String, Work> works = new HashMap<>();
    private final Map<NodeView, Long> pausedNanos = new HashMap<>();

    private static final class Work {
        private final Map<NodeView, Letter> busy = new HashMap<>();
        private final Map<NodeView, InstanceState> given = new HashMap<>();
        private long epoch;
        private NodeView latest;
        private InstanceState state = InstanceState.NEW;
        private long stateEpoch;
        private long changedNanos;
        private NodeView changedBy;
    }

    OneAtATime(SortedMap<PartitionPath, PartitionSpec> wanted, HostLosses losses) {
        this.wanted = wanted;
        this.losses = losses;
    }

    @Override
    public void onProcess(ProcessChange change) {
        NodeView node = change.node();
        long now = change.world().nowNanos();
        if (change.kind() == ProcessChange.Kind.PAUSED) {
            pausedNanos.put(node, now);
        }
        long margin = node.settings().partitions().downRemovalMargin().toNanos();
        boolean sleptForLong =
                change.kind() == ProcessChange.Kind.RESUMED && now - pausedNanos.getOrDefault(node, now) > margin;
        if (!node.isRunning() || sleptForLong) {
            works.values().forEach(work -> work.busy.remove(node));
        }
    }

    @Override
    public void onWork(WorkStep step) {
        PartitionSpec spec = wanted.get(step.path());
        if (spec.most() != 1) {
            return;
        }
        Work work = works.computeIfAbsent(losses.clusterOf(step.node()) + "/" + step.path(), it -> new Work());
        if (step.what() instanceof WorkStep.Began began) {
            step.world().countChecks(1);
            judge(step, spec.policy(), work, began);
            InstanceState given = work.given.remove(step.node());
            if (given != null) {
                judgeState(step, work, given, began.epoch());
            }
            work.busy.put(step.node(), began.letter());
        } else if (step.what() instanceof WorkStep.Processed processed) {
            work.busy.remove(step.node());
            work.state = processed.after();
            work.stateEpoch = processed.epoch();
            work.changedNanos = step.world().nowNanos();
            work.changedBy = step.node();
        } else if (step.what() instanceof WorkStep.Created created
                && spec.policy().migration() == HandoffPolicy.Migration.FORWARD) {
            work.given.put(step.node(), created.state().orElse(InstanceState.NEW));
        }
    }

    private void judge(WorkStep step, HandoffPolicy policy, Work work, WorkStep.Began began) {
        boolean isLetOff = policy.isExclusive()
                ? isPromisedNothing(step.world())
                : losses.since(step.path(), began.letter().sentAtNanos() - A_WHILE_NANOS)
                        || work.latest != null && LetterFates.areApart(work.latest, step.node());
        if (work.latest != null
                && !work.latest.isRunning()
                && began.epoch() <= work.epoch
                && !losses.isRemembered(step, work.latest, work.epoch)) {
            work.epoch = 0;
            work.latest = null;
        }
        step.world().judged("P7");
        if (policy.isExclusive()) {
            step.world().judged("H8");
        }
        boolean isEarlier = began.epoch() < work.epoch
                || began.epoch() == work.epoch && work.latest != null && work.latest != step.node();
        if (isEarlier && isLetOff) {
            step.world().letOff("P7");
        } else if (isEarlier) {
            step.world()
                    .report(
                            "P7",
                            step.path() + " of epoch " + began.epoch() + " begins with " + began.letter() + " although "
                                    + work.latest.id() + " has done so in epoch " + work.epoch,
                            step.node());
        }
        for (NodeView other : work.busy.keySet()) {
            boolean mayBeTwo = isLetOff || !policy.isExclusive() && LetterFates.areApart(other, step.node());
            if (other == step.node() || !other.isRunning() || other.isPaused()) {
                continue;
            }
            if (!mayBeTwo) {
                step.world()
                        .report("P7", step.path() + " is at work here and on " + other.id() + " at once", step.node());
                return;
            }
            step.world().letOff("P7");
        }
        if (began.epoch() >= work.epoch) {
            work.epoch = began.epoch();
            work.latest = step.node();
        }
    }

    /** Both sides of a split may go on, each with epochs of its own. */
    static boolean isPromisedNothing(WorldView world) {
        DowningStrategy strategy = world.facts().settings().downing().strategy();
        return strategy instanceof DowningStrategy.AutoDown || world.facts().commandedDowns();
    }

    /** Whether a process still runs that the other one has seen removed: what it did since is known to nobody else. */
    private static boolean isRemovedUnawares(NodeView removed, NodeView other) {
        return removed.isRunning() && !other.state().members().has(removed.id());
    }

    /** Made is not yet at work: a node that slept may prepare for a move that was called off long ago. */
    private void judgeState(WorkStep step, Work work, InstanceState given, long epoch) {
        long end = losses.latestEndEpoch(step.node(), step.path());
        long nowhere = losses.latestNowhereEpoch(step.node(), step.path());
        if (work.stateEpoch < end && end < epoch || work.stateEpoch < nowhere && nowhere < epoch) {
            work.state = InstanceState.NEW; // whoever wants it again, or can host it again, gets another one
        }
        boolean isLetOff = losses.since(step.path(), work.changedNanos)
                || losses.failedStartSince(step.path(), work.changedNanos)
                || work.changedBy != null && isRemovedUnawares(work.changedBy, step.node())
                || isPromisedNothing(step.world());
        step.world().judged("H7");
        if (!given.equals(work.state) && isLetOff) {
            step.world().letOff("H7");
        } else if (!given.equals(work.state)) {
            step.world()
                    .report(
                            "H7",
                            step.path() + " begins with " + given + ", but the one before left " + work.state,
                            step.node());
        }
    }
}
