package dev.muster.cluster.engine;

import dev.muster.actor.ActorRef;
import dev.muster.actor.engine.InternalRef;
import dev.muster.cluster.Cluster.CurrentClusterState;
import dev.muster.cluster.Cluster.InitialState;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.membership.Leader;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.PartitionEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who wants to hear of what. Used in the core's turn only, so that nobody misses or hears twice what is going on. */
final class Subscribers {
    private final Map<ActorRef<?>, List<Class<?>>> wanted = new LinkedHashMap<>();

    void add(ActorRef<?> subscriber, InitialState initial, List<Class<?>> types, ClusterSnapshot present) {
        wanted.merge(subscriber, types, (before, more) -> {
            List<Class<?>> all = new ArrayList<>(before);
            all.addAll(more);
            return all;
        });
        if (initial == InitialState.AS_SNAPSHOT) {
            tell(subscriber, new CurrentClusterState(present));
        } else {
            for (ClusterEvent event : leadingTo(present)) {
                if (matches(types, event)) {
                    tell(subscriber, event);
                }
            }
        }
    }

    void remove(ActorRef<?> subscriber) {
        wanted.remove(subscriber);
    }

    void publish(ClusterEvent event) {
        if (wanted.isEmpty()) {
            return;
        }
        wanted.keySet().removeIf(ref -> ref instanceof InternalRef<?> internal && internal.hasEnded());
        wanted.forEach((subscriber, types) -> {
            if (matches(types, event)) {
                tell(subscriber, event);
            }
        });
    }

    private static boolean matches(List<Class<?>> types, ClusterEvent event) {
        return types.stream().anyMatch(type -> type.isInstance(event));
    }

    @SuppressWarnings("unchecked")
    private static void tell(ActorRef<?> subscriber, Object message) {
        ((ActorRef<Object>) subscriber).tell(message);
    }

    /** The events after which somebody who knew nothing would know what is so now. */
    private static List<ClusterEvent> leadingTo(ClusterSnapshot present) {
        ClusterState state = present.state();
        List<ClusterEvent> events = new ArrayList<>();
        for (Member member : state.members()) {
            events.add(stationOf(member));
        }
        state.unreachable()
                .forEach(id -> state.members()
                        .find(id)
                        .ifPresent(member -> events.add(new ClusterEvent.UnreachableMember(member))));
        if (present.leader().isPresent()) {
            events.add(
                    new ClusterEvent.LeaderChanged(Optional.of(present.leader().get())));
        }
        Leader.ofRoles(state, present.self())
                .forEach((role, id) -> events.add(new ClusterEvent.RoleLeaderChanged(role, Optional.of(id))));
        for (PartitionEntry row : present.partitions().entries().values()) {
            if (!row.isDeleted()) {
                events.add(new ClusterEvent.PartitionChanged(row));
            }
        }
        return events;
    }

    private static ClusterEvent stationOf(Member member) {
        return switch (member.status()) {
            case JOINING -> new ClusterEvent.MemberJoined(member);
            case WEAKLY_UP -> new ClusterEvent.MemberWeaklyUp(member);
            case UP -> new ClusterEvent.MemberUp(member);
            case PREPARING_FOR_SHUTDOWN -> new ClusterEvent.MemberPreparingForShutdown(member);
            case READY_FOR_SHUTDOWN -> new ClusterEvent.MemberReadyForShutdown(member);
            case LEAVING -> new ClusterEvent.MemberLeft(member);
            case EXITING -> new ClusterEvent.MemberExited(member);
            case DOWN, REMOVED -> new ClusterEvent.MemberDowned(member);
        };
    }
}
