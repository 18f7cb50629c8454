package dev.muster.remote;

import dev.muster.environment.Transport.Incoming;
import dev.muster.environment.Transport.Receiver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All connections that were opened to this node. Few may be unknown at a time, and not many may be of peers that have
 * yet to prove that they are who they say; the oldest of them makes room.
 */
final class InboundConnections {
    private static final int MOST_UNKNOWN = 64;
    private static final int MOST_UNKNOWN_OF_ONE_HOST = 32;
    private static final int MOST_UNKNOWN_LOCAL = 1_024;
    private static final int MOST_UNPROVEN = 2_000;

    private final Remoting remoting;

    // Guarded by this; in the order in which they came.
    private final Set<InboundConnection> unknown = new LinkedHashSet<>();
    private final Map<String, Integer> unknownByHost = new HashMap<>();
    private final Set<InboundConnection> unproven = new LinkedHashSet<>();
    private final Set<InboundConnection> known = new LinkedHashSet<>();
    private long accepted;
    private boolean isOver;

    InboundConnections(Remoting remoting) {
        this.remoting = remoting;
    }

    Receiver accepted(Incoming incoming) {
        InboundConnection connection;
        List<InboundConnection> tooMany = new ArrayList<>();
        synchronized (this) {
            if (isOver) {
                return null;
            }
            connection = new InboundConnection(remoting, incoming, ++accepted);
            unknown.add(connection);
            int ofHost = unknownByHost.merge(connection.peerHost(), 1, Integer::sum);
            int most = incoming.isLocal() ? MOST_UNKNOWN_LOCAL : MOST_UNKNOWN_OF_ONE_HOST;
            if (ofHost > most) {
                tooMany.add(oldestOf(connection.peerHost()));
            } else if (!incoming.isLocal() && unknown.size() > MOST_UNKNOWN + unknownLocal()) {
                tooMany.add(unknown.iterator().next());
            }
            tooMany.forEach(this::forgetUnknown);
        }
        tooMany.forEach(this::refuseAsTooMany);
        return connection;
    }

    private void refuseAsTooMany(InboundConnection old) {
        remoting.counters().add("remote.refused.too-many-connections");
        old.close();
    }

    private int unknownLocal() {
        int local = 0;
        for (InboundConnection connection : unknown) {
            if (connection.connection().isLocal()) {
                local++;
            }
        }
        return local;
    }

    private InboundConnection oldestOf(String host) {
        for (InboundConnection connection : unknown) {
            if (connection.peerHost().equals(host)) {
                return connection;
            }
        }
        throw new IllegalStateException("none of " + host);
    }

    private void forgetUnknown(InboundConnection connection) {
        if (unknown.remove(connection)) {
            unknownByHost.computeIfPresent(connection.peerHost(), (host, n) -> n == 1 ? null : n - 1);
        }
    }

    void handshaken(InboundConnection connection) {
        InboundConnection tooMany = null;
        synchronized (this) {
            forgetUnknown(connection);
            if (connection.isClosed() || isOver) {
                return;
            }
            if (connection.isProven()) {
                known.add(connection);
            } else {
                unproven.add(connection);
                if (unproven.size() > MOST_UNPROVEN) {
                    tooMany = unproven.iterator().next();
                    unproven.remove(tooMany);
                }
            }
        }
        if (tooMany != null) {
            refuseAsTooMany(tooMany);
        }
    }

    synchronized void ended(InboundConnection connection) {
        forgetUnknown(connection);
        unproven.remove(connection);
        known.remove(connection);
    }

    void tick(long nowNanos) {
        List<InboundConnection> overdue = new ArrayList<>();
        synchronized (this) {
            for (Iterator<InboundConnection> each = unproven.iterator(); each.hasNext(); ) {
                InboundConnection connection = each.next();
                if (connection.isProven()) {
                    each.remove();
                    known.add(connection);
                }
            }
            addOverdue(unknown, nowNanos, overdue);
            addOverdue(unproven, nowNanos, overdue);
            addOverdue(known, nowNanos, overdue);
            overdue.forEach(connection -> {
                forgetUnknown(connection);
                unproven.remove(connection);
                known.remove(connection);
            });
        }
        for (InboundConnection connection : overdue) {
            remoting.counters().add("remote.refused.too-slow");
            connection.close();
        }
    }

    private static void addOverdue(Set<InboundConnection> connections, long nowNanos, List<InboundConnection> overdue) {
        for (InboundConnection connection : connections) {
            if (connection.isOverdue(nowNanos)) {
                overdue.add(connection);
            }
        }
    }

    void closeAll() {
        List<InboundConnection> all = new ArrayList<>();
        synchronized (this) {
            isOver = true;
            all.addAll(unknown);
            all.addAll(unproven);
            all.addAll(known);
        }
        for (Iterator<InboundConnection> each = all.iterator(); each.hasNext(); ) {
            each.next().close();
        }
    }
}
