package dev.muster.simulator.check;

/**
 * Looks at the whole world now and then instead of at every step: for promises about how the world stands, not about
 * what one step did.
 */
abstract class PeriodicChecker implements Checker {
    private final long periodsInRounds;
    private long nextLookNanos;

    PeriodicChecker(long periodInRounds) {
        this.periodsInRounds = periodInRounds;
    }

    @Override
    public void onStep(Step step) {
        if (step.world().nowNanos() >= nextLookNanos) {
            WorldView world = step.world();
            nextLookNanos = world.nowNanos()
                    + periodsInRounds * Bounds.roundNanos(world.facts().settings());
            look(world);
        }
    }

    @Override
    public void atEnd(WorldView world) {
        look(world);
    }

    /** Judges the world as it is now. */
    abstract void look(WorldView world);
}
