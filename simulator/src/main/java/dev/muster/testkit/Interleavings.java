package dev.muster.testkit;

import java.util.List;

/**
 * Runs one test in many orders.
 *
 * <p>Threads decide by chance who goes first, so a race may hide for years. Here a seed decides, and each seed decides
 * otherwise: a body that must hold in every order is run once for each of some hundred seeds, and the first that breaks
 * it is named. Running that seed alone breaks it again, as often as one likes, also in a debugger.
 */
public final class Interleavings {

    private static final int LAST_TURNS = 30;

    private Interleavings() {}

    /**
     * Runs {@code body} with the seeds 1 to {@code seeds}, each with a kit of its own that is closed afterwards.
     *
     * @throws AssertionError at the first seed that fails; it says how to replay that one, and which turns came last
     */
    public static void explore(int seeds, Body body) {
        if (seeds < 1) {
            throw new IllegalArgumentException("the number of seeds must be positive, was " + seeds);
        }
        for (long seed = 1; seed <= seeds; seed++) {
            run(seed, body, "seed " + seed + " of 1 to " + seeds);
        }
    }

    /** Runs {@code body} with one seed, as {@link #explore} did. */
    public static void replay(long seed, Body body) {
        run(seed, body, "seed " + seed);
    }

    private static void run(long seed, Body body, String which) {
        try (ActorTestKit kit = ActorTestKit.create(seed)) {
            runIn(kit, body, which);
        }
    }

    /** What went last is read before the kit is closed, which takes turns too. */
    private static void runIn(ActorTestKit kit, Body body, String which) {
        try {
            body.run(kit);
        } catch (Exception | AssertionError failure) {
            String message = which + " fails: " + failure.getMessage()
                    + "\nreplay it alone with Interleavings.replay(" + kit.seed() + "L, ...)\nthe last turns were\n"
                    + String.join("\n", last(kit.trace()));
            throw new AssertionError(message, failure);
        }
    }

    private static List<String> last(List<String> lines) {
        return lines.subList(Math.max(0, lines.size() - LAST_TURNS), lines.size());
    }

    /** What is run once for each seed. */
    @FunctionalInterface
    public interface Body {
        void run(ActorTestKit kit) throws Exception;
    }
}
