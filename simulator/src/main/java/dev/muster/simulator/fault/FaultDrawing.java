package dev.muster.simulator.fault;

import dev.muster.simulator.chance.Dice;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Draws the faults of one run from dice. Each kind has dice of its own, so switching one kind off leaves the others as
 * they were.
 */
public final class FaultDrawing {
    static final long MILLIS = 1_000_000;
    static final long SECONDS = 1_000_000_000;

    private final Dice dice;
    private final FaultKind kind;
    private final Ground ground;
    private final List<FaultEvent> drawn = new ArrayList<>();

    /**
     * Where and when faults may happen.
     *
     * @param slots how many nodes the run starts with
     * @param firstVisitorSlot the first slot that is free for short-lived nodes
     * @param fromNanos no fault before
     * @param untilNanos every fault is over by then
     * @param staysAlive whether dead processes are started again by a supervisor, so that many may die
     */
    public record Ground(
            int slots, int firstVisitorSlot, int mostVisitors, long fromNanos, long untilNanos, boolean staysAlive) {}

    private FaultDrawing(FaultKind kind, Ground ground, Dice dice) {
        this.kind = kind;
        this.ground = ground;
        this.dice = dice;
    }

    public static FaultSchedule draw(List<FaultKind> kinds, Ground ground, long seed) {
        List<FaultEvent> all = new ArrayList<>();
        for (FaultKind kind : kinds) {
            FaultDrawing drawing = new FaultDrawing(kind, ground, Dice.of(seed, kind.ordinal()));
            drawing.drawKind();
            all.addAll(drawing.drawn);
        }
        return new FaultSchedule(all);
    }

    private void drawKind() {
        switch (kind) {
            case SPLITS -> LinkFaults.splits(this);
            case PARTIAL -> LinkFaults.partial(this);
            case ONEWAY -> LinkFaults.oneWay(this);
            case LOSS -> TrafficFaults.loss(this);
            case DELAYS -> TrafficFaults.delays(this);
            case DUPLICATES -> TrafficFaults.duplicates(this);
            case RESETS -> TrafficFaults.resets(this);
            case CRASHES -> ProcessFaults.crashes(this);
            case RESTARTS -> ProcessFaults.restarts(this);
            case PAUSES -> ProcessFaults.pauses(this);
            case CLOCKS -> ProcessFaults.clocks(this);
            case HOSTILE -> PeopleFaults.hostile(this);
            case COMMANDS -> PeopleFaults.commands(this);
            case CHURN -> PeopleFaults.churn(this);
            case QUARANTINES -> TrafficFaults.quarantines(this);
        }
    }

    Dice dice() {
        return dice;
    }

    Ground ground() {
        return ground;
    }

    void add(long atNanos, FaultAction action) {
        drawn.add(new FaultEvent(atNanos, kind, action));
    }

    /** How many events of this kind fit, one about every so many seconds; at least one. */
    int oneEvery(int seconds) {
        long span = (ground.untilNanos - ground.fromNanos) / SECONDS;
        int mean = (int) Math.max(1, span / seconds);
        return Math.max(1, (int) dice.between(mean / 2, mean + mean / 2 + 1));
    }

    long moment() {
        return dice.between(ground.fromNanos, ground.untilNanos);
    }

    /** A length between two bounds, cut off where faults must be over. */
    long lasting(long atNanos, long lowNanos, long highNanos) {
        return Math.max(MILLIS, Math.min(dice.between(lowNanos, highNanos), ground.untilNanos - atNanos));
    }

    /** Mostly a short outage that nobody should lose a member over, sometimes one long enough for decisions. */
    long outage(long atNanos) {
        return dice.chance(0.6)
                ? lasting(atNanos, SECONDS / 2, 8 * SECONDS)
                : lasting(atNanos, 8 * SECONDS, 60 * SECONDS);
    }

    int slot() {
        return dice.below(ground.slots);
    }

    /** Any other slot; the same when there is only one. */
    int slotBut(int slot) {
        return ground.slots == 1 ? slot : (slot + 1 + dice.below(ground.slots - 1)) % ground.slots;
    }

    /** So many different slots, in random order. */
    List<Integer> slots(int count) {
        List<Integer> all =
                new ArrayList<>(IntStream.range(0, ground.slots).boxed().toList());
        dice.shuffle(all);
        return List.copyOf(all.subList(0, Math.min(count, all.size())));
    }
}
