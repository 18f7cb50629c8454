package dev.muster.simulator.plan;

import dev.muster.core.membership.DowningStrategy;
import dev.muster.simulator.chance.Dice;
import java.time.Duration;
import java.util.List;

/** The downing strategies by the names that {@code --downing} takes. */
public final class Strategies {
    private static final List<String> NAMES =
            List.of("keep-majority", "static-quorum", "keep-oldest", "down-all", "auto-down", "manual");

    private Strategies() {}

    public static List<String> names() {
        return NAMES;
    }

    static void requireKnown(String name) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException(
                    "'" + name + "' is no downing strategy; choose one of " + String.join(", ", NAMES));
        }
    }

    /** Mostly the default one, rarely those that give up or split on purpose. */
    static String draw(Dice dice) {
        double choice = dice.unit();
        if (choice < 0.45) {
            return "keep-majority";
        }
        if (choice < 0.63) {
            return "static-quorum";
        }
        if (choice < 0.79) {
            return "keep-oldest";
        }
        if (choice < 0.84) {
            return "down-all";
        }
        return choice < 0.89 ? "auto-down" : "manual";
    }

    /** A strategy with parameters that fit a cluster of at most so many members. */
    public static DowningStrategy named(String name, int mostMembers) {
        requireKnown(name);
        return switch (name) {
            case "keep-majority" -> new DowningStrategy.KeepMajority("");
            case "static-quorum" -> new DowningStrategy.StaticQuorum(mostMembers / 2 + 1, "");
            case "keep-oldest" -> new DowningStrategy.KeepOldest(true, "");
            case "down-all" -> new DowningStrategy.DownAll();
            case "auto-down" -> new DowningStrategy.AutoDown(Duration.ofSeconds(10));
            default -> new DowningStrategy.Manual();
        };
    }
}
