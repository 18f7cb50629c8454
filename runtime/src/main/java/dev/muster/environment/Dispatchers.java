package dev.muster.environment;

/** The dispatchers of one actor system, by name. */
public interface Dispatchers {

    /** For work that computes and never waits. */
    String DEFAULT = "default";

    /** For work that waits: files, databases, other people's libraries. */
    String BLOCKING = "blocking";

    /** For Muster's own work, so that a node stays a member while its actors keep every other thread busy. */
    String INTERNAL = "internal";

    /** A thread for this actor alone. */
    String PINNED = "pinned";

    /**
     * The dispatcher of that name. {@link #PINNED} makes a new one at each call, with one thread, which its owner shuts
     * down.
     *
     * @throws IllegalArgumentException if there is none of that name; the message lists those that exist
     */
    Dispatcher named(String name);

    /** Whether each call of {@link #named} with this name makes a dispatcher that its caller has to shut down. */
    default boolean isOwnedByCaller(String name) {
        return PINNED.equals(name);
    }

    /** Stops them all. */
    void shutdown();
}
