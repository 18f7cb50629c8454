package dev.muster.core.exchange;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import java.util.List;

/** How a node comes in, and how it says that it is gone. */
public sealed interface JoinMessage extends CoreMessage {

    /**
     * Are you a member, and would you have me?
     *
     * @param configuration what the sender runs with, to be compared
     * @param fromMember the sender is itself a member of a cluster, and asks a seed that is not in it
     */
    record SeedContact(JoinConfiguration configuration, boolean fromMember) implements JoinMessage {}

    /** I am a member. {@code reasonsAgainst} is empty when the configurations fit together. */
    record SeedWelcomes(List<String> reasonsAgainst) implements JoinMessage {
        public SeedWelcomes {
            reasonsAgainst = List.copyOf(reasonsAgainst);
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
