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

/** All connections that were opened to this node. Few may be unknown at a time; the oldest of them makes room. */
final class InboundConnections {
    private static final int MOST_UNKNOWN = 64;
    private static final int MOST_UNKNOWN_OF_ONE_HOST = 32;
    private static final int MOST_UNKNOWN_LOCAL = 1_024;

    private final Remoting remoting;

    // Guarded by this; in the order in which they came.
    private final Set<InboundConnection> unknown = new LinkedHashSet<>();
    private final Map<String, Integer> unknownByHost = new HashMap<>();
    private final Set<InboundConnection> known = new LinkedHashSet<>();

    InboundConnections(Remoting remoting) {
        this.remoting = remoting;
    }

    Receiver accepted(Incoming incoming) {
        InboundConnection connection = new InboundConnection(remoting, incoming);
        List<InboundConnection> tooMany = new ArrayList<>();
        synchronized (this) {
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
        for (InboundConnection old : tooMany) {
            remoting.counters().add("remote.refused.too-many-connections");
            old.close();
        }
        return connection;
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

    synchronized void handshaken(InboundConnection connection) {
        forgetUnknown(connection);
        if (!connection.isClosed()) {
            known.add(connection);
        }
    }

    synchronized void ended(InboundConnection connection) {
        forgetUnknown(connection);
        known.remove(connection);
    }

    void tick(long nowNanos) {
        List<InboundConnection> overdue = new ArrayList<>();
        synchronized (this) {
            for (InboundConnection connection : unknown) {
                if (connection.isOverdue(nowNanos)) {
                    overdue.add(connection);
                }
            }
            for (InboundConnection connection : known) {
                if (connection.isOverdue(nowNanos)) {
                    overdue.add(connection);
                }
            }
        }
        for (InboundConnection connection : overdue) {
            remoting.counters().add("remote.refused.too-slow");
            connection.close();
        }
    }

    void closeAll() {
        List<InboundConnection> all = new ArrayList<>();
        synchronized (this) {
            all.addAll(unknown);
            all.addAll(known);
        }
        for (Iterator<InboundConnection> each = all.iterator(); each.hasNext(); ) {
            each.next().close();
        }
    }
}
