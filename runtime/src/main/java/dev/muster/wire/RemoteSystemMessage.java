package dev.muster.wire;

/** What the runtimes of two nodes tell each other about the lives of actors. Actors are named by their full paths. */
public sealed interface RemoteSystemMessage {

    /** Tell the watcher when the watchee ends. */
    record Watch(String watcheePath, String watcherPath) implements RemoteSystemMessage {}

    record Unwatch(String watcheePath, String watcherPath) implements RemoteSystemMessage {}

    /**
     * The actor has ended.
     *
     * @param existenceConfirmed false when there never was one of that name
     * @param addressTerminated true when its whole node is gone
     */
    record DeathWatchNotification(String actorPath, boolean existenceConfirmed, boolean addressTerminated)
            implements RemoteSystemMessage {}

    /** Something that Muster does not offer to others, such as creating or supervising actors from afar. */
    record Other(int type) implements RemoteSystemMessage {}
}
