package dev.muster.actor.engine;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.StashBuffer;
import dev.muster.actor.StashOverflowException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/** Messages an actor has put aside. Used in its turn only. */
final class ActorStash<M> implements StashBuffer<M> {

    private final ActorCell<M> cell;
    private final Extras<M> extras;
    private final int capacity;
    private final Deque<Aside> letters = new ArrayDeque<>();

    ActorStash(ActorCell<M> cell, Extras<M> extras, int capacity) {
        this.cell = cell;
        this.extras = extras;
        this.capacity = capacity;
    }

    @Override
    public void stash(M message) {
        cell.requireOwnTurn("stash a message");
        Objects.requireNonNull(message, "message");
        if (letters.size() >= capacity) {
            throw new StashOverflowException(capacity);
        }
        if (letters.isEmpty()) {
            extras.isInUse(this);
        }
        Object aside = cell.isAtOneForAll() ? new Notice.Arrived(Unread.forAll(() -> message)) : message;
        letters.addLast(new Aside(aside, cell.currentReplyTarget(), extras.numberOf(cell.handled())));
    }

    @Override
    public Behavior<M> unstashAll(Behavior<M> next) {
        cell.requireOwnTurn("unstash messages");
        giveBack();
        return next;
    }

    /** Puts everything in front of what waits in the mailbox. */
    void giveBack() {
        if (!letters.isEmpty()) {
            cell.handleFirst(letters);
            letters.clear();
            extras.isEmptyAgain(this);
        }
    }

    @Override
    public int size() {
        return letters.size();
    }

    @Override
    public int capacity() {
        return capacity;
    }

    /**
     * A message with its reply target.
     *
     * @param number grows in the order in which messages came, also over several stashes
     */
    record Aside(Object message, ActorRef<?> replyTo, long number) {}
}
