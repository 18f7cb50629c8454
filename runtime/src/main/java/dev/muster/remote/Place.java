package dev.muster.remote;

import dev.muster.actor.ActorRef;
import dev.muster.actor.engine.InternalRef;
import dev.muster.core.state.NodeId;
import dev.muster.wire.Payload;

/**
 * Something that lives at a path like an actor, but is none: it takes what comes for it unread, and wants to know which
 * node sent it.
 *
 * <p>A class and not an interface, because every message from elsewhere is asked whether it is for one, and to ask that
 * of a class costs next to nothing.
 */
public abstract class Place<M> implements InternalRef<M> {

    /**
     * A message has come for it. Does not wait, and runs nothing of users.
     *
     * @param from the node that sent it here, as its connection has proved
     */
    protected abstract void arrived(NodeId from, Payload message, ActorRef<?> replyTo);

    /** The address by which it was made known to this node; null if it is one of this node's own. */
    protected abstract String nameFromElsewhere();
}
