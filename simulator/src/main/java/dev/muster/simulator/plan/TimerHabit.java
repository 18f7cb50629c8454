package dev.muster.simulator.plan;

/** How exactly a host wakes its processes. Real ones are late now and then, and some wake for nothing. */
public enum TimerHabit {
    EXACT,
    /** One in ten is up to 200 ms late. */
    SOMETIMES_LATE,
    /** One in ten comes before its time. */
    SOMETIMES_EARLY
}
