package dev.muster.cluster.engine;

import dev.muster.cluster.Routing;
import dev.muster.core.state.NodeId;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;

/** Chooses the host that gets a message. Guarded by the lock of its post. */
final class Router {
    private final RandomGenerator random;
    private final HostShares shares;
    private int turn;

    /** @param shares what is believed to wait at each host */
    Router(RandomGenerator random, HostShares shares) {
        this.random = random;
        this.shares = shares;
    }

    /**
     * One of the hosts, of which there is at least one.
     *
     * @param key what decides, for a routing that goes by it; null if it is not known
     */
    NodeId choose(List<NodeId> hosts, Routing<?> routing, Object key) {
        if (hosts.size() == 1) {
            return hosts.get(0);
        }
        if (routing instanceof Routing.Random<?>) {
            return hosts.get(random.nextInt(hosts.size()));
        } else if (routing instanceof Routing.LeastLoaded<?> least) {
            return least.load() == null ? leastBelieved(hosts) : lightest(hosts, least.load());
        } else if (routing instanceof Routing.ConsistentHash<?> && key != null) {
            return highestScore(hosts, key);
        }
        return next(hosts);
    }

    /** One after the other. */
    NodeId next(List<NodeId> hosts) {
        return hosts.get(Math.floorMod(turn++, hosts.size()));
    }

    private NodeId lightest(List<NodeId> hosts, ToLongFunction<NodeId> load) {
        // Among those that carry the same, each gets its turn.
        int first = Math.floorMod(turn++, hosts.size());
        NodeId best = hosts.get(first);
        long least = load.applyAsLong(best);
        for (int i = 1; i < hosts.size(); i++) {
            NodeId host = hosts.get((first + i) % hosts.size());
            long carried = load.applyAsLong(host);
            if (carried < least) {
                least = carried;
                best = host;
            }
        }
        return best;
    }

    private NodeId leastBelieved(List<NodeId> hosts) {
        shares.follow(hosts);
        NodeId best = lightest(hosts, shares::believedAt);
        shares.sentTo(best);
        return best;
    }

    /** Each host has a score for each key, so whoever comes or goes takes only what is its own. */
    private static NodeId highestScore(List<NodeId> hosts, Object key) {
        NodeId best = null;
        long highest = Long.MIN_VALUE;
        for (NodeId host : hosts) {
            long score = mixed(
                    mixed(key.hashCode()) ^ mixed(host.uid()) + host.address().port());
            if (best == null || score > highest) {
                highest = score;
                best = host;
            }
        }
        return best;
    }

    /** The last step of SplitMix64: numbers that are close to each other end up far apart. */
    private static long mixed(long value) {
        long z = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
