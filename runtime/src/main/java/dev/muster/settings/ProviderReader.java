package dev.muster.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValue;
import java.util.Optional;

/**
 * Whether a process is to be a node: {@code actor.provider} below {@code muster}, or, where that says nothing, below
 * {@code pekko} or {@code akka}, whichever of the two counts, where it may also be the name of a class.
 */
public final class ProviderReader {
    static final String PATH = "actor.provider";

    private static final String KEY = Sources.ROOT + PATH;
    private static final String CLUSTER = "cluster";
    private static final String THEIR_CLUSTER = ".cluster.ClusterActorRefProvider";

    private ProviderReader() {}

    /** @param config complete, with {@code reference.conf} */
    public static boolean isClusterNode(Config config) {
        if (!isGiven(config)) {
            Optional<ConfigValue> theirs =
                    Sources.older(config).stream().findFirst().flatMap(section -> section.take(PATH));
            if (theirs.isPresent()) {
                String text = String.valueOf(theirs.get().unwrapped());
                return text.equals(CLUSTER) || text.endsWith(THEIR_CLUSTER);
            }
        }
        String provider = config.getString(KEY);
        if (!provider.equals("local") && !provider.equals(CLUSTER)) {
            throw new IllegalArgumentException(KEY + " must be local or cluster, was \"" + provider + "\"");
        }
        return provider.equals(CLUSTER);
    }

    private static boolean isGiven(Config config) {
        return config.hasPath(KEY) && GivenValues.isGiven(config.getValue(KEY));
    }
}
