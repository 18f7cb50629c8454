package dev.muster.core.gossip;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.SeenSet;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Whom to gossip with: anybody at random, but with a bias towards those that may not have the present version.
 *
 * <p>The bias finds the last stragglers quickly. In a large cluster it would send everybody to the same straggler at
 * once, so above {@code reduce-gossip-different-view-probability} members it shrinks, to a twentieth at three times as
 * many.
 *
 * <p>Specification: "Gossip Protocol".
 */
public final class GossipTargets {
    private static final double LOWEST_PROBABILITY = 0.05;
    private static final int BLIND_TRIES = 6;

    private final NodeId self;
    private final GossipSettings settings;
    private final RandomGenerator random;

    public GossipTargets(NodeId self, GossipSettings settings, RandomGenerator random) {
        this.self = self;
        this.settings = settings;
        this.random = random;
    }

    /** The peer of one round: biased while not converged, anybody otherwise. */
    public Optional<NodeId> choose(ClusterState state, boolean converged) {
        if (!converged
                && random.nextDouble()
                        < differentViewProbability(state.members().size())) {
            Optional<NodeId> unseen = chooseUnseen(state);
            if (unseen.isPresent()) {
                return unseen;
            }
        }
        return choose(state, state.reachability().rowOf(self), false);
    }

    /** Somebody who, as far as is known, has not seen the present version. */
    public Optional<NodeId> chooseUnseen(ClusterState state) {
        return choose(state, state.reachability().rowOf(self), true);
    }

    /** The probability of looking for a straggler in a cluster of this size. */
    public double differentViewProbability(int members) {
        double probability = settings.differentViewProbability();
        double lowest = Math.min(LOWEST_PROBABILITY, probability);
        int low = settings.reduceDifferentViewProbability();
        long high = 3L * low;
        if (members <= low) {
            return probability;
        }
        if (members >= high) {
            return lowest;
        }
        return probability - (probability - lowest) * (members - low) / (high - low);
    }

    private Optional<NodeId> choose(ClusterState state, Optional<ReachabilityRow> ownRow, boolean onlyUnseen) {
        Members members = state.members();
        SeenSet seen = state.seen();
        for (int tries = 0; tries < BLIND_TRIES && !members.isEmpty(); tries++) {
            int ordinal = random.nextInt(members.size());
            if (isCandidate(members, ordinal, seen, ownRow, onlyUnseen)) {
                return Optional.of(members.get(ordinal).id());
            }
        }
        return chooseByCounting(members, seen, ownRow, onlyUnseen);
    }

    /** When few qualify, guessing takes long: count them, then take one. */
    private Optional<NodeId> chooseByCounting(
            Members members, SeenSet seen, Optional<ReachabilityRow> ownRow, boolean onlyUnseen) {
        int chosen = -1;
        int candidates = 0;
        for (int ordinal = 0; ordinal < members.size(); ordinal++) {
            if (isCandidate(members, ordinal, seen, ownRow, onlyUnseen)) {
                candidates++;
                if (random.nextInt(candidates) == 0) {
                    chosen = ordinal;
                }
            }
        }
        return chosen < 0 ? Optional.empty() : Optional.of(members.get(chosen).id());
    }

    /** Never oneself, never somebody whom this node itself holds unreachable. */
    private boolean isCandidate(
            Members members, int ordinal, SeenSet seen, Optional<ReachabilityRow> ownRow, boolean onlyUnseen) {
        if (onlyUnseen && seen.contains(ordinal)) {
            return false;
        }
        Member member = members.get(ordinal);
        return !member.id().equals(self)
                && (ownRow.isEmpty() || ownRow.get().statusOf(member.id()) == ReachabilityStatus.REACHABLE);
    }
}
