package dev.muster.simulator.check;

import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The world, read only. */
public interface WorldView {
    /** True time. */
    long nowNanos();

    /** All processes that ever ran, in order of start. */
    List<? extends NodeView> allNodes();

    /** The processes that run now (paused ones included), in order of start. */
    List<? extends NodeView> runningNodes();

    Optional<? extends NodeView> node(NodeId id);

    /** Whether a message sent now would arrive, in this direction, without the link being cut or stalled for long. */
    boolean canSend(NodeAddress from, NodeAddress to);

    /** True when the schedule has no more faults, all links are healed, and nobody is paused. */
    boolean isQuiet();

    /** How long that has been so; 0 when it is not. */
    long quietForNanos();

    /** World time at which the last fault began, ended or acted; 0 when there was none. */
    long lastFaultNanos();

    /** How many copies of a letter are under way between nodes. */
    default int copiesUnderWay(Letter letter) {
        return 0;
    }

    /** Does something when the event that happens now is over, before the next one. */
    void afterThisEvent(Runnable what);

    /** Facts about this run that decide which promises apply. */
    RunFacts facts();

    /** Chance for checkers that sample; never shared with the world's own, so that checking changes nothing. */
    RandomGenerator checkerRandom();

    /** Counts checks, for the summary. */
    void countChecks(long checks);

    /** Somebody looked whether a promise was kept, and would have reported it otherwise. */
    default void judged(String invariant) {}

    /** A promise was broken, but for a reason for which that may be. */
    default void letOff(String invariant) {}

    /** Reports a violation. The first one decides the verdict. */
    void report(String invariant, String what, NodeView node);

    /** Notes that a rare but wanted situation was reached. */
    void reached(String situation);
}
