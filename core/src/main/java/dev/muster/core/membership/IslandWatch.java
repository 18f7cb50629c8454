package dev.muster.core.membership;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.Island;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Looks for a second cluster of the same name: now and then a member asks one configured seed that it does not see in
 * its own cluster. Who answers as a member of something else is on another island.
 *
 * <p>A node that has just come in may be unknown to some for a moment, so it takes two signs, a while apart.
 */
public final class IslandWatch {
    private final NodeId self;
    private final JoinSettings settings;
    private final JoinConfiguration configuration;
    private final long intervalNanos;
    private final TreeMap<NodeId, Long> firstSignNanos = new TreeMap<>();
    private long nextCheckNanos;
    private int turn;

    public IslandWatch(NodeId self, JoinSettings settings, JoinConfiguration configuration, long nowNanos) {
        this.self = self;
        this.settings = settings;
        this.configuration = configuration;
        this.intervalNanos = settings.islandCheckInterval().toNanos();
        this.nextCheckNanos = nowNanos + intervalNanos;
    }

    public void tick(ClusterState state, long nowNanos, Effects effects) {
        if (nowNanos < nextCheckNanos) {
            return;
        }
        nextCheckNanos = nowNanos + intervalNanos;
        firstSignNanos.keySet().removeIf(id -> state.members().has(id));
        List<NodeAddress> missing = missingSeeds(state);
        if (!missing.isEmpty()) {
            NodeAddress seed = missing.get(Math.floorMod(turn++, missing.size()));
            effects.send(seed, new JoinMessage.SeedContact(configuration, Optional.of(Island.of(state))));
        }
    }

    private List<NodeAddress> missingSeeds(ClusterState state) {
        List<NodeAddress> missing = new ArrayList<>();
        for (NodeAddress seed : settings.seedNodes()) {
            boolean present = state.members().at(seed).stream().anyMatch(m -> state.isReachable(m.id()));
            if (!present && !seed.equals(self.address())) {
                missing.add(seed);
            }
        }
        return missing;
    }

    /** Somebody turned out to be a member of some cluster, which it describes. */
    public void onSignOfMember(ClusterState state, NodeId other, Island theirs, long nowNanos, Effects effects) {
        if (state.members().has(other)) {
            firstSignNanos.remove(other);
            return;
        }
        Long first = firstSignNanos.putIfAbsent(other, nowNanos);
        if (first != null && nowNanos - first >= intervalNanos / 2) {
            firstSignNanos.put(other, nowNanos);
            // Whom this cluster has removed counts members that it has lost, and its words may be old. It has to give
            // way.
            boolean givesWay =
                    !state.tombstones().has(other) && Island.of(state).givesWayTo(theirs);
            effects.publish(new ClusterEvent.IslandSuspected(
                    other.address(),
                    other + " says that it is a member, but this cluster of "
                            + state.members().size()
                            + " does not know it: two clusters have one name, and "
                            + (givesWay ? "this one should join the other" : "the other should join this one"),
                    givesWay));
        }
        if (firstSignNanos.size() > 100) {
            firstSignNanos.pollFirstEntry();
        }
    }

    public long nextWakeUpNanos() {
        return settings.seedNodes().isEmpty() ? Long.MAX_VALUE : nextCheckNanos;
    }
}
