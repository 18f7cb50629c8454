package dev.muster.core.membership;

import dev.muster.core.state.Member;
import dev.muster.core.state.NodeAddress;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;

/**
 * How a node finds its cluster, and what it brings along.
 *
 * @param seedNodes where to ask; only the first of them may form a cluster
 * @param seedNodeTimeout how long the first seed waits for silent seeds before it forms a cluster. Longer: a slow start
 *     of a new cluster. Shorter: a first seed that restarts while the others are slow makes an island
 * @param retryUnsuccessfulJoinAfter how long a join may stay unanswered before the seeds are asked again
 * @param islandCheckInterval how often a member asks a configured seed that is not in its cluster whether it is in
 *     another
 * @param roles what this node is for
 * @param appVersion the version of the application
 * @param wireVersion must be equal on all members
 */
public record JoinSettings(
        List<NodeAddress> seedNodes,
        Duration seedNodeTimeout,
        Duration retryUnsuccessfulJoinAfter,
        Duration islandCheckInterval,
        List<String> roles,
        String appVersion,
        String wireVersion) {

    public JoinSettings {
        seedNodes = seedNodes.stream().distinct().toList();
        roles = withKind(roles);
        requirePositive("seed-node-timeout", seedNodeTimeout);
        requirePositive("retry-unsuccessful-join-after", retryUnsuccessfulJoinAfter);
        requirePositive("island-check-interval", islandCheckInterval);
    }

    /** Every node says that it is one of Muster, and nobody may say otherwise. */
    private static List<String> withKind(List<String> given) {
        TreeSet<String> all = new TreeSet<>(Member.normalizedRoles(given));
        all.add(Member.MUSTER_ROLE);
        for (String role : all) {
            if (role.startsWith(Member.KIND_PREFIX) && !role.equals(Member.MUSTER_ROLE)) {
                throw new IllegalArgumentException("the role " + role
                        + " is Muster's own; choose one that does not begin " + "with " + Member.KIND_PREFIX);
            }
        }
        return Member.normalizedRoles(List.copyOf(all));
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive, was " + value);
        }
    }

    public static JoinSettings defaults() {
        return new JoinSettings(
                List.of(),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                List.of(),
                Member.DEFAULT_APP_VERSION,
                "1");
    }

    public JoinSettings withSeedNodes(List<NodeAddress> next) {
        return new JoinSettings(
                next, seedNodeTimeout, retryUnsuccessfulJoinAfter, islandCheckInterval, roles, appVersion, wireVersion);
    }

    public JoinSettings withSeedNodeTimeout(Duration next) {
        return new JoinSettings(
                seedNodes, next, retryUnsuccessfulJoinAfter, islandCheckInterval, roles, appVersion, wireVersion);
    }

    public JoinSettings withRoles(List<String> next) {
        return new JoinSettings(
                seedNodes,
                seedNodeTimeout,
                retryUnsuccessfulJoinAfter,
                islandCheckInterval,
                next,
                appVersion,
                wireVersion);
    }

    public JoinSettings withWireVersion(String next) {
        return new JoinSettings(
                seedNodes, seedNodeTimeout, retryUnsuccessfulJoinAfter, islandCheckInterval, roles, appVersion, next);
    }
}
