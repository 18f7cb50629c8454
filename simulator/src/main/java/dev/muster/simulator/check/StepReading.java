package dev.muster.simulator.check;

import dev.muster.core.exchange.GossipMessage.GossipState;
import dev.muster.core.exchange.Input.MessageReceived;
import dev.muster.core.exchange.JoinMessage.Welcome;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.StateMerge;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells apart what a node learned in a step from what it decided in it.
 *
 * <p>A step may take in a received state and add changes of the node's own. Whatever the join of the two states already
 * explains was learned. The rest the node made up, and has to answer for.
 */
final class StepReading {
    private final Step step;
    private final NodeId self;
    private final ClusterState received;
    private ClusterState base;
    private List<MemberChange> changes;
    private List<MemberChange> ownChanges;

    StepReading(Step step) {
        this.step = step;
        this.self = step.node().id();
        this.received = receivedStateOf(step);
    }

    /** What is meant for another incarnation teaches nothing; {@link RefusedGossipChangesNothing} looks to that. */
    private static ClusterState receivedStateOf(Step step) {
        NodeId self = step.node().id();
        if (step.input() instanceof MessageReceived input) {
            if (input.message() instanceof GossipState gossip) {
                return gossip.to().equals(self) ? gossip.state() : null;
            }
            if (input.message() instanceof Welcome welcome) {
                return welcome.to().equals(self) ? welcome.state() : null;
            }
        }
        return null;
    }

    /** The state that came with the input, or null. */
    ClusterState received() {
        return received;
    }

    /** What the node would hold by learning alone, seen set aside. */
    ClusterState base() {
        if (base == null) {
            base = computeBase();
        }
        return base;
    }

    private ClusterState computeBase() {
        ClusterState after = step.after();
        if (received == null || after == step.before() || isVersion(step.before())) {
            return step.before();
        }
        if (isVersion(received)) {
            return received;
        }
        if (!received.members().has(self) || !wasTakenIn()) {
            return step.before();
        }
        return step.before().members().has(self) ? StateMerge.join(step.before(), received) : received;
    }

    /** A refused state leaves no trace: some entry of its clock is missing although its node was not removed. */
    private boolean wasTakenIn() {
        ClusterState after = step.after();
        for (Member member : received.members()) {
            String key = member.id().clockKey();
            if (received.version().counterOf(key) > after.version().counterOf(key)
                    && !after.tombstones().has(member.id())) {
                return false;
            }
        }
        return true;
    }

    private boolean isVersion(ClusterState other) {
        ClusterState after = step.after();
        return after.version() == other.version() || after.version().equals(other.version());
    }

    /** All differences between the member rows before and after the step. */
    List<MemberChange> changes() {
        if (changes == null) {
            changes = MemberDifference.between(
                    step.before().members(), step.after().members());
        }
        return changes;
    }

    /** The differences that nothing received explains. */
    List<MemberChange> ownChanges() {
        if (ownChanges == null) {
            ownChanges = MemberDifference.between(base().members(), step.after().members());
        }
        return ownChanges;
    }

    boolean hasLeaderAction() {
        for (MemberChange change : ownChanges()) {
            if (change.isLeaderAction()) {
                return true;
            }
        }
        return false;
    }

    /** By how much the node's own clock entry is ahead of all that it knew before: how many changes it made. */
    long ownIncrements() {
        String key = self.clockKey();
        long known = step.before().version().counterOf(key);
        if (received != null && wasTakenIn()) {
            known = Math.max(known, received.version().counterOf(key));
        }
        return step.after().version().counterOf(key) - known;
    }

    /** Subjects that the node itself began to hold unreachable in this step. */
    List<NodeId> newAccusations() {
        return wordsGained(step.before(), step.after());
    }

    /** Subjects that the node itself held unreachable and now calls reachable again; not those that are gone. */
    List<NodeId> withdrawals() {
        List<NodeId> lost = wordsGained(step.after(), step.before());
        lost.removeIf(subject ->
                !step.after().members().has(subject) || !step.after().members().has(self));
        return lost;
    }

    private List<NodeId> wordsGained(ClusterState earlier, ClusterState later) {
        List<NodeId> gained = new ArrayList<>(0);
        if (earlier.reachability() == later.reachability()) {
            return gained;
        }
        for (ReachabilityRow.Observation record :
                later.reachability().rowOf(self).map(ReachabilityRow::records).orElse(List.of())) {
            if (record.status() == ReachabilityStatus.UNREACHABLE
                    && earlier.reachability().statusOf(self, record.subject()) == ReachabilityStatus.REACHABLE) {
                gained.add(record.subject());
            }
        }
        return gained;
    }
}
