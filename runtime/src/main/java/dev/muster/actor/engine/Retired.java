package dev.muster.actor.engine;

import java.util.List;
import java.util.Optional;

/**
 * What an actor leaves to the one that comes after it; or that it has not retired and goes on as it was, because it
 * could not leave its state.
 *
 * @param rest the messages it has not handled, in the order in which they came to it. Those that came from elsewhere
 *     have been read; one that cannot be read is reported already, as ever, and is no part of this
 * @param state what it gave when it heard {@link dev.muster.actor.HandingOver}; empty if it was not asked, did not
 *     handle that signal, or was no longer or not now there to be asked
 * @param failure why it has not retired: it failed when it heard that signal, which is logged already, or what it gave
 *     was not taken
 */
public record Retired(List<Letter> rest, Optional<Object> state, Optional<Throwable> failure) {

    /** It had ended before. */
    static final Retired NOTHING = new Retired(List.of(), Optional.empty(), Optional.empty());

    public Retired {
        rest = List.copyOf(rest);
    }

    static Retired not(Throwable failure) {
        return new Retired(List.of(), Optional.empty(), Optional.of(failure));
    }
}
