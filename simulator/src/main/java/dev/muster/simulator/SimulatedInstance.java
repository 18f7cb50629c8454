package dev.muster.simulator;

import dev.muster.simulator.check.InstanceState;
import dev.muster.simulator.check.Letter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** An instance of a partition: it takes its letters one by one, and each takes a while. */
final class SimulatedInstance {
    final long epoch;
    final ArrayDeque<Letter> mailbox = new ArrayDeque<>();
    InstanceState state;
    /** The letter that it is at; null if none. */
    Letter current;

    /** Whether it may do things by itself. */
    boolean mayAct;

    boolean isStarted;
    boolean isRetiring;
    boolean leavesState;
    boolean hasEnded;

    SimulatedInstance(long epoch, InstanceState state) {
        this.epoch = epoch;
        this.state = state;
    }

    /** Whether it may turn to the next letter. */
    boolean isFree() {
        return isStarted && !isRetiring && !hasEnded && current == null && !mailbox.isEmpty();
    }

    /** Whether it has no letter at all. */
    boolean isIdle() {
        return current == null && mailbox.isEmpty();
    }

    List<Letter> letters() {
        List<Letter> letters = new ArrayList<>(mailbox);
        if (current != null) {
            letters.add(current);
        }
        return letters;
    }
}
