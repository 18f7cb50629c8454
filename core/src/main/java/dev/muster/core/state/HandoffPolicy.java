package dev.muster.core.state;

import java.util.Optional;

/**
 * What is promised while a partition moves from one node to another. Specification: "Graceful Handoff", options 2a to
 * 4b.
 *
 * @param migration what the old host does with messages until the new one is ready
 * @param arrival what the new host does with messages that come to it directly, before the sender's last word has come
 *     by the old one
 * @param update what the old host does with messages once the new one is ready
 */
public record HandoffPolicy(Migration migration, Arrival arrival, Update update) {

    /** Options 2a, 2b, 2c. */
    public enum Migration {
        KEEP,
        FORWARD,
        DROP
    }

    /** Options 3a, 3b. */
    public enum Arrival {
        PROCESS,
        BUFFER
    }

    /** Options 4a, 4b. */
    public enum Update {
        FORWARD,
        DROP
    }

    /** For actors without state that do not mind the order: the default of the specification. */
    public static HandoffPolicy stateless() {
        return new HandoffPolicy(Migration.KEEP, Arrival.PROCESS, Update.FORWARD);
    }

    /** For actors that need the messages of each sender in order. */
    public static HandoffPolicy ordered() {
        return new HandoffPolicy(Migration.KEEP, Arrival.BUFFER, Update.FORWARD);
    }

    /** One at a time, with its state, in order, nothing lost. */
    public static HandoffPolicy singleton() {
        return new HandoffPolicy(Migration.FORWARD, Arrival.BUFFER, Update.FORWARD);
    }

    /**
     * One at a time, in order, nothing lost, for actors that keep their state elsewhere, such as in a database: the new
     * one begins, and reads that, when the old one has ended and will write nothing more. What is sent meanwhile waits.
     *
     * <p>The options are those of {@link #singleton}; only that no state travels, so none is given with the partition.
     * "Nothing needs to be done, other than migrating the actor", as the specification says of these.
     */
    public static HandoffPolicy durable() {
        return singleton();
    }

    /** For what may be lost. */
    public static HandoffPolicy disposable() {
        return new HandoffPolicy(Migration.DROP, Arrival.PROCESS, Update.DROP);
    }

    /**
     * Whether at most one instance may act at any time, so that a new one must wait until an old one has surely ended.
     */
    public boolean isExclusive() {
        return migration != Migration.KEEP;
    }

    /**
     * The preset with these options, if there is one. That of a durable partition is {@code singleton}, which has the
     * same.
     */
    public Optional<String> presetName() {
        return switch (toString()) {
            case "2a 3a 4a" -> Optional.of("stateless");
            case "2a 3b 4a" -> Optional.of("ordered");
            case "2b 3b 4a" -> Optional.of("singleton");
            case "2c 3a 4b" -> Optional.of("disposable");
            default -> Optional.empty();
        };
    }

    /** As the specification names the options, such as {@code 2b 3b 4a}. */
    @Override
    public String toString() {
        return "2" + (char) ('a' + migration.ordinal()) + " 3" + (char) ('a' + arrival.ordinal()) + " 4"
                + (char) ('a' + update.ordinal());
    }
}
