package dev.muster.real.net;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many connections all nodes of this process may have open: what the limit on file descriptors allows, with room
 * for everything else. Whoever opens one more makes those give way that have carried nothing for the longest time; they
 * are opened again when there is something to say.
 */
final class ConnectionBudget {
    static final ConnectionBudget OF_THIS_PROCESS = new ConnectionBudget(ofDescriptors(descriptorLimit()));

    private static final long UNKNOWN_LIMIT = 20_000;
    private static final int FOR_OTHERS = 500;

    private final int most;
    private final Set<Opened> open = ConcurrentHashMap.newKeySet();

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

    void opened(Opened connection) {
        open.add(connection);
        if (open.size() > most) {
            giveWay();
        }
    }

    void closed(Opened connection) {
        open.remove(connection);
    }

    /** Several at once, so that looking for them is worth it. */
    private synchronized void giveWay() {
        int tooMany = open.size() - most;
        if (tooMany <= 0) {
            return;
        }
        List<Opened> longestSilent = open.stream()
                .sorted(Comparator.comparingLong(Opened::lastWriteNanos))
                .limit(tooMany + Math.max(1, most / 50))
                .toList();
        longestSilent.forEach(connection -> {
            open.remove(connection);
            connection.close();
        });
    }
}
