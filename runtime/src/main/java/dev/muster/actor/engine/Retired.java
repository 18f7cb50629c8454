package dev.muster.actor.engine;

import java.util.List;
import java.util.Optional;

/**
 * What an actor leaves to the one that comes after it.
 *
 * @param rest the messages it has not handled, in the order in which they came to it. Those that came from elsewhere
 *     have been read; one that cannot be read is reported already, as ever, and is no part of this
 * @param state what it gave when it heard {@link dev.muster.actor.HandingOver}; empty if it was not asked, did not
 *     handle that signal, failed in it, or was no longer or not now there to be asked
 * @param failure what it failed with when it heard that signal; logged already
 */
public record Retired(List<Letter> rest, Optional<Object> state, Optional<Throwable> failure) {

    /** It had ended before. */
    static final Retired NOTHING = new Retired(List.of(), Optional.empty(), Optional.empty());

    public Retired {
        rest = List.copyOf(rest);
    }
}
