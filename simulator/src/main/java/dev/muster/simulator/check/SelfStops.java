package dev.muster.simulator.check;

import dev.muster.core.exchange.Effect;
import dev.muster.core.state.MemberStatus;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * L7: a node that knows that its membership is over stops, and says nothing more.
 *
 * <p>The clock of ten rounds starts when a node holds itself as down, or has no row of its own any more; it stands
 * still while the process is paused. A node that has asked to be stopped may send nothing in a later step.
 */
final class SelfStops extends PeriodicChecker {
    private final Map<Integer, Long> overSince = new TreeMap<>();
    private final Set<Integer> stopped = new HashSet<>();

    SelfStops() {
        super(2);
    }

    @Override
    public void onStep(Step step) {
        super.onStep(step);
        if (!stopped.isEmpty() && stopped.contains(step.node().number())) {
            checkSilence(step);
        }
        if (step.before().members() != step.after().members() && isOver(step)) {
            overSince.putIfAbsent(step.node().number(), step.world().nowNanos());
        }
    }

    private static boolean isOver(Step step) {
        MemberStatus own = step.after().members().statusOf(step.node().id());
        return own == MemberStatus.DOWN || own == MemberStatus.REMOVED;
    }

    private static void checkSilence(Step step) {
        step.world().countChecks(1);
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.SendMessage send) {
                step.world()
                        .report("L7", "stopped, and still sends " + send.message() + " to " + send.to(), step.node());
            }
        }
    }

    @Override
    public void onProcess(ProcessChange change) {
        int number = change.node().number();
        switch (change.kind()) {
            case STOPPED_ITSELF -> {
                stopped.add(number);
                overSince.remove(number);
            }
            case CRASHED -> overSince.remove(number);
            case PAUSED, RESUMED ->
                overSince.computeIfPresent(number, (n, since) -> change.world().nowNanos());
            case STARTED -> {
                // Nothing is over yet.
            }
        }
    }

    @Override
    void look(WorldView world) {
        if (overSince.isEmpty()) {
            return;
        }
        long patience = Bounds.selfStopNanos(world.facts().settings());
        for (NodeView node : world.runningNodes()) {
            Long since = overSince.get(node.number());
            if (since != null && !node.isPaused() && world.nowNanos() - since > patience) {
                world.countChecks(1);
                world.report(
                        "L7",
                        "knows that its membership is over since " + (world.nowNanos() - since) / 1_000_000
                                + " ms and still runs",
                        node);
            }
        }
    }
}
