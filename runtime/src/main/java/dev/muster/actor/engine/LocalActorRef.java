package dev.muster.actor.engine;

import dev.muster.actor.ActorPath;
import dev.muster.actor.ActorRef;
import dev.muster.actor.DeadLetter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * An actor of this system, as others see it: its mailbox and its place in the tree.
 *
 * <p>Ref and mailbox are one object, which makes an idle actor small. What only the actor's own turn touches is in
 * {@link ActorCell}, on cache lines that senders do not disturb, and is let go when the actor has stopped.
 */
public class LocalActorRef<M> extends Mailbox implements InternalRef<M>, Watchable, SystemMessage.Watcher {

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

    /** A message that this actor does not take. */
    void refused(M message, ActorRef<?> replyTo, int outcome) {
        system().deadLetterOffice().undelivered(message, replyTo, this, reasonOf(outcome));
    }

    private static DeadLetter.Reason reasonOf(int outcome) {
        return outcome == FULL ? DeadLetter.Reason.MAILBOX_FULL : DeadLetter.Reason.STOPPED;
    }

    /**
     * Gives it a message, for somebody who sees to what it does not take.
     *
     * @param message the message itself, or {@link Unread}
     * @return why it did not take it; null if it did
     */
    public final DeadLetter.Reason deliver(Object message, ActorRef<?> replyTo) {
        int outcome = offer(message instanceof Unread unread ? new Notice.Arrived(unread) : message, replyTo);
        return outcome == ACCEPTED ? null : reasonOf(outcome);
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

    /**
     * Ends the actor for another one that takes over from it. After the message being handled it reads no user message
     * any more, whatever happens.
     *
     * <p>In its own turn it then hears {@link dev.muster.actor.HandingOver}, if {@code wantsState}. All it has not
     * handled is collected: what it had stashed, what came back from a stash, and what waits, in the order in which it
     * came. From then on whatever is sent to it is a dead letter, with the reason {@code STOPPED}. Timers, results of
     * futures and ends of watched actors are its own affair and are forgotten; what waits from an adapter is a dead
     * letter. Then it stops as by {@link #stopSoon}: its children first, then {@code PostStop}, then those who watch
     * are told.
     *
     * <p>If it fails in that signal, or what it gives is not taken, it has not retired: it goes on as it was, and may
     * be asked again.
     *
     * <p>{@code then} is called once: when the rest has been collected, in the actor's turn, without waiting for its
     * children or {@code PostStop}; watch it to know of its end. If it has ended or ends before its turn comes, there
     * is no rest and no state, and what it had not handled became dead letters. An actor that is stopping or waits for
     * its restart gives its rest, but no state. Only an actor that gets no more turns, because its system has ended
     * without it, never answers.
     */
    public final void retire(boolean wantsState, Consumer<Retired> then) {
        retire(wantsState ? state -> {} : null, then);
    }

    /**
     * The same, with the state given to {@code taker} in the actor's turn.
     *
     * @param taker throws if it cannot take it; null if no state is wanted
     */
    public final void retire(Consumer<Object> taker, Consumer<Retired> then) {
        if (!offerSystem(new SystemMessage.Retire(taker, then))) {
            then.accept(Retired.NOTHING);
        }
    }

    /** The same as {@link #hold(Runnable)} for those who need not know when. */
    public final void hold() {
        hold(() -> {});
    }

    /**
     * Makes the actor quiet, after the message being handled, until {@link #release}. No message, timer or result of a
     * future reaches it meanwhile; they wait. A restart under way waits too. It can still be stopped, retired and
     * watched, and fails with a child that escalates. Time does not stand still: what became due is handled after the
     * release, a receive timeout included.
     *
     * <p>Its children are held with it, each after the message that it is at; one that has not begun yet does not.
     *
     * @param whenQuiet called once when it is so, in the actor's turn, without waiting for its children; also if it
     *     ends instead
     */
    public final void hold(Runnable whenQuiet) {
        if (!offerSystem(new SystemMessage.Hold(whenQuiet, false))) {
            whenQuiet.run();
        }
    }

    /** The parent of this actor is held. */
    final void holdWithParent() {
        boolean ignored = offerSystem(new SystemMessage.Hold(() -> {}, true));
    }

    /** Lets the actor and its children go on; once is enough, however often it was held. */
    public final void release() {
        boolean ignored = offerSystem(new SystemMessage.Release());
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
