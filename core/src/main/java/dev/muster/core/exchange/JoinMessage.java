package dev.muster.core.exchange;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import java.util.List;
import java.util.Optional;

/** How a node comes in, and how it says that it is gone. */
public sealed interface JoinMessage extends CoreMessage {

    /**
     * Are you a member, and would you have me?
     *
     * @param configuration what the sender runs with, to be compared
     * @param from the cluster that the sender is itself a member of, when it asks a seed that is not in it
     */
    record SeedContact(JoinConfiguration configuration, Optional<Island> from) implements JoinMessage {

        /** From a node that looks for a cluster, or from a member of one that says no more of it. */
        public SeedContact(JoinConfiguration configuration, boolean fromMember) {
            this(configuration, fromMember ? Optional.of(Island.UNKNOWN) : Optional.empty());
        }

        public boolean fromMember() {
            return from.isPresent();
        }
    }

    /**
     * I am a member. {@code reasonsAgainst} is empty when the configurations fit together.
     *
     * @param island my cluster, for somebody who is a member of one too
     */
    record SeedWelcomes(List<String> reasonsAgainst, Island island) implements JoinMessage {
        public SeedWelcomes {
            reasonsAgainst = List.copyOf(reasonsAgainst);
        }

        public SeedWelcomes(List<String> reasonsAgainst) {
            this(reasonsAgainst, Island.UNKNOWN);
        }

        public boolean isCompatible() {
            return reasonsAgainst.isEmpty();
        }
    }

    /** I am not a member of anything, so I cannot help. */
    record SeedIsNoMember() implements JoinMessage {}

    /**
     * Let me in.
     *
     * @param configuration what the sender runs with; empty from systems that do not send it
     */
    record Join(List<String> roles, String appVersion, JoinConfiguration configuration) implements JoinMessage {
        public Join {
            roles = List.copyOf(roles);
        }
    }

    /** You are in; this is what we know. */
    record Welcome(NodeId to, ClusterState state) implements JoinMessage {}

    /** I was exiting, I have finished, and I stop now: no need to wait for my failure to be noticed. */
    record ExitConfirmed() implements JoinMessage {}
}
