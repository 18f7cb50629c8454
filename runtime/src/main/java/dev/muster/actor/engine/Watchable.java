package dev.muster.actor.engine;

/** An actor that can be watched, here or elsewhere. */
public interface Watchable {

    /** Tells {@code watcher} of its end, once. Returns false if it has ended, so that nobody will be told. */
    boolean addWatcher(SystemMessage.Watcher watcher);

    /** Takes one request back. */
    void removeWatcher(SystemMessage.Watcher watcher);
}
