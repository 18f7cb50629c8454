package dev.muster.actor.engine;

import dev.muster.actor.ActorPath;
import dev.muster.actor.ActorRef;
import dev.muster.actor.DeadLetter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * An actor of this system, as others see it: its mailbox and its place in the tree.
 *
 * <p>Ref and mailbox are one object, which makes an idle actor small. What only the actor's own turn touches is in
 * {@link ActorCell}, on cache lines that senders do not disturb, and is let go when the actor has stopped.
 */
class LocalActorRef<M> extends Mailbox implements InternalRef<M>, Watchable, SystemMessage.Watcher {

    /** The actor's inside; null once it has stopped. */
    private ActorCell<M> cell;

    private final LocalActorRef<?> parent;

    /** Null for an actor whose name was made up; then it follows from {@link #id}. */
    private final String givenName;

    /** Unique in its system; tells apart actors that had the same name. */
    private final long id;

    LocalActorRef(LocalActorRef<?> parent, String givenName, long id, int capacity) {
        super(capacity);
        this.parent = parent;
        this.givenName = givenName;
        this.id = id;
    }

    void attach(ActorCell<M> inside) {
        cell = inside;
    }

    void detach() {
        cell = null;
    }

    @Override
    public final void tell(M message) {
        tell(message, null);
    }

    @Override
    public final void tell(M message, ActorRef<?> replyTo) {
        if (message == null) {
            throw new NullPointerException("a message must not be null; it was sent to " + path());
        }
        int outcome = offer(message, replyTo);
        if (outcome != ACCEPTED) {
            refused(message, replyTo, outcome);
        }
    }

    @Override
    public final boolean tellUnread(Unread message, ActorRef<?> replyTo) {
        return offer(new Notice.Arrived(message), replyTo) == ACCEPTED;
    }

    private void refused(Object message, ActorRef<?> replyTo, int outcome) {
        DeadLetter.Reason reason = outcome == FULL ? DeadLetter.Reason.MAILBOX_FULL : DeadLetter.Reason.STOPPED;
        system().deadLetterOffice().undelivered(message, replyTo, this, reason);
    }

    /** A turn. */
    @Override
    public final void run() {
        ActorCell<M> inside = cell;
        try {
            inside.turn();
        } catch (Throwable escaped) {
            inside.turnBroke(escaped);
        }
    }

    @Override
    final void schedule() {
        try {
            cell.dispatcher().execute(this);
        } catch (RejectedExecutionException systemHasEnded) {
            // This actor did not stop in time and was left behind; whoever sends to it is not to blame.
            cell.localSystem().log().debug("{} gets no more turns, its system has ended", path());
        }
    }

    /** Like {@link #schedule}, at the end of a turn with messages left. */
    final void scheduleAfterOthers() {
        try {
            cell.dispatcher().executeAfterOthers(this);
        } catch (RejectedExecutionException systemHasEnded) {
            cell.localSystem().log().debug("{} gets no more turns, its system has ended", path());
        }
    }

    @Override
    final int unread() {
        ActorCell<M> inside = cell;
        return inside == null ? 0 : inside.unread();
    }

    @Override
    final void interrupt() {
        cell.interrupt();
    }

    @Override
    public final void ended(ActorRef<?> ref, Throwable failure) {
        // If this actor has stopped too, nobody is left to be told.
        boolean ignored = offerNotice(new Notice.Ended(ref, failure));
    }

    @Override
    public final boolean addWatcher(SystemMessage.Watcher watcher) {
        return offerSystem(new SystemMessage.Watch(watcher));
    }

    @Override
    public final void removeWatcher(SystemMessage.Watcher watcher) {
        boolean ignored = offerSystem(new SystemMessage.Unwatch(watcher));
    }

    @Override
    public final boolean hasEnded() {
        return isClosed();
    }

    /** Ends the actor after the message it is handling; no mistake if it has ended. */
    void stopSoon() {
        boolean ignored = offerSystem(new SystemMessage.Stop());
    }

    /** The inside, for metrics and lookups; null once the actor has stopped. */
    ActorCell<M> cell() {
        return cell;
    }

    LocalActorRef<?> parent() {
        return parent;
    }

    long id() {
        return id;
    }

    String givenName() {
        return givenName;
    }

    String name() {
        return givenName != null ? givenName : Names.madeUp(id);
    }

    @Override
    public LocalActorSystem system() {
        return parent.system();
    }

    @Override
    public ActorPath path() {
        Deque<String> names = new ArrayDeque<>();
        for (LocalActorRef<?> at = this; at != null; at = at.parent) {
            names.addFirst(at.name());
        }
        return new ActorPath(system().name(), List.copyOf(names), id);
    }

    @Override
    public final boolean equals(Object other) {
        return this == other;
    }

    @Override
    public final int hashCode() {
        return Long.hashCode(id);
    }

    @Override
    public String toString() {
        return path() + "#" + id;
    }
}
