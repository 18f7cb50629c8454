package dev.muster.remote;

import dev.muster.actor.ActorRef;
import dev.muster.actor.engine.SystemMessage;
import dev.muster.actor.engine.Watchable;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.wire.Payload;
import dev.muster.wire.RemoteSystemMessage;
import dev.muster.wire.SystemMessageCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who watches whom across nodes, both ways. On the wire one watcher stands for all actors of a node, so that a watched
 * actor tells each node once; a node that is gone has ended all of its actors.
 */
final class RemoteWatching {
    static final String WATCHER = "/system/remote-watcher";

    private static final int MOST_WATCHES_OF_A_PEER = 200_000;

    private final Remoting remoting;

    // Guarded by this.
    private final Map<RemoteRef<?>, Set<SystemMessage.Watcher>> ours = new HashMap<>();
    private final Map<NodeId, Map<ForPeer, Watchable>> theirs = new HashMap<>();

    RemoteWatching(Remoting remoting) {
        this.remoting = remoting;
    }

    // --- Our actors watch theirs
    // -----------------------------------------------------------------------------------------

    /** Returns false if that actor's node is known to be gone. */
    boolean add(RemoteRef<?> ref, SystemMessage.Watcher watcher) {
        boolean isFirst;
        synchronized (this) {
            if (ref.association().isQuarantined()) {
                return false;
            }
            Set<SystemMessage.Watcher> watchers = ours.get(ref);
            isFirst = watchers == null;
            if (isFirst) {
                watchers = new LinkedHashSet<>();
                ours.put(ref, watchers);
            }
            watchers.add(watcher);
            if (isFirst) {
                // Under the lock, so that a watch and its withdrawal leave in the order in which they were meant.
                sendWatch(ref);
            }
        }
        return true;
    }

    private void sendWatch(RemoteRef<?> ref) {
        send(ref, new RemoteSystemMessage.Watch(ref.name(), remoting.refs().here(WATCHER)));
    }

    void remove(RemoteRef<?> ref, SystemMessage.Watcher watcher) {
        synchronized (this) {
            Set<SystemMessage.Watcher> watchers = ours.get(ref);
            if (watchers != null && watchers.remove(watcher) && watchers.isEmpty()) {
                ours.remove(ref);
                send(
                        ref,
                        new RemoteSystemMessage.Unwatch(
                                ref.name(), remoting.refs().here(WATCHER)));
            }
        }
    }

    private static void send(RemoteRef<?> ref, RemoteSystemMessage message) {
        Payload payload = SystemMessageCodec.encode(message);
        Association tried = ref.association();
        while (!tried.systemMessages().send(ref.ascii(), payload)) {
            Association next = ref.association();
            if (next == tried) {
                return; // remoting has stopped
            }
            tried = next;
        }
    }

    /** The addresses of nodes that somebody here watches an actor of. */
    synchronized Set<NodeAddress> watchedNodes() {
        Set<NodeAddress> nodes = new LinkedHashSet<>();
        ours.keySet().forEach(ref -> nodes.add(ref.association().peer()));
        return nodes;
    }

    private void ended(RemoteRef<?> ref) {
        Set<SystemMessage.Watcher> watchers;
        synchronized (this) {
            watchers = ours.remove(ref);
        }
        if (watchers != null) {
            watchers.forEach(watcher -> watcher.ended(ref, null));
        }
    }

    /** No actor lives on that node any more, or none of those that lived there. */
    void nodeEnded(NodeAddress address) {
        List<RemoteRef<?>> gone = new ArrayList<>();
        synchronized (this) {
            for (RemoteRef<?> ref : ours.keySet()) {
                if (ref.association().peer().equals(address)) {
                    gone.add(ref);
                }
            }
        }
        gone.forEach(this::ended);
    }

    /**
     * Another process lives at that address. Whoever is watched by its path alone has ended; those with a number may be
     * of the new process, which knows: it is asked.
     */
    void nodeReplaced(NodeAddress address) {
        List<RemoteRef<?>> gone = new ArrayList<>();
        synchronized (this) {
            // A copy: a peer with too much to be told is given up, and its actors are taken from the list.
            for (RemoteRef<?> ref : List.copyOf(ours.keySet())) {
                if (!ref.association().peer().equals(address)) {
                    continue;
                }
                if (ref.path().uid() == 0) {
                    gone.add(ref);
                } else if (ours.containsKey(ref)) {
                    sendWatch(ref);
                }
            }
        }
        gone.forEach(this::ended);
    }

    // --- Their actors watch ours
    // -----------------------------------------------------------------------------------------

    void onMessage(NodeId from, RemoteSystemMessage message) {
        if (message instanceof RemoteSystemMessage.Watch watch) {
            onWatch(from, watch);
        } else if (message instanceof RemoteSystemMessage.Unwatch unwatch) {
            onUnwatch(from, unwatch);
        } else if (message instanceof RemoteSystemMessage.DeathWatchNotification notification) {
            onTermination(from, notification.actorPath());
        } else {
            remoting.counters().add("remote.system-messages-not-offered");
        }
    }

    private void onTermination(NodeId from, String actorPath) {
        ActorRef<?> ref = remoting.refs().resolve(actorPath);
        if (ref instanceof RemoteRef<?> remote && remote.association().peer().equals(from.address())) {
            ended(remote);
        } else {
            remoting.counters().add("remote.terminations-of-strangers");
        }
    }

    private void onWatch(NodeId from, RemoteSystemMessage.Watch watch) {
        ActorRef<?> watchee = remoting.refs().resolve(watch.watcheePath());
        ForPeer watcher = new ForPeer(from, watch.watcheePath(), watch.watcherPath());
        if (!(watchee instanceof Watchable actor)) {
            watcher.tell(false);
            return;
        }
        synchronized (this) {
            Map<ForPeer, Watchable> ofPeer = theirs.computeIfAbsent(from, n -> new HashMap<>());
            if (ofPeer.size() >= MOST_WATCHES_OF_A_PEER) {
                remoting.counters().add("remote.watches-refused");
                return;
            }
            if (ofPeer.putIfAbsent(watcher, actor) != null) {
                return;
            }
        }
        boolean existed = !(watchee instanceof EndedRef);
        if (!actor.addWatcher(watcher)) {
            watcher.tell(existed);
        }
    }

    private void onUnwatch(NodeId from, RemoteSystemMessage.Unwatch unwatch) {
        ForPeer watcher = new ForPeer(from, unwatch.watcheePath(), unwatch.watcherPath());
        Watchable actor = forget(watcher);
        if (actor != null) {
            actor.removeWatcher(watcher);
        }
    }

    private synchronized Watchable forget(ForPeer watcher) {
        Map<ForPeer, Watchable> ofPeer = theirs.get(watcher.peer());
        if (ofPeer == null) {
            return null;
        }
        Watchable actor = ofPeer.remove(watcher);
        if (ofPeer.isEmpty()) {
            theirs.remove(watcher.peer());
        }
        return actor;
    }

    /** Nobody is left there to be told. */
    void peerEnded(NodeId peer) {
        Map<ForPeer, Watchable> gone;
        synchronized (this) {
            gone = theirs.remove(peer);
        }
        if (gone != null) {
            gone.forEach((watcher, actor) -> actor.removeWatcher(watcher));
        }
    }

    /** Stands here for everybody on a peer who watches one actor. Equal to any other that stands for the same. */
    private final class ForPeer implements SystemMessage.Watcher {
        private final NodeId peer;
        private final String watchee;
        private final String watcher;

        ForPeer(NodeId peer, String watchee, String watcher) {
            this.peer = peer;
            this.watchee = watchee;
            this.watcher = watcher;
        }

        NodeId peer() {
            return peer;
        }

        @Override
        public void ended(ActorRef<?> ref, Throwable failure) {
            tell(true);
        }

        /** What the actor had sent before has to arrive before. */
        void tell(boolean existed) {
            var unused = forget(this);
            Association association = remoting.association(peer.address());
            if (association == null || !association.isProven(peer)) {
                return;
            }
            remoting.flushes().afterFlush(association, () -> {
                // It was proven, so it is not forgotten.
                boolean ignored = association
                        .systemMessages()
                        .send(
                                watcher.getBytes(StandardCharsets.US_ASCII),
                                SystemMessageCodec.encode(
                                        new RemoteSystemMessage.DeathWatchNotification(watchee, existed, false)));
            });
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof ForPeer that
                    && peer.equals(that.peer)
                    && watchee.equals(that.watchee)
                    && watcher.equals(that.watcher);
        }

        @Override
        public int hashCode() {
            return watchee.hashCode() * 31 + watcher.hashCode();
        }
    }
}
