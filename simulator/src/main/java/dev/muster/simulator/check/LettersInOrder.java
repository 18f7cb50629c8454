package dev.muster.simulator.check;

import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * H1: under option 3b a single instance handles what one actor sent in the order in which it was sent, however often it
 * has moved. Let off only if, after the earlier letter was sent, the partition lost somebody who had to do with it:
 * what was taken back then may come late.
 */
final class LettersInOrder implements Checker {
    private final SortedMap<PartitionPath, PartitionSpec> wanted;
    private final HostLosses losses;
    private final Map<String, Letter> last = new HashMap<>();

    LettersInOrder(SortedMap<PartitionPath, PartitionSpec> wanted, HostLosses losses) {
        this.wanted = wanted;
        this.losses = losses;
    }

    @Override
    public void onWork(WorkStep step) {
        PartitionSpec spec = wanted.get(step.path());
        if (!(step.what() instanceof WorkStep.Began began)
                || spec.policy().arrival() != HandoffPolicy.Arrival.BUFFER
                || spec.most() != 1) {
            return;
        }
        Letter letter = began.letter();
        step.world().countChecks(1);
        step.world().judged("H1");
        String writer = letter.sender() + "/" + letter.actor() + "/" + letter.path();
        Letter before = last.get(writer);
        if (before == null || before.sequence() < letter.sequence()) {
            last.put(writer, letter);
        } else if (losses.since(letter.path(), letter.sentAtNanos())) {
            step.world().letOff("H1");
        } else {
            step.world().report("H1", letter + " comes after " + before, step.node());
        }
    }
}
