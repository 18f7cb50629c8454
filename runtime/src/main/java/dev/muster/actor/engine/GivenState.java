package dev.muster.actor.engine;

import java.util.Optional;
import java.util.function.Consumer;

/** Takes the state that an actor gives while it hears that it is to hand over, and refuses it at any other time. */
final class GivenState implements Consumer<Object> {

    private final ActorCell<?> cell;
    private Object state;

    /** Read by other threads too, when a behavior has kept the signal. */
    private volatile boolean isOver;

    GivenState(ActorCell<?> cell) {
        this.cell = cell;
    }

    @Override
    public void accept(Object given) {
        if (isOver) {
            throw new IllegalStateException(
                    "the state has to be given while HandingOver is handled; it is too late now");
        }
        cell.requireOwnTurn("give its state");
        if (state != null) {
            throw new IllegalStateException("the state of " + cell.ref().path() + " was given already; give it once");
        }
        state = given;
    }

    /** What was given; nothing more is taken. */
    Optional<Object> close() {
        isOver = true;
        return Optional.ofNullable(state);
    }
}
