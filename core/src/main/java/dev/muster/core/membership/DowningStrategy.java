package dev.muster.core.membership;

import java.time.Duration;

/**
 * The rules by which a cluster that fell apart decides which part goes on. A {@code role} that is not empty lets only
 * members with that role count.
 */
public sealed interface DowningStrategy {

    /** The name users write in their configuration. */
    String name();

    /** The name with everything that makes a difference, as members compare it. */
    default String description() {
        return name();
    }

    private static String withRole(String text, String role) {
        return role.isEmpty() ? text : text + " of role " + role;
    }

    /** Nobody is declared down except by an operator. */
    record Manual() implements DowningStrategy {
        @Override
        public String name() {
            return "manual";
        }
    }

    /**
     * Whoever is unreachable for this long is declared down, by each side of a split on its own: the cluster breaks
     * into several clusters. Never use it where two clusters do harm.
     */
    record AutoDown(Duration after) implements DowningStrategy {
        public AutoDown {
            if (after.isNegative()) {
                throw new IllegalArgumentException("auto-down-unreachable-after must not be negative, was " + after);
            }
        }

        @Override
        public String name() {
            return "auto-down";
        }

        @Override
        public String description() {
            return name() + " after " + after;
        }
    }

    /**
     * The side with at least this many members goes on. With more than 2·size − 1 members two sides could have as many;
     * then a side goes on only if fewer than {@code size} are missing.
     */
    record StaticQuorum(int size, String role) implements DowningStrategy {
        public StaticQuorum {
            if (size < 1) {
                throw new IllegalArgumentException("static-quorum.quorum-size must be at least 1, was " + size);
            }
        }

        @Override
        public String name() {
            return "static-quorum";
        }

        @Override
        public String description() {
            return withRole(name() + " of " + size, role);
        }
    }

    /** The side with more than half of the members goes on; of two halves the one with the lowest address. */
    record KeepMajority(String role) implements DowningStrategy {
        @Override
        public String name() {
            return "keep-majority";
        }

        @Override
        public String description() {
            return withRole(name(), role);
        }
    }

    /** The side with the oldest member goes on, unless that one is alone and {@code downIfAlone}. */
    record KeepOldest(boolean downIfAlone, String role) implements DowningStrategy {
        @Override
        public String name() {
            return "keep-oldest";
        }

        @Override
        public String description() {
            return withRole(name() + (downIfAlone ? "" : " even if alone"), role);
        }
    }

    /** Everybody stops. */
    record DownAll() implements DowningStrategy {
        @Override
        public String name() {
            return "down-all";
        }
    }
}
