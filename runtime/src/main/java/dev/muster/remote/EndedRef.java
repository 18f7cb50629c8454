package dev.muster.remote;

import dev.muster.actor.ActorPath;
import dev.muster.actor.ActorRef;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.engine.InternalRef;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.actor.engine.SystemMessage;
import dev.muster.actor.engine.Watchable;

/** An address of this node at which nobody lives: what is sent there is a dead letter. */
final class EndedRef implements InternalRef<Object>, Watchable {
    private final LocalActorSystem system;
    private final ActorPath path;
    private final DeadLetter.Reason reason;

    EndedRef(LocalActorSystem system, ActorPath path, DeadLetter.Reason reason) {
        this.system = system;
        this.path = path;
        this.reason = reason;
    }

    @Override
    public void tell(Object message, ActorRef<?> replyTo) {
        system.deadLetterOffice().undelivered(message, replyTo, this, reason);
    }

    @Override
    public boolean hasEnded() {
        return true;
    }

    @Override
    public boolean addWatcher(SystemMessage.Watcher watcher) {
        return false;
    }

    @Override
    public void removeWatcher(SystemMessage.Watcher watcher) {
        // It never had one.
    }

    @Override
    public LocalActorSystem system() {
        return system;
    }

    @Override
    public ActorPath path() {
        return path;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EndedRef that && path.equals(that.path);
    }

    @Override
    public int hashCode() {
        return path.hashCode();
    }

    @Override
    public String toString() {
        return path + "#" + path.uid();
    }
}
