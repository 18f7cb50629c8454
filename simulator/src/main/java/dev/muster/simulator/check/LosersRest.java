package dev.muster.simulator.check;

import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * B5: on a node that knows that it has lost, because it holds itself down or has no row of its own any more, no
 * instance that must be alone begins with a letter later than a second after that. While a process stands still it
 * cannot know.
 */
final class LosersRest implements Checker {
    private static final long SECOND = 1_000_000_000L;

    private final SortedMap<PartitionPath, PartitionSpec> wanted;
    private final Map<Integer, Long> lostSinceNanos = new HashMap<>();
    private final Map<Integer, Long> resumedNanos = new HashMap<>();

    LosersRest(SortedMap<PartitionPath, PartitionSpec> wanted) {
        this.wanted = wanted;
    }

    @Override
    public void onStep(Step step) {
        if (step.before().members() == step.after().members()
                || step.before().members().isEmpty()) {
            return;
        }
        MemberStatus own = step.after().members().statusOf(step.node().id());
        if (own == MemberStatus.DOWN || own == MemberStatus.REMOVED) {
            lostSinceNanos.putIfAbsent(step.node().number(), step.world().nowNanos());
        }
    }

    @Override
    public void onProcess(ProcessChange change) {
        if (change.kind() == ProcessChange.Kind.RESUMED) {
            resumedNanos.put(change.node().number(), change.world().nowNanos());
        }
    }

    @Override
    public void onWork(WorkStep step) {
        if (!(step.what() instanceof WorkStep.Began)
                || !wanted.get(step.path()).policy().isExclusive()) {
            return;
        }
        int number = step.node().number();
        step.world().countChecks(1);
        step.world().judged("B5");
        Long lost = lostSinceNanos.get(number);
        if (lost == null) {
            return;
        }
        long since = Math.max(lost, resumedNanos.getOrDefault(number, 0L));
        if (step.world().nowNanos() - since > SECOND) {
            step.world()
                    .report(
                            "B5",
                            step.path() + " begins with another letter "
                                    + (step.world().nowNanos() - lost) / 1_000_000
                                    + " ms after this node knew that it had lost",
                            step.node());
        }
    }
}
