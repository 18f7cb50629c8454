package dev.muster.settings;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import dev.muster.core.ClusterSettings;
import dev.muster.core.failure.FailureSettings;
import dev.muster.core.gossip.GossipSettings;
import dev.muster.core.handoff.HandoffSettings;
import dev.muster.core.membership.JoinSettings;
import dev.muster.core.membership.LifecycleSettings;
import dev.muster.core.partition.LoadSettings;
import dev.muster.core.partition.PartitionSettings;
import dev.muster.core.partition.RebalanceSettings;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeAddress;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Reads {@code muster.cluster}. */
final class ClusterReader {

    private static final String DETECTOR = "cluster.failure-detector.";
    private static final String ROLES = "cluster.role";
    private static final String MINIMUM = "min-nr-of-members";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");

    private final SettingsReader reader;

    ClusterReader(SettingsReader reader) {
        this.reader = reader;
    }

    ClusterSettings read(List<NodeAddress> seeds) {
        GossipSettings gossip = gossip();
        return new ClusterSettings(
                gossip,
                failure(),
                join(seeds),
                lifecycle(gossip.timeToLive()),
                new DowningReader(reader).read(),
                partitions(),
                handoff());
    }

    private PartitionSettings partitions() {
        return new PartitionSettings(
                reader.notNegative("cluster.down-removal-margin"),
                reader.whole("cluster.partitions.most-parallel-moves", 1, 100_000),
                reader.notNegative("cluster.partitions.drain-timeout"),
                new RebalanceSettings(
                        reader.number("cluster.partitions.rebalance-tolerance", "between 0 and 1", p -> p > 0 && p < 1),
                        reader.flag("cluster.partitions.rebalance-while-versions-differ")),
                load());
    }

    private HandoffSettings handoff() {
        return new HandoffSettings(
                reader.positive("cluster.partitions.handoff.migration-timeout"),
                reader.whole("cluster.partitions.handoff.most-waiting", 1, Integer.MAX_VALUE),
                reader.bytes("cluster.partitions.handoff.most-waiting-bytes", 1));
    }

    RejoinSettings rejoin() {
        return new RejoinSettings(
                reader.flag("cluster.rejoin.enabled"), reader.whole("cluster.rejoin.max-per-hour", 1, 3600));
    }

    private LoadSettings load() {
        return new LoadSettings(
                reader.positive("cluster.partitions.load-interval"),
                reader.whole("cluster.partitions.load-asked-at-once", 1, LoadSettings.MOST_ASKED),
                reader.positive("cluster.partitions.scaling-interval"));
    }

    private GossipSettings gossip() {
        return new GossipSettings(
                reader.positive("cluster.gossip-interval"),
                reader.number("cluster.gossip-different-view-probability", "between 0 and 1", p -> p >= 0 && p <= 1),
                reader.whole("cluster.reduce-gossip-different-view-probability", 1, Integer.MAX_VALUE),
                reader.positive("cluster.gossip-time-to-live"),
                reader.whole("cluster.gossip-burst", 0, 100),
                reader.whole("cluster.gossip-partners-above", 1, Integer.MAX_VALUE));
    }

    private FailureSettings failure() {
        return new FailureSettings(
                reader.positive(DETECTOR + "heartbeat-interval"),
                reader.number(DETECTOR + "threshold", "above 0 and at most 300", phi -> phi > 0 && phi <= 300),
                reader.whole(DETECTOR + "max-sample-size", 1, 1_000_000),
                reader.positive(DETECTOR + "min-std-deviation"),
                reader.notNegative(DETECTOR + "acceptable-heartbeat-pause"),
                reader.positive(DETECTOR + "expected-response-after"),
                reader.whole(DETECTOR + "monitored-by-nr-of-members", 1, Integer.MAX_VALUE));
    }

    private JoinSettings join(List<NodeAddress> seeds) {
        return new JoinSettings(
                seeds,
                reader.positive("cluster.seed-node-timeout"),
                reader.positive("cluster.retry-unsuccessful-join-after"),
                reader.positive("cluster.island-check-interval"),
                roles(),
                reader.text(
                        "cluster.app-version",
                        "must be a version, such as 1.4.2",
                        v -> NAME.matcher(v).matches()),
                reader.text(
                        "cluster.wire-version",
                        "must be a short name, the same on all nodes",
                        v -> NAME.matcher(v).matches()));
    }

    private List<String> roles() {
        List<String> roles = reader.texts(
                "cluster.roles",
                "must be a list of names made of letters, digits, '.', '_' and '-', such as [\"backend\"]",
                role -> NAME.matcher(role).matches());
        long dataCenters = roles.stream()
                .filter(role -> role.startsWith(Member.DATA_CENTER_PREFIX))
                .distinct()
                .count();
        if (dataCenters > 1) {
            reader.refuse("cluster.roles", "must name at most one data center (a role that begins with dc-)");
            return List.of();
        }
        return roles;
    }

    private LifecycleSettings lifecycle(Duration gossipTimeToLive) {
        Duration retention = reader.positive("cluster.prune-gossip-tombstones-after");
        if (retention.compareTo(gossipTimeToLive) <= 0) {
            reader.refuse(
                    "cluster.prune-gossip-tombstones-after",
                    "must be longer than " + reader.nameOf("cluster.gossip-time-to-live")
                            + ", or a removed member could come back by old gossip");
        }
        return new LifecycleSettings(
                reader.whole("cluster.min-nr-of-members", 1, Integer.MAX_VALUE),
                minimumsByRole(),
                reader.positiveOnOrOff("cluster.allow-weakly-up-members"),
                retention);
    }

    private SortedMap<String, Integer> minimumsByRole() {
        SortedMap<String, Integer> minimums = new TreeMap<>();
        if (!(reader.value(ROLES) instanceof ConfigObject roles)) {
            reader.refuse(ROLES, "must be a section with role names, such as backend { min-nr-of-members = 2 }");
            return minimums;
        }
        for (String role : new TreeSet<>(roles.keySet())) {
            if (roles.get(role) instanceof ConfigObject settings) {
                readRole(role, settings, minimums);
            } else {
                refuseRole(role, roles.get(role), "must be a section, such as { min-nr-of-members = 2 }");
            }
        }
        return minimums;
    }

    private void readRole(String role, ConfigObject settings, SortedMap<String, Integer> minimums) {
        for (String key : new TreeSet<>(settings.keySet())) {
            if (!key.equals(MINIMUM)) {
                reader.warn(pathOf(role) + "." + ConfigUtil.joinPath(key) + " is no key of Muster; did you mean "
                        + pathOf(role) + "." + MINIMUM + "?");
            }
        }
        ConfigValue value = settings.get(MINIMUM);
        if (value != null) {
            int minimum = wholeNumber(value);
            if (minimum >= 1) {
                minimums.put(role, minimum);
            } else {
                refuseRole(ConfigUtil.joinPath(role, MINIMUM), value, "must be a whole number, at least 1");
            }
        }
    }

    /** The number, or 0 if it is none. System properties bring numbers as texts. */
    private static int wholeNumber(ConfigValue value) {
        try {
            return new BigDecimal(String.valueOf(value.unwrapped())).intValueExact();
        } catch (ArithmeticException | NumberFormatException notWhole) {
            return 0;
        }
    }

    private void refuseRole(String below, ConfigValue value, String remedy) {
        reader.refuse(
                reader.nameOf(ROLES) + "." + below,
                SettingsReader.shown(value),
                SettingsReader.originOf(value),
                remedy);
    }

    private String pathOf(String role) {
        return reader.nameOf(ROLES) + "." + ConfigUtil.joinPath(role);
    }
}
