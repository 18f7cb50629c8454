package dev.muster.real;

import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** Dice that any thread may throw. */
final class SharedRandom implements RandomGenerator {

    @Override
    public long nextLong() {
        return ThreadLocalRandom.current().nextLong();
    }
}
