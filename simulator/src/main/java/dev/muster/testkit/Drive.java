package dev.muster.testkit;

import dev.muster.virtual.VirtualEnvironment;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Lets a virtual world go on, and notices when it never comes to rest. */
final class Drive {

    /** No sound test needs so many turns while no time passes; two actors that never stop talking do. */
    private static final long MOST_TURNS_AT_ONE_TIME = 1_000_000;

    private final VirtualEnvironment world;
    private final Supplier<String> situation;

    Drive(VirtualEnvironment world, Supplier<String> situation) {
        this.world = world;
        this.situation = situation;
    }

    void untilIdle() {
        Rest rest = new Rest();
        while (world.step()) {
            rest.look();
        }
    }

    /** Returns whether the condition came to hold in that time. */
    boolean until(BooleanSupplier condition, Duration atMost) {
        Rest rest = new Rest();
        return world.runUntil(
                () -> {
                    rest.look();
                    return condition.getAsBoolean();
                },
                atMost);
    }

    void pass(Duration time) {
        boolean never = until(() -> false, time);
        assert !never;
    }

    Duration elapsed() {
        return world.elapsed();
    }

    long turns() {
        return world.steps();
    }

    /** Counts the turns since time last passed. */
    private final class Rest {
        private Duration since = world.elapsed();
        private long turnsThen = world.steps();

        void look() {
            if (!world.elapsed().equals(since)) {
                since = world.elapsed();
                turnsThen = world.steps();
            } else if (world.steps() - turnsThen > MOST_TURNS_AT_ONE_TIME) {
                throw new AssertionError("the actors do not come to rest: " + MOST_TURNS_AT_ONE_TIME
                        + " turns were taken while no time passed; do some of them answer each other without end?\n"
                        + situation.get());
            }
        }
    }
}
