package dev.muster.core.membership;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.exchange.Island;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.exchange.JoinMessage.Join;
import dev.muster.core.exchange.Refusal;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The member's side of joining: let a node in, refuse it with a reason, or first make room where an older incarnation
 * of it still stands.
 *
 * <p>An older incarnation is declared down only after its address was dialled and the new one proved to live there;
 * otherwise anybody could have members removed by claiming their address. Specification: "Membership Lifecycle".
 */
public final class JoinAcceptance {
    private static final int MOST_WAITING = 1_000;
    private static final long ASK_AGAIN_NANOS = 900_000_000L;
    private static final long FORGET_NANOS = 4_000_000_000L;

    /** The outcome of a request: the next state, and why it was refused if it was. */
    public record Answer(ClusterState state, Optional<Refusal> refusal, String detail) {
        static Answer accepted(ClusterState state) {
            return new Answer(state, Optional.empty(), "");
        }

        static Answer refused(ClusterState state, Refusal refusal, String detail) {
            return new Answer(state, Optional.of(refusal), detail);
        }
    }

    private record Waiting(Join join, long askedAtNanos) {}

    private final NodeId self;
    private final JoinSettings settings;
    private final JoinConfiguration configuration;
    private final TreeMap<NodeId, Waiting> waitingForRoom = new TreeMap<>();

    public JoinAcceptance(NodeId self, JoinSettings settings, JoinConfiguration configuration) {
        this.self = self;
        this.settings = settings;
        this.configuration = configuration;
    }

    /**
     * Somebody asks whether this node is a member. One that is on its way out says nothing: "no" could make a first
     * seed form a second cluster, and "yes" would send a joiner to somebody who is gone tomorrow.
     */
    public void onSeedContact(ClusterState state, NodeId from, JoinMessage.SeedContact contact, Effects effects) {
        MemberStatus own = state.members().statusOf(self);
        if (own == MemberStatus.REMOVED) {
            effects.send(from.address(), new JoinMessage.SeedIsNoMember());
        } else if (!own.isOnItsWayOut()) {
            List<String> reasons = configuration.differencesTo(contact.configuration());
            if (!reasons.isEmpty() && !contact.fromMember()) {
                effects.publish(new ClusterEvent.JoinRefused(from.address(), reasons));
            }
            Island island = contact.fromMember() ? Island.of(state) : Island.UNKNOWN;
            effects.send(from.address(), new JoinMessage.SeedWelcomes(reasons, island));
        }
    }

    public Answer onJoin(ClusterState state, NodeId from, Join join, long nowNanos, Effects effects) {
        MemberStatus own = state.members().statusOf(self);
        if (!own.isNotYetUp() && own != MemberStatus.UP) {
            return Answer.refused(state, Refusal.NOT_ABLE, "this node is " + own.displayName());
        }
        if (!from.address().sameSystemAs(self.address())) {
            return Answer.refused(
                    state, Refusal.OTHER_SYSTEM, from.address() + " cannot join " + self.address() + ": other system");
        }
        Optional<Answer> refusal = refuseWithReason(state, from, join, effects);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        MemberStatus known = state.members().statusOf(from);
        if (known == MemberStatus.DOWN) {
            return Answer.refused(state, Refusal.UID_NOT_ACCEPTED, from + " is down; it must restart");
        }
        if (known != MemberStatus.REMOVED) {
            effects.send(from.address(), new JoinMessage.Welcome(from, state)); // the first welcome may have been lost
            return Answer.accepted(state);
        }
        if (!state.members().at(from.address()).isEmpty()) {
            return Answer.accepted(waitForRoom(state, from, join, nowNanos, effects));
        }
        return Answer.accepted(letIn(state, from, join, effects));
    }

    private Optional<Answer> refuseWithReason(ClusterState state, NodeId from, Join join, Effects effects) {
        long dataCenters = join.roles().stream()
                .filter(role -> role.startsWith(Member.DATA_CENTER_PREFIX))
                .distinct()
                .count();
        if (dataCenters > 1) {
            String reason =
                    "a node is in one data center, but the roles of the joining node name several: " + join.roles();
            return Optional.of(refuse(state, from, Refusal.OTHER_DATA_CENTER, List.of(reason), effects));
        }
        String dataCenter = state.members().find(self).map(Member::dataCenter).orElse("");
        String theirs = Member.joining(from, join.roles(), join.appVersion()).dataCenter();
        if (!theirs.equals(dataCenter)) {
            String reason = "the cluster is in data center '" + dataCenter + "', the joining node in '" + theirs
                    + "'; one cluster spans one data center";
            return Optional.of(refuse(state, from, Refusal.OTHER_DATA_CENTER, List.of(reason), effects));
        }
        List<String> differences = configuration.differencesTo(join.configuration());
        if (!differences.isEmpty()) {
            return Optional.of(refuse(state, from, Refusal.INCOMPATIBLE, differences, effects));
        }
        if (state.tombstones().has(from)) {
            // The state itself is the answer: it shows the joiner its own tombstone.
            effects.send(from.address(), new GossipMessage.GossipState(from, state));
            String reason = from + " was removed from this cluster; restart it so that it gets a new uid";
            effects.publish(new ClusterEvent.JoinRefused(from.address(), List.of(reason)));
            return Optional.of(Answer.refused(state, Refusal.UID_NOT_ACCEPTED, reason));
        }
        for (Member member : state.members()) {
            if (member.id().uid() == from.uid() && !member.id().address().equals(from.address())) {
                String reason = "uid " + from.uid() + " is in use by "
                        + member.id().address() + "; restart " + from.address() + " so that it gets a new one";
                return Optional.of(refuse(state, from, Refusal.UID_NOT_ACCEPTED, List.of(reason), effects));
            }
        }
        return Optional.empty();
    }

    private static Answer refuse(
            ClusterState state, NodeId from, Refusal refusal, List<String> reasons, Effects effects) {
        effects.publish(new ClusterEvent.JoinRefused(from.address(), reasons));
        effects.send(from.address(), new JoinMessage.SeedWelcomes(reasons));
        return Answer.refused(state, refusal, String.join("; ", reasons));
    }

    private ClusterState letIn(ClusterState state, NodeId from, Join join, Effects effects) {
        waitingForRoom.remove(from);
        ClusterState next = state.withMember(self, Member.joining(from, join.roles(), join.appVersion()));
        effects.send(from.address(), new JoinMessage.Welcome(from, next));
        return next;
    }

    private ClusterState waitForRoom(ClusterState state, NodeId from, Join join, long nowNanos, Effects effects) {
        Waiting waiting = waitingForRoom.get(from);
        boolean askAgain = waiting == null || nowNanos - waiting.askedAtNanos() >= ASK_AGAIN_NANOS;
        boolean needsProof =
                state.members().at(from.address()).stream().anyMatch(old -> old.status() != MemberStatus.DOWN);
        if (waiting == null && waitingForRoom.size() >= MOST_WAITING) {
            return state;
        }
        if (askAgain) {
            waitingForRoom.put(from, new Waiting(join, nowNanos));
            if (needsProof) {
                effects.add(new Effect.ProveIncarnation(from));
            }
        }
        return state;
    }

    /** The new incarnation does live at its address: the old ones there are gone for good. */
    public ClusterState onIncarnationProved(ClusterState state, NodeId proved) {
        return waitingForRoom.containsKey(proved) ? withOthersDown(state, self, proved) : state;
    }

    /** Every other incarnation at the address of {@code current} is terminated and down, as one change. */
    public static ClusterState withOthersDown(ClusterState state, NodeId author, NodeId current) {
        var members = state.members();
        var reachability = state.reachability();
        for (Member old : state.members().at(current.address())) {
            if (!old.id().equals(current) && old.status() != MemberStatus.DOWN) {
                members = members.with(old.withStatus(MemberStatus.DOWN));
                reachability = reachability.marked(author, old.id(), ReachabilityStatus.TERMINATED);
            }
        }
        return members == state.members() ? state : state.changed(author, members, reachability);
    }

    /**
     * Lets in those whose old incarnation has been removed, without waiting for them to ask again. Who has not asked
     * for a while may have given up and gone elsewhere.
     */
    public ClusterState letInThoseWithRoom(ClusterState state, long nowNanos, Effects effects) {
        if (waitingForRoom.isEmpty()) {
            return state;
        }
        waitingForRoom.values().removeIf(waiting -> nowNanos - waiting.askedAtNanos() > FORGET_NANOS);
        MemberStatus own = state.members().statusOf(self);
        ClusterState next = state;
        for (Map.Entry<NodeId, Waiting> entry : new TreeMap<>(waitingForRoom).entrySet()) {
            NodeId joiner = entry.getKey();
            if (next.members().has(joiner)
                    || next.tombstones().has(joiner)
                    || !own.isNotYetUp() && own != MemberStatus.UP) {
                waitingForRoom.remove(joiner);
            } else if (next.members().at(joiner.address()).isEmpty()) {
                next = letIn(next, joiner, entry.getValue().join(), effects);
            }
        }
        return next;
    }

    /** The joiners whose old incarnation still stands in their way. */
    public List<NodeId> waitingForRoom() {
        return List.copyOf(waitingForRoom.keySet());
    }

    /** The data center and roles this node itself has. */
    public Member asFirstMember() {
        return Member.joining(self, settings.roles(), settings.appVersion());
    }
}
