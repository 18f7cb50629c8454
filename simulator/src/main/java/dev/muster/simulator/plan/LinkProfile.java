package dev.muster.simulator.plan;

import dev.muster.simulator.chance.Dice;

/** How long an ordinary link takes, one way: a base, and up to so much more. */
public record LinkProfile(long baseNanos, long jitterNanos) {
    private static final long MICROS = 1_000;
    private static final long MILLIS = 1_000_000;

    public static final LinkProfile LAN = new LinkProfile(100 * MICROS, 400 * MICROS);
    public static final LinkProfile REGION = new LinkProfile(MILLIS, 4 * MILLIS);
    public static final LinkProfile CONTINENT = new LinkProfile(30 * MILLIS, 30 * MILLIS);

    static LinkProfile draw(Dice dice) {
        double choice = dice.unit();
        return choice < 0.4 ? LAN : choice < 0.8 ? REGION : CONTINENT;
    }

    public long mostNanos() {
        return baseNanos + jitterNanos;
    }
}
