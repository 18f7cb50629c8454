package dev.muster.simulator;

/** Delays that stand in for the ordinary ones while a fault lasts. */
record SlowLinks(long lowNanos, long highNanos) {
    static final SlowLinks NONE = new SlowLinks(0, 0);

    boolean isSlow() {
        return highNanos > 0;
    }
}
