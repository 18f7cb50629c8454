package dev.muster.cluster.engine;

import dev.muster.core.state.LoadSample;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * What is believed to wait at each host of a partition: what its last sample said, and what this node has sent there
 * since, less what the host has probably handled meanwhile. Guarded by the lock of its post.
 *
 * <p>Samples come one by one, and of some hosts never. If all counted that was sent since, whoever has just told of
 * itself would seem to have got nothing, and would get everything until the next one tells. So a host at which nothing
 * waits is believed to handle its fair share of the messages, or what it handled before if that was more; and one at
 * which something waits, what it handled before. Time is counted in messages.
 */
final class HostShares {
    /** After so many samples of each other host, what was believed of one that is silent counts half. */
    private static final int PATIENCE_SAMPLES = 4;

    /** What is believed is compared in such parts of a message. */
    private static final int PARTS = 1_000;

    private final PartitionPath path;
    private final Function<NodeId, LoadSample> samples;
    private final Map<NodeId, Share> shares = new HashMap<>();
    private Set<NodeId> hosts = Set.of();
    private long routed;
    private long heard;

    /** @param samples the last sample of a node; null if there is none, as of most nodes in a large cluster */
    HostShares(PartitionPath path, Function<NodeId, LoadSample> samples) {
        this.path = path;
        this.samples = samples;
    }

    /** These are the hosts now. A share among others was another one, so after a change all begin anew. */
    void follow(List<NodeId> present) {
        if (present.size() != hosts.size() || !hosts.containsAll(present)) {
            hosts = new HashSet<>(present);
            shares.clear();
        }
        present.forEach(this::listen);
    }

    private void listen(NodeId host) {
        Share share = shares.computeIfAbsent(host, it -> new Share());
        LoadSample sample = samples.apply(host);
        // Two samples may say the same; their numbers tell them apart.
        if (sample != null && sample.sequence() != share.sequence) {
            heard++;
            share.follow(sample);
        } else if (heard - share.heardBefore > (long) PATIENCE_SAMPLES * hosts.size()) {
            share.begin(share.believed() / 2, 1.0 / hosts.size());
        }
    }

    /** What waits there, to be compared with that of the other hosts. */
    long believedAt(NodeId host) {
        return Math.round(shares.get(host).believed() * PARTS);
    }

    void sentTo(NodeId host) {
        routed++;
        shares.get(host).sent++;
    }

    /** Of one host. */
    private final class Share {
        private long sequence = -1;
        private long waiting;
        /** What was believed to wait when this began, and how much of what is routed the host is believed to handle. */
        private double base;

        private double handles;
        private long sent;
        private long routedBefore;
        private long heardBefore;

        Share() {
            begin(0, 1.0 / hosts.size());
        }

        private void begin(double believed, double share) {
            base = believed;
            handles = share;
            sent = 0;
            routedBefore = routed;
            heardBefore = heard;
        }

        double believed() {
            return base + sent - handles * (routed - routedBefore);
        }

        void follow(LoadSample sample) {
            long now = sample.waitingFor(path).orElse(0);
            double handling = routed == routedBefore ? handles : handledSince(now);
            sequence = sample.sequence();
            waiting = now;
            begin((double) now, now == 0 ? Math.max(1.0 / hosts.size(), handling) : handling);
        }

        /** Others send there too, so it may have handled more than that. */
        private double handledSince(long now) {
            double handled = (double) (waiting + sent - now) / (routed - routedBefore);
            return Math.max(0, Math.min(1, handled));
        }
    }
}
