package dev.muster.core;

import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.failure.FailureSettings;
import dev.muster.core.gossip.GossipSettings;
import dev.muster.core.handoff.HandoffSettings;
import dev.muster.core.membership.DowningSettings;
import dev.muster.core.membership.JoinSettings;
import dev.muster.core.membership.LifecycleSettings;
import dev.muster.core.partition.PartitionSettings;
import java.time.Duration;
import java.util.Objects;
import java.util.TreeMap;

/** All settings of a core; each part lives beside the code that reads it. */
public record ClusterSettings(
        GossipSettings gossip,
        FailureSettings failure,
        JoinSettings join,
        LifecycleSettings lifecycle,
        DowningSettings downing,
        PartitionSettings partitions,
        HandoffSettings handoff) {

    public ClusterSettings {
        Objects.requireNonNull(gossip, "gossip");
        Objects.requireNonNull(failure, "failure");
        Objects.requireNonNull(join, "join");
        Objects.requireNonNull(lifecycle, "lifecycle");
        Objects.requireNonNull(downing, "downing");
        Objects.requireNonNull(partitions, "partitions");
        Objects.requireNonNull(handoff, "handoff");
    }

    public static ClusterSettings defaults() {
        return new ClusterSettings(
                GossipSettings.defaults(),
                FailureSettings.defaults(),
                JoinSettings.defaults(),
                LifecycleSettings.defaults(),
                DowningSettings.defaults(),
                PartitionSettings.defaults(),
                HandoffSettings.defaults());
    }

    /** What all members must have in common, as it is compared when a node joins. */
    public JoinConfiguration joinConfiguration() {
        TreeMap<String, String> values = new TreeMap<>();
        values.put("cluster.wire-version", join.wireVersion());
        values.put(
                "cluster.split-brain-resolver.active-strategy",
                downing.strategy().description());
        values.put(
                "cluster.split-brain-resolver.stable-after",
                downing.stableAfter().map(Duration::toString).orElse("by size"));
        values.put("cluster.split-brain-resolver.minimal-cut", String.valueOf(downing.minimalCut()));
        values.put(
                "cluster.split-brain-resolver.down-all-when-unstable", String.valueOf(downing.downAllWhenUnstable()));
        return new JoinConfiguration(values);
    }

    public ClusterSettings withGossip(GossipSettings next) {
        return new ClusterSettings(next, failure, join, lifecycle, downing, partitions, handoff);
    }

    public ClusterSettings withFailure(FailureSettings next) {
        return new ClusterSettings(gossip, next, join, lifecycle, downing, partitions, handoff);
    }

    public ClusterSettings withJoin(JoinSettings next) {
        return new ClusterSettings(gossip, failure, next, lifecycle, downing, partitions, handoff);
    }

    public ClusterSettings withLifecycle(LifecycleSettings next) {
        return new ClusterSettings(gossip, failure, join, next, downing, partitions, handoff);
    }

    public ClusterSettings withDowning(DowningSettings next) {
        return new ClusterSettings(gossip, failure, join, lifecycle, next, partitions, handoff);
    }

    public ClusterSettings withPartitions(PartitionSettings next) {
        return new ClusterSettings(gossip, failure, join, lifecycle, downing, next, handoff);
    }

    public ClusterSettings withHandoff(HandoffSettings next) {
        return new ClusterSettings(gossip, failure, join, lifecycle, downing, partitions, next);
    }
}
