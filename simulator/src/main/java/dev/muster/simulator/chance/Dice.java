package dev.muster.simulator.chance;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * All chance in a simulation. A run has one seed; whoever needs dice of its own derives them from the seed and a path
 * of numbers that says what they are for, so that adding a node, or a fault, does not shift the dice of the others.
 *
 * <p>Only {@code nextLong} of the generator is used, because its algorithm is written down and so equal on every JDK.
 */
public final class Dice {
    private static final double UNIT = 0x1.0p-53;

    private final SplittableRandom random;

    private Dice(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** The dice for one purpose: equal seed and path, equal throws. */
    public static Dice of(long seed, long... path) {
        long mixed = mix(seed);
        for (long step : path) {
            mixed = mix(mixed * 31 + step);
        }
        return new Dice(mixed);
    }

    private static long mix(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** For code that wants the JDK's type. It draws from these same dice. */
    public RandomGenerator generator() {
        return random;
    }

    public long nextLong() {
        return random.nextLong();
    }

    /** Evenly from 0 to 1, without 1. */
    public double unit() {
        return (random.nextLong() >>> 11) * UNIT;
    }

    public boolean chance(double probability) {
        return unit() < probability;
    }

    /** Evenly from 0 to {@code bound}, without it. */
    public int below(int bound) {
        return (int) (unit() * bound);
    }

    /** Evenly from {@code low} to {@code high}, without {@code high}. */
    public long between(long low, long high) {
        return low + (long) (unit() * (high - low));
    }

    /** Evenly from {@code low} to {@code high}, both included. */
    public int betweenInclusive(int low, int high) {
        return low + below(high - low + 1);
    }

    public <T> T pick(List<T> choices) {
        return choices.get(below(choices.size()));
    }

    public <T> void shuffle(List<T> list) {
        for (int i = list.size() - 1; i > 0; i--) {
            int j = below(i + 1);
            T moved = list.get(i);
            list.set(i, list.get(j));
            list.set(j, moved);
        }
    }
}
