package dev.muster.remote;

import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.wire.ControlMessage;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Notices the end of nodes that are watched but are no members, so that nobody tells of it: they are asked every second
 * and must answer within some.
 */
final class WatcherHeartbeats {
    private static final long LONGEST_SILENCE_NANOS = 15_000_000_000L;

    private final Remoting remoting;
    private volatile Predicate<NodeAddress> isMember = address -> false;

    // Guarded by this.
    private final Map<NodeAddress, Long> lastHeardNanos = new HashMap<>();

    WatcherHeartbeats(Remoting remoting) {
        this.remoting = remoting;
    }

    void setMembers(Predicate<NodeAddress> members) {
        isMember = members;
    }

    synchronized void onReply(NodeId peer) {
        lastHeardNanos.replace(peer.address(), remoting.nanoTime());
    }

    /** Whoever is said to have ended must not be heard of again. */
    private void giveUp(NodeAddress address) {
        Association association = remoting.association(address);
        NodeId silent = association == null ? null : association.peerId();
        if (silent == null) {
            remoting.onNobodyThere(address);
        } else {
            remoting.quarantine(silent, "it has not answered for 15 s although actors of it are watched");
        }
    }

    void tick(long nowNanos) {
        Set<NodeAddress> watched = remoting.watching().watchedNodes();
        watched.removeIf(isMember);
        synchronized (this) {
            lastHeardNanos.keySet().retainAll(watched);
        }
        for (NodeAddress address : watched) {
            long last;
            synchronized (this) {
                last = lastHeardNanos.computeIfAbsent(address, a -> nowNanos);
            }
            if (nowNanos - last > LONGEST_SILENCE_NANOS) {
                remoting.log().info("{} has not answered for {} s; its actors count as ended", address, 15);
                synchronized (this) {
                    lastHeardNanos.remove(address);
                }
                giveUp(address);
            } else {
                Association association = remoting.association(address);
                if (association != null) {
                    association.sendControl(
                            remoting.refs().here(RemoteWatching.WATCHER).getBytes(StandardCharsets.US_ASCII),
                            (address + RemoteWatching.WATCHER).getBytes(StandardCharsets.US_ASCII),
                            new ControlMessage.WatcherHeartbeat());
                }
            }
        }
    }
}
