package dev.muster.simulator.check;

import dev.muster.core.handoff.GateMessage;
import dev.muster.core.handoff.HandoffSettings;
import dev.muster.core.handoff.Hands;
import dev.muster.core.handoff.PartitionGate;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * H2, H3, H4, H10: what becomes of every letter that was sent, one by one; {@link Conservation} adds them up.
 *
 * <p>None is handled twice. Let off is only this: of the two who handled it one does not run any more, or is no member
 * any more in the eyes of the other. Then what the first had done could not be known to whoever took its work over.
 *
 * <p>A letter is dropped because of a handoff only where the policy says so, because of a full buffer only if it is
 * full, and because there is no instance only if a start failed, or somebody was lost, or the partition was ended,
 * within 20 s, or nobody is left who could host one, or the sender is cut off and knows another table.
 */
final class LetterFates extends PeriodicChecker {
    private static final long A_WHILE_NANOS = 20_000_000_000L;
    private static final long LONG_QUIET_NANOS = 60_000_000_000L;

    private final SortedMap<PartitionPath, PartitionSpec> wanted;
    private final HostLosses losses;
    private final Conservation conservation;
    private final Map<Long, NodeView> handledBy = new HashMap<>();
    /** What each node has to keep, however little room there is. */
    private final Map<Integer, Set<Long>> notRefused = new HashMap<>();

    LetterFates(SortedMap<PartitionPath, PartitionSpec> wanted, HostLosses losses, Conservation conservation) {
        super(1);
        this.wanted = wanted;
        this.losses = losses;
        this.conservation = conservation;
    }

    @Override
    public void onWork(WorkStep step) {
        WorkStep.What what = step.what();
        if (what instanceof WorkStep.Processed processed) {
            onProcessed(step, processed.letter());
        } else if (what instanceof WorkStep.DeadLetter dead) {
            judgeDrop(step, dead);
        } else if (what instanceof WorkStep.Retired retired) {
            retired.rest().forEach(letter -> notRefused(step.node(), letter));
        } else if (what instanceof WorkStep.Heard heard
                && heard.message() instanceof GateMessage.Handed<Letter> handed
                && handed.item() instanceof GateMessage.Item.Message<Letter> message) {
            notRefused(step.node(), message.message());
        } else if (what instanceof WorkStep.Came && isFilling(step)) {
            judgeRoom(step.world(), step.node());
        } else if (what instanceof WorkStep.Refused refused) {
            judgeRefusal(step, refused);
        }
    }

    private void onProcessed(WorkStep step, Letter letter) {
        step.world().countChecks(1);
        step.world().judged("H3");
        NodeView first = handledBy.putIfAbsent(letter.number(), step.node());
        if (first != null && areApart(first, step.node())) {
            step.world().letOff("H3");
        } else if (first != null) {
            step.world().report("H3", letter + " was handled before, by " + first.id(), step.node());
        }
    }

    /** Whoever leaves in good order goes only when what it passed on has come. */
    private void judgeRefusal(WorkStep step, WorkStep.Refused refused) {
        step.world().judged("H2");
        NodeView sender = step.world().node(refused.from()).orElse(null);
        if (sender != null && losses.hasLeftInOrder(sender)) {
            step.world().report("H2", refused.letter() + " came too late from one that left in good order", sender);
        }
    }

    /** Whether one of them does not run any more, or is no member any more in the eyes of the other. */
    static boolean areApart(NodeView first, NodeView second) {
        return !first.isRunning()
                || !second.state().members().has(first.id())
                || !first.state().members().has(second.id());
    }

    private void judgeDrop(WorkStep step, WorkStep.DeadLetter dead) {
        step.world().countChecks(1);
        HandoffPolicy policy = wanted.get(step.path()).policy();
        boolean mayDrop =
                policy.migration() == HandoffPolicy.Migration.DROP || policy.update() == HandoffPolicy.Update.DROP;
        if (dead.why() == Hands.Drop.HANDOFF) {
            step.world().judged("H10");
        }
        if (dead.why() == Hands.Drop.HANDOFF && !mayDrop) {
            step.world().report("H10", dead.letter() + " is dropped under " + policy, step.node());
        }
        PartitionGate<Letter> gate = step.node().gates().get(step.path());
        HandoffSettings settings = step.node().settings().handoff();
        boolean isFull = gate == null
                || gate.waitingCount() >= settings.mostWaiting()
                || gate.waitingBytes() + dead.letter().bytes() > settings.mostBytes()
                || waitingOn(step.node()) >= settings.mostWaitingOnNode()
                || waitingBytesOn(step.node()) + dead.letter().bytes() > settings.mostBytesOnNode();
        if (dead.why() == Hands.Drop.BUFFER_FULL) {
            step.world().judged("H4");
        }
        if (dead.why() == Hands.Drop.BUFFER_FULL && !isFull) {
            step.world()
                    .report(
                            "H4",
                            dead.letter() + " is dropped although only " + gate.waitingCount() + " wait",
                            step.node());
        }
        long since = dead.letter().sentAtNanos() - A_WHILE_NANOS;
        if (dead.why() == Hands.Drop.STOPPED || dead.why() == Hands.Drop.OUT_OF_ORDER) {
            step.world().judged("H2");
            boolean isNobodyLeft = isNobodyLeft(step);
            if (isNobodyLeft
                    || areCutOff(step, dead.letter())
                    || losses.since(step.path(), since)
                    || losses.endedSince(step.path(), since)
                    || losses.failedStartSince(step.path(), since)) {
                step.world().letOff("H2");
            } else {
                step.world().report("H2", dead.letter() + " is dropped although there was an instance", step.node());
            }
        }
    }

    /** What is for members with a role may have changed that, so its row says who could host it. */
    private boolean isNobodyLeft(WorkStep step) {
        String role = step.node()
                .partitions()
                .find(step.path())
                .map(PartitionEntry::spec)
                .orElse(wanted.get(step.path()))
                .role();
        return step.node().state().members().stream().noneMatch(it -> HostLosses.isUpWith(role, it));
    }

    /** Whether one of the two cannot reach the other: then a row that the sender has may not have come. */
    private static boolean areCutOff(WorkStep step, Letter letter) {
        NodeView host = step.node();
        return !host.state().isReachable(letter.sender())
                || step.world()
                        .node(letter.sender())
                        .filter(it -> it.state().isReachable(host.id()))
                        .isEmpty();
    }

    private static long waitingOn(NodeView node) {
        return node.gates().values().stream()
                .mapToLong(PartitionGate::waitingCount)
                .sum();
    }

    private static long waitingBytesOn(NodeView node) {
        return node.gates().values().stream()
                .mapToLong(PartitionGate::waitingBytes)
                .sum();
    }

    /** What an instance had not come to, and what an old host hands over, is kept on top. */
    private void notRefused(NodeView node, Letter letter) {
        notRefused.computeIfAbsent(node.number(), it -> new HashSet<>()).add(letter.number());
    }

    private static boolean isFilling(WorkStep step) {
        PartitionGate<Letter> gate = step.node().gates().get(step.path());
        HandoffSettings settings = step.node().settings().handoff();
        return gate != null
                && (2L * gate.waitingCount() > settings.mostWaiting()
                        || 2 * gate.waitingBytes() > settings.mostBytes());
    }

    @Override
    void look(WorldView world) {
        world.countChecks(1);
        for (NodeView node : world.runningNodes()) {
            judgeRoom(world, node);
        }
    }

    /** H4: no more wait than may, for one partition and for all, in number and in bytes. */
    private void judgeRoom(WorldView world, NodeView node) {
        HandoffSettings settings = node.settings().handoff();
        Load all = new Load(0, 0);
        for (Map.Entry<PartitionPath, PartitionGate<Letter>> each : node.gates().entrySet()) {
            PartitionGate<Letter> gate = each.getValue();
            if (gate.waitingCount() == 0 && gate.isIdle()) {
                continue;
            }
            world.judged("H4");
            List<Letter> waiting = gate.waiting();
            Load told = new Load(gate.waitingCount(), gate.waitingBytes());
            Load kept = loadOf(waiting);
            if (!told.equals(kept)) {
                world.report("H4", each.getKey() + " says that " + told + " wait, but there are " + kept, node);
            }
            Set<Long> onTop = notRefused.getOrDefault(node.number(), Set.of());
            Load let = loadOf(
                    waiting.stream().filter(it -> !onTop.contains(it.number())).toList());
            if (let.count > settings.mostWaiting() || let.bytes > settings.mostBytes()) {
                world.report("H4", each.getKey() + " keeps " + let + ", more than may wait", node);
            }
            all = new Load(all.count + let.count, all.bytes + let.bytes);
        }
        if (all.count > settings.mostWaitingOnNode() || all.bytes > settings.mostBytesOnNode()) {
            world.report("H4", "keeps " + all + " in all, more than may wait on a node", node);
        }
    }

    /** Letters that wait somewhere. */
    private record Load(long count, long bytes) {
        @Override
        public String toString() {
            return count + " letters of " + bytes + " bytes";
        }
    }

    private static Load loadOf(List<Letter> letters) {
        return new Load(
                letters.size(), letters.stream().mapToLong(Letter::bytes).sum());
    }

    @Override
    public void atEnd(WorldView world) {
        look(world);
        if (!world.facts().liveness() || world.quietForNanos() < LONG_QUIET_NANOS) {
            return;
        }
        for (NodeView node : world.runningNodes()) {
            if (!isWell(world, node)) {
                continue;
            }
            for (Letter letter : node.letters()) {
                if (conservation.isOpen(letter)) {
                    world.report("H2", letter + " still waits here, and nothing is in its way", node);
                    return;
                }
            }
        }
    }

    private static boolean isWell(WorldView world, NodeView node) {
        ClusterState state = node.state();
        return !node.isHeld()
                && Health.isMember(node)
                && state.reachability().isAllReachable()
                && state.members().stream()
                        .allMatch(member -> member.status() == MemberStatus.UP && Health.runs(world, member));
    }
}
