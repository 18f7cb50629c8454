package dev.muster.simulator.check;

import dev.muster.core.state.NodeId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * F5: who was asleep accuses nobody right after waking up.
 *
 * <p>A node notices its own pause by the lateness of its timers, so a pause counts here when it is longer than half the
 * acceptable one by at least a heartbeat interval, the longest that a timer may have had left. After such a pause no
 * new accusation may come from it for nine tenths of the acceptable pause; the last tenth is left to clocks that run
 * fast.
 */
final class LocalPauseRule implements Checker {
    private final StepReader reader;
    private final Map<Integer, Long> pausedAt = new HashMap<>();
    private final Map<Integer, Long> trustedFrom = new HashMap<>();

    LocalPauseRule(StepReader reader) {
        this.reader = reader;
    }

    @Override
    public void onProcess(ProcessChange change) {
        int number = change.node().number();
        long now = change.world().nowNanos();
        if (change.kind() == ProcessChange.Kind.PAUSED) {
            pausedAt.put(number, now);
        } else if (change.kind() == ProcessChange.Kind.RESUMED) {
            Duration acceptable = change.node().settings().failure().acceptableHeartbeatPause();
            if (mustBeNoticed(change.node(), now - pausedAt.getOrDefault(number, now))) {
                trustedFrom.put(number, now + acceptable.toNanos() * 9 / 10);
            }
        }
    }

    /** Whether a pause was so long that the node cannot have overlooked it. */
    static boolean mustBeNoticed(NodeView node, long pauseNanos) {
        Duration acceptable = node.settings().failure().acceptableHeartbeatPause();
        Duration interval = node.settings().failure().heartbeatInterval();
        return pauseNanos > Math.max(acceptable.toNanos(), interval.toNanos()) * 6 / 10 + interval.toNanos();
    }

    @Override
    public void onStep(Step step) {
        if (step.before().reachability() == step.after().reachability() || trustedFrom.isEmpty()) {
            return;
        }
        long from = trustedFrom.getOrDefault(step.node().number(), 0L);
        if (step.world().nowNanos() >= from) {
            return;
        }
        step.world().countChecks(1);
        for (NodeId subject : reader.read(step).newAccusations()) {
            step.world()
                    .report(
                            "F5",
                            "accuses " + subject + " although it was itself asleep until a moment ago",
                            step.node());
        }
    }
}
