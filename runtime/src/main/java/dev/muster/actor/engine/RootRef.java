package dev.muster.actor.engine;

/** The top of a tree of actors, from which every other one learns its system. */
final class RootRef extends LocalActorRef<Object> {

    private final LocalActorSystem system;

    RootRef(LocalActorSystem system, String name, long id) {
        super(null, name, id, Integer.MAX_VALUE);
        this.system = system;
    }

    @Override
    public LocalActorSystem system() {
        return system;
    }
}
