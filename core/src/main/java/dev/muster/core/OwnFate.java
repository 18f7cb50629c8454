package dev.muster.core;

import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.gossip.GossipProtocol;
import dev.muster.core.membership.Leader;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import java.util.Optional;

/**
 * What a node does when it finds that its own membership ends: it finishes, tells a few others, and falls silent.
 *
 * <p>Specification: "Membership Lifecycle"; a leaver confirms its exit so that nobody has to wait for it to be missed.
 */
final class OwnFate {
    private static final int GOODBYES = 5;

    private final NodeId self;
    private final GossipProtocol gossip;
    private boolean exitTasksAsked;

    OwnFate(NodeId self, GossipProtocol gossip) {
        this.self = self;
        this.gossip = gossip;
    }

    /** Looks at the own row. A text when the node must stop now: why. */
    Optional<String> follow(ClusterState state, Effects effects) {
        return switch (state.members().statusOf(self)) {
            case REMOVED -> Optional.of("this node was removed from the cluster; restart it to join again");
            case DOWN -> {
                gossip.sayGoodbye(state, GOODBYES, effects);
                yield Optional.of("this node was declared down; restart it to join again");
            }
            case EXITING -> {
                if (!exitTasksAsked) {
                    exitTasksAsked = true;
                    effects.add(new Effect.RunExitTasks());
                }
                yield Optional.empty();
            }
            default -> Optional.empty();
        };
    }

    boolean isExiting() {
        return exitTasksAsked;
    }

    /** All is finished: tell some of the others, and those who will remove this node. */
    void confirmExit(ClusterState state, Effects effects) {
        gossip.sayGoodbye(state, GOODBYES, effects);
        Optional<NodeId> leader = Leader.among(state, self, m -> !m.id().equals(self));
        leader.ifPresent(id -> effects.send(id.address(), new JoinMessage.ExitConfirmed()));
        leader.flatMap(first -> Leader.among(state, self, m -> !m.id().equals(self) && !m.id().equals(first)))
                .ifPresent(id -> effects.send(id.address(), new JoinMessage.ExitConfirmed()));
    }
}
