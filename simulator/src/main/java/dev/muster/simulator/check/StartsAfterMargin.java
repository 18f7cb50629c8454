package dev.muster.simulator.check;

import dev.muster.core.exchange.Effect;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * B7: of a partition whose instance must be alone the next one gets to work elsewhere with a higher epoch, and if the
 * one before did not end in a move or by a row of the table, at the earliest the down-removal-margin after its host was
 * removed: in the eyes of the node on which it starts, or of one that wrote a row of the partition.
 *
 * <p>Under auto-down, and where people declare members down, both sides of a split may go on, each with epochs of its
 * own. A host that crashes, or stops because it was removed, is waited for like one that runs on, for nobody could tell
 * these apart. One that leaves in good order is not.
 */
final class StartsAfterMargin implements Checker {
    private final SortedMap<PartitionPath, PartitionSpec> wanted;
    private final HostLosses losses;
    private final Map<String, Instance> latest = new HashMap<>();
    private final Map<PartitionPath, Set<NodeId>> writers = new HashMap<>();
    /** When each node saw others go. */
    private final Map<NodeId, Map<NodeId, Long>> goneNanos = new HashMap<>();

    /** When each node became a member. */
    private final Map<NodeId, Long> cameNanos = new HashMap<>();

    private static final class Instance {
        private final NodeView host;
        private final long epoch;
        private boolean hasEnded;

        private Instance(NodeView host, long epoch) {
            this.host = host;
            this.epoch = epoch;
        }
    }

    StartsAfterMargin(SortedMap<PartitionPath, PartitionSpec> wanted, HostLosses losses) {
        this.wanted = wanted;
        this.losses = losses;
    }

    @Override
    public void onStep(Step step) {
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.FollowRow follow) {
                writers.computeIfAbsent(follow.row().path(), it -> new TreeSet<>())
                        .add(follow.row().writer());
            }
        }
        if (step.before().members() == step.after().members()) {
            return;
        }
        if (step.before().members().isEmpty()) {
            cameNanos.putIfAbsent(step.node().id(), step.world().nowNanos());
        }
        for (Member member : step.before().members()) {
            if (!step.after().members().has(member.id())) {
                goneNanos
                        .computeIfAbsent(step.node().id(), it -> new HashMap<>())
                        .putIfAbsent(member.id(), step.world().nowNanos());
            }
        }
    }

    @Override
    public void onWork(WorkStep step) {
        boolean isStart = step.what() instanceof WorkStep.Acts;
        boolean isEnd = step.what() instanceof WorkStep.Retired;
        PartitionSpec spec = wanted.get(step.path());
        if (!isStart && !isEnd || spec.most() != 1 || !spec.policy().isExclusive()) {
            return;
        }
        String key = losses.clusterOf(step.node()) + "/" + step.path();
        Instance before = latest.get(key);
        if (step.what() instanceof WorkStep.Acts acts) {
            if (before != null && before.host != step.node()) {
                judge(step, before, acts.epoch());
            }
            if (before == null || acts.epoch() >= before.epoch || !isRemembered(step, before)) {
                latest.put(key, new Instance(step.node(), acts.epoch()));
            }
        } else if (before != null && before.host == step.node() && !losses.hadToStop(step.node())) {
            before.hasEnded = true;
        }
    }

    private void judge(WorkStep step, Instance before, long epoch) {
        WorldView world = step.world();
        world.countChecks(1);
        world.judged("B7");
        boolean areTwoSides = OneAtATime.isPromisedNothing(world) && LetterFates.areApart(before.host, step.node());
        if (areTwoSides && (epoch <= before.epoch || before.host.isRunning())) {
            world.letOff("B7"); // what was at work over there is nothing to this side
            return;
        }
        if (epoch <= before.epoch && isRemembered(step, before)) {
            world.report(
                    "B7",
                    step.path() + " gets to work in epoch " + epoch + ", but " + before.host.id()
                            + " was at work in epoch " + before.epoch,
                    step.node());
            return;
        }
        if (before.hasEnded || losses.hasLeftInOrder(before.host)) {
            return;
        }
        long since = goneSince(step, before.host.id());
        // Clocks may run fast by a twentieth.
        long margin = step.node().settings().partitions().downRemovalMargin().toNanos() * 19 / 20;
        if (since == Long.MAX_VALUE || world.nowNanos() - since < margin) {
            String when = since == Long.MAX_VALUE
                    ? "was not removed"
                    : "was removed only " + (world.nowNanos() - since) / 1_000_000 + " ms ago";
            world.report(
                    "B7",
                    step.path() + " gets to work in epoch " + epoch + ", but " + before.host.id()
                            + ", where it was in epoch " + before.epoch + ", " + when,
                    step.node());
        }
    }

    private long goneSince(WorkStep step, NodeId host) {
        Set<NodeId> witnesses = new HashSet<>(writers.getOrDefault(step.path(), Set.of()));
        witnesses.add(step.node().id());
        long seen = witnesses.stream()
                .mapToLong(it -> goneNanos.getOrDefault(it, Map.of()).getOrDefault(host, Long.MAX_VALUE))
                .min()
                .getAsLong();
        return Math.min(seen, missedSince(step, host));
    }

    /** For one who came when it had gone already, that was when he came. */
    private long missedSince(WorkStep step, NodeId host) {
        NodeId writer = step.node().partitions().row(step.path()).writer();
        return Stream.of(step.node().id(), writer)
                .flatMap(it -> step.world().node(it).stream())
                .filter(it -> !it.state().members().has(host))
                .filter(it -> !goneNanos.getOrDefault(it.id(), Map.of()).containsKey(host))
                .mapToLong(it -> cameNanos.getOrDefault(it.id(), Long.MAX_VALUE))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private boolean isRemembered(WorkStep step, Instance before) {
        return losses.isRemembered(step, before.host, before.epoch);
    }
}
