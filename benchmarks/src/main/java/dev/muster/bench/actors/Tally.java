package dev.muster.bench.actors;

/** Counts events up to a number, for one actor. */
final class Tally {

    private int left;

    Tally(int expected) {
        left = expected;
    }

    /** Counts one; true from the expected one on. */
    boolean isComplete() {
        return --left <= 0;
    }
}
