package dev.muster.simulator.check;

/** Leaves out most of the expensive checks in large worlds, where many nodes do the same thing anyway. */
final class Sampling {
    private static final int ONE_IN = 50;

    private Sampling() {}

    static boolean skips(WorldView world) {
        return world.facts().sampled() && world.checkerRandom().nextInt(ONE_IN) != 0;
    }
}
