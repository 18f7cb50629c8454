package dev.muster.cluster.engine;

import com.typesafe.config.Config;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.UnhandledMessage;
import dev.muster.cluster.Cluster;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.serialization.Serialization;
import dev.muster.serialization.SerializationLimits;
import dev.muster.serialization.SerializationSetupException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages that this node can send and understand: those of the configuration, and those of the actors that were
 * started here. What the configuration names must be able to travel, or the node does not start; an actor whose
 * messages cannot travel is one for this node only.
 */
public final class Messages {
    private static final Logger LOG = LoggerFactory.getLogger("dev.muster.serialization");

    private static final Set<Class<?>> SAID_HERE_ONLY =
            Set.of(DeadLetter.class, UnhandledMessage.class, Cluster.CurrentClusterState.class);

    private final Config config;
    private volatile Serialization present;
    private volatile ForStates forStates = new ForStates(null, null);

    // Guarded by this.
    private final Set<Class<?>> learned = new LinkedHashSet<>();
    private final Set<Class<?>> looked = new LinkedHashSet<>();

    /** @throws SerializationSetupException with everything that is wrong with what the configuration names */
    public Messages(Config config) {
        this.config = config;
        this.present = Serialization.from(config);
    }

    public Serialization present() {
        return present;
    }

    /** @param of the one that has the same messages */
    private record ForStates(Serialization of, Serialization serialization) {}

    /**
     * The same for what instances leave to each other, of any size: that is one whole in memory already, and goes only
     * from member to member.
     */
    public Serialization states() {
        ForStates made = forStates;
        if (made.of() != present) {
            synchronized (this) {
                made = new ForStates(present, build(learned, true));
                forStates = made;
            }
        }
        return made.serialization();
    }

    private Serialization build(Set<Class<?>> protocols, boolean isForStates) {
        Serialization.Builder builder = Serialization.builder(config);
        // How other systems call a message was said on purpose; that an actor takes it says nothing new.
        protocols.forEach(builder::protocolUnlessForeign);
        return (isForStates ? builder.limits(SerializationLimits.none()) : builder).build();
    }

    /** What Muster itself says to actors that want to know, each node to its own. */
    private static boolean isSaidHereOnly(Class<?> protocol) {
        return ClusterEvent.class.isAssignableFrom(protocol) || SAID_HERE_ONLY.contains(protocol);
    }

    /** An actor with these messages was started. */
    public void learn(Class<?> protocol) {
        boolean canBeNamed = protocol.isSealed() || protocol.isRecord();
        if (!canBeNamed || isSaidHereOnly(protocol) || present.knows(protocol)) {
            return;
        }
        synchronized (this) {
            if (!looked.add(protocol)) {
                return;
            }
            Set<Class<?>> all = new LinkedHashSet<>(learned);
            all.add(protocol);
            try {
                present = build(all, false);
                learned.add(protocol);
            } catch (SerializationSetupException cannotTravel) {
                LOG.info("messages of {} stay on this node: {}", protocol.getName(), cannotTravel.getMessage());
            }
        }
    }
}
