package dev.muster.actor;

/** Thrown in an actor that watched another one, but had no handler for {@link Terminated}. */
public final class DeathPactException extends RuntimeException {

    private final transient ActorRef<?> dead;

    public DeathPactException(ActorRef<?> dead) {
        super("watched " + dead.path() + ", which stopped, and did not handle Terminated;"
                + " add onSignal(Terminated.class, ...) or use watchWith");
        this.dead = dead;
    }

    /** Who stopped. */
    public ActorRef<?> dead() {
        return dead;
    }
}
