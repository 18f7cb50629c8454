package dev.muster.testkit.relay;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports that nobody listens on. They are below those that systems give to outgoing connections, so that a node that is
 * restarted finds its port still free.
 */
public final class FreePorts {
    private static final int LOWEST = 12_000;
    private static final int HIGHEST = 30_000;
    private static final Set<Integer> GIVEN = new HashSet<>();

    private FreePorts() {}

    /** So many ports, ascending. No port is given twice. */
    public static int[] take(int count) {
        Set<Integer> ports = new TreeSet<>();
        synchronized (GIVEN) {
            while (ports.size() < count) {
                int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
                if (isFree(port) && GIVEN.add(port)) {
                    ports.add(port);
                }
            }
        }
        return ports.stream().mapToInt(Integer::intValue).toArray();
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
