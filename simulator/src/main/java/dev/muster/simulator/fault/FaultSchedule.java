package dev.muster.simulator.fault;

import java.util.ArrayList;
import java.util.List;

/**
 * All faults of a run, drawn up front and sorted by time, so that any of them can be left out and the rest replayed.
 */
public record FaultSchedule(List<FaultEvent> events) {
    public static final FaultSchedule NONE = new FaultSchedule(List.of());

    public FaultSchedule {
        events = events.stream().sorted().toList();
    }

    /** The same without the events from one index to another. */
    public FaultSchedule without(int from, int to) {
        List<FaultEvent> kept = new ArrayList<>(events.subList(0, from));
        kept.addAll(events.subList(to, events.size()));
        return new FaultSchedule(kept);
    }

    /** When the last fault has ended; 0 without any. */
    public long endNanos() {
        return events.stream().mapToLong(FaultEvent::endNanos).max().orElse(0);
    }

    public boolean hasCommandedDowns() {
        return events.stream()
                .anyMatch(event -> event.action() instanceof FaultAction.GiveOrder given
                        && (given.order() == FaultAction.Order.DOWN
                                || given.order() == FaultAction.Order.DOWN_OLD_INCARNATION));
    }
}
