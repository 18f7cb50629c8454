package dev.muster.actor.engine;

/**
 * A message in the form in which it came from elsewhere. Reading it may run users' code, so its recipient does that.
 */
@FunctionalInterface
public interface Unread {

    /** The message; null if it cannot be read, which is reported already. */
    Object read();

    /** Whether others have got it too, so that it is for its recipient and nobody in its place. */
    default boolean isForAll() {
        return false;
    }

    /** The same message with that mark. */
    static Unread forAll(Unread message) {
        return new Unread() {
            @Override
            public Object read() {
                return message.read();
            }

            @Override
            public boolean isForAll() {
                return true;
            }
        };
    }
}
