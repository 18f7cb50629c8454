package dev.muster.real.net;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * How many connections all nodes of this process may have open: what the limit on file descriptors allows, with room
 * for everything else. Whoever wants one more waits until others have given way: those that have carried nothing for
 * the longest time, and of those first the ones that nobody uses again and again. They are opened again when there is
 * something to say.
 */
final class ConnectionBudget {
    static final ConnectionBudget OF_THIS_PROCESS = new ConnectionBudget(ofDescriptors(descriptorLimit()));

    private static final long UNKNOWN_LIMIT = 20_000;
    private static final int FOR_OTHERS = 500;
    private static final long LONG_SILENCE_NANOS = 10_000_000_000L;

    private final int most;

    // Guarded by this.
    private final Set<Client> standing = new HashSet<>();
    private final Queue<Client> waiting = new ArrayDeque<>();
    private int inUse;
    private int givingWay;

    /** A connection as the budget sees it. */
    interface Client {

        /** It may be opened now. */
        void dial();

        /** It has to close. */
        void close();

        long lastWriteNanos();

        /** Whether it is used again and again, such as one that carries heartbeats. */
        boolean isRegular();
    }

    ConnectionBudget(int most) {
        this.most = most;
    }

    private static long descriptorLimit() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : UNKNOWN_LIMIT;
    }

    /** Each connection takes two descriptors where both its ends are in this process, and accepted ones count too. */
    static int ofDescriptors(long limit) {
        long left = Math.max(128, (Math.min(limit, 1_000_000) - FOR_OTHERS) * 8 / 10);
        return (int) (left / 2);
    }

    int most() {
        return most;
    }

    /** Has a connection dialled, now or as soon as there is room. */
    void ask(Client connection) {
        List<Client> victims = List.of();
        boolean mayDial;
        synchronized (this) {
            mayDial = inUse < most;
            if (mayDial) {
                inUse++;
            } else {
                waiting.add(connection);
                victims = victims();
            }
        }
        if (mayDial) {
            connection.dial();
        }
        victims.forEach(Client::close);
    }

    /** It stands, and may have to give way from now on. */
    synchronized void stands(Client connection) {
        standing.add(connection);
    }

    /** Takes back what was asked for; returns false if it has been dialled already. */
    synchronized boolean withdraw(Client connection) {
        return waiting.remove(connection);
    }

    /** A connection that was dialled is over. */
    void over(Client connection) {
        Client next;
        synchronized (this) {
            if (!standing.remove(connection) && givingWay > 0) {
                givingWay--;
            }
            next = waiting.poll();
            if (next == null) {
                inUse--;
            }
        }
        if (next != null) {
            next.dial();
        }
    }

    /** As many as are waited for, and several at once, so that looking for them is worth it. */
    private List<Client> victims() {
        if (waiting.size() <= givingWay) {
            return List.of();
        }
        long regularsCount = System.nanoTime() - LONG_SILENCE_NANOS;
        List<Silent> all = new ArrayList<>(standing.size());
        for (Client client : standing) {
            long since = client.lastWriteNanos();
            all.add(new Silent(client, client.isRegular() && since - regularsCount > 0, since));
        }
        all.sort(Comparator.comparing(Silent::isRegular).thenComparingLong(Silent::sinceNanos));
        int count = Math.min(all.size(), waiting.size() - givingWay + most / 50);
        List<Client> victims =
                all.subList(0, count).stream().map(Silent::connection).toList();
        victims.forEach(standing::remove);
        givingWay += victims.size();
        return victims;
    }

    /** What is known of it, read once: connections go on writing while they are sorted. */
    private record Silent(Client connection, boolean isRegular, long sinceNanos) {}
}
