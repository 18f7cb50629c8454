package dev.muster.actor.engine;

import dev.muster.actor.ActorPath;
import dev.muster.actor.ActorRef;
import java.util.List;

/**
 * An actor that lives at somebody else's path for a while. What is sent to it when it has ended goes to that path,
 * where another one may have taken its place.
 */
final class InstanceRef<M> extends LocalActorRef<M> {

    private final ActorRef<M> successor;

    InstanceRef(LocalActorRef<?> parent, String givenName, long id, int capacity, ActorRef<M> successor) {
        super(parent, givenName, id, capacity);
        this.successor = successor;
    }

    @Override
    void refused(M message, ActorRef<?> replyTo, int outcome) {
        if (outcome == FULL) {
            super.refused(message, replyTo, outcome);
        } else {
            successor.tell(message, replyTo);
        }
    }

    @Override
    public String shown() {
        return InternalRef.shown(successor);
    }

    @Override
    public ActorPath path() {
        List<String> elements = successor.path().elements();
        return new ActorPath(system().name(), elements, id());
    }
}
