package dev.muster.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValue;
import java.util.List;
import java.util.Optional;

/**
 * Whether a process is to be a node: {@code actor.provider} below {@code muster}, or, where that says nothing, below
 * {@code pekko} or {@code akka}, where it may also be the name of a class.
 */
public final class ProviderReader {
    static final String PATH = "actor.provider";

    private static final String KEY = Sources.ROOT + PATH;
    private static final String CLUSTER = "cluster";
    private static final String THEIR_CLUSTER = ".cluster.ClusterActorRefProvider";

    private ProviderReader() {}

    /** @param config complete, with {@code reference.conf} */
    public static boolean isClusterNode(Config config) {
        Optional<ConfigValue> own = given(config, KEY);
        if (own.isEmpty()) {
            for (String root : List.of("pekko.", "akka.")) {
                Optional<ConfigValue> theirs = given(config, root + PATH);
                if (theirs.isPresent()) {
                    String text = String.valueOf(theirs.get().unwrapped());
                    return text.equals(CLUSTER) || text.endsWith(THEIR_CLUSTER);
                }
            }
        }
        String provider = config.getString(KEY);
        if (!provider.equals("local") && !provider.equals(CLUSTER)) {
            throw new IllegalArgumentException(KEY + " must be local or cluster, was \"" + provider + "\"");
        }
        return provider.equals(CLUSTER);
    }

    private static Optional<ConfigValue> given(Config config, String key) {
        return config.hasPath(key) ? Optional.of(config.getValue(key)).filter(GivenValues::isGiven) : Optional.empty();
    }
}
