package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * F1 and F6: whoever is gone is missed, also if it never answered at all.
 *
 * <p>At first by somebody, within the time of detection: judged only in runs where nothing but processes fails and all
 * members watch all, since otherwise the watchers themselves may be held up. Then by everybody: judged once the world
 * has been undisturbed for the time of {@link Bounds#everybodyKnowsNanos}.
 */
final class Completeness extends PeriodicChecker {
    private static final Set<String> PROCESS_FAULTS = Set.of("crashes", "restarts", "commands", "churn");
    private static final long SLACK_NANOS = 500_000_000L;

    private record Death(NodeView node, long atNanos) {}

    private final History history;
    private final Deque<Death> deaths = new ArrayDeque<>();

    Completeness(History history) {
        super(1);
        this.history = history;
    }

    @Override
    public void onProcess(ProcessChange change) {
        boolean isPlain = PROCESS_FAULTS.containsAll(change.world().facts().faultKinds());
        if (change.kind() == ProcessChange.Kind.CRASHED && isPlain) {
            deaths.addLast(new Death(change.node(), change.world().nowNanos()));
        }
    }

    @Override
    void look(WorldView world) {
        long patience = Bounds.detectionNanos(world.facts().settings()) + SLACK_NANOS;
        while (!deaths.isEmpty() && world.nowNanos() - deaths.getFirst().atNanos() >= patience) {
            judgeNoticed(world, deaths.removeFirst());
        }
        long undisturbed = history.undisturbedNanos(world);
        if (undisturbed >= Bounds.detectionNanos(world.facts().settings())) {
            ClusterState last = null;
            for (NodeView node : world.runningNodes()) {
                if (Health.isMember(node) && node.state() != last) {
                    last = node.state();
                    judgeKnown(world, node, undisturbed);
                }
            }
        }
    }

    private static void judgeNoticed(WorldView world, Death death) {
        NodeView missing = null;
        for (NodeView node : world.runningNodes()) {
            ClusterState state = node.state();
            boolean watchesAll =
                    state.members().size() <= node.settings().failure().monitoredByNrOfMembers() + 1;
            boolean wasThere = node.startedAtNanos() < death.atNanos() - 5_000_000_000L;
            Member dead = state.members().find(death.node().id()).orElse(null);
            if (LeaderRule.accusedIn(state).contains(death.node().id()) || dead != null && Health.isGoing(dead)) {
                return;
            }
            if (dead != null && watchesAll && wasThere && !node.isPaused() && Health.isMember(node)) {
                missing = node;
            }
        }
        world.countChecks(1);
        if (missing != null) {
            world.report(
                    "F1",
                    "nobody has noticed that " + death.node().id() + " crashed "
                            + (world.nowNanos() - death.atNanos()) / 1_000_000 + " ms ago",
                    missing);
        }
    }

    private static void judgeKnown(WorldView world, NodeView node, long undisturbed) {
        ClusterState state = node.state();
        long bound = Bounds.everybodyKnowsNanos(node.settings(), state.members().size());
        if (undisturbed < bound) {
            return;
        }
        world.countChecks(1);
        Set<?> accused = LeaderRule.accusedIn(state);
        for (Member member : state.members()) {
            boolean dead = world.node(member.id()).filter(NodeView::isRunning).isEmpty();
            if (dead && !Health.isGoing(member) && !accused.contains(member.id())) {
                world.report(
                        "F1",
                        "does not know that " + member + " is gone, " + undisturbed / 1_000_000
                                + " ms after the last disturbance",
                        node);
                return;
            }
        }
    }
}
