package dev.muster.simulator.plan;

/** What dice are for: the first step of the path by which they are derived from the seed. */
public final class Purpose {
    public static final long PLAN = 1;
    public static final long SETTINGS = 2;
    public static final long SLOTS = 3;
    public static final long FAULTS = 4;
    public static final long NETWORK = 5;
    public static final long NODE = 6;
    public static final long CHECKERS = 7;
    public static final long INJECTION = 8;
    public static final long EXPERIMENT = 9;
    public static final long HANDOFF = 10;
    public static final long LETTERS = 11;
    public static final long HANDOFF_FAULTS = 12;
    public static final long ENDINGS = 13;
    public static final long VARIETY = 14;
    public static final long LOAD = 15;

    private Purpose() {}
}
