package dev.muster.core.gossip;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.SeenSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * Whom to gossip with: anybody at random, but with a bias towards those that may not have the present version.
 *
 * <p>In a large cluster, above {@code gossip-partners-above} members, most of what is said is said to a few partners:
 * with peers drawn from everybody, every word would need a connection of its own.
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

    /** How often a round in a large cluster is with a partner; the others keep it in one piece whatever the ring is. */
    private static final double PARTNER_PROBABILITY = 0.9;

    private final NodeId self;
    private final GossipSettings settings;
    private final RandomGenerator random;
    private final Partners partners;
    private final Set<NodeId> told = new TreeSet<>();

    public GossipTargets(NodeId self, GossipSettings settings, RandomGenerator random) {
        this.self = self;
        this.settings = settings;
        this.random = random;
        this.partners = new Partners(self);
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
        if (isLarge(state) && random.nextDouble() < PARTNER_PROBABILITY) {
            Optional<NodeId> partner = choosePartner(state, false);
            if (partner.isPresent()) {
                return partner;
            }
        }
        return choose(state, state.reachability().rowOf(self), false);
    }

    /** Somebody who, as far as is known, has not seen the present version; a partner if one has not. */
    public Optional<NodeId> chooseUnseen(ClusterState state) {
        Optional<NodeId> partner = isLarge(state) ? choosePartner(state, true) : Optional.empty();
        return partner.isPresent()
                ? partner
                : choose(state, state.reachability().rowOf(self), true);
    }

    /**
     * Somebody to pass news on to at once. Where the cluster is large that is a partner, even if all partners have seen
     * the version: what may be new to them is who else has.
     */
    Optional<NodeId> chooseToForward(ClusterState state) {
        if (!isLarge(state)) {
            return chooseUnseen(state);
        }
        Optional<NodeId> unseen = choosePartner(state, true);
        return unseen.isPresent() ? unseen : choosePartner(state, false);
    }

    /** Is not chosen again before all are forgotten: they have just been told, only nobody knows yet. */
    void hasBeenTold(NodeId peer) {
        told.add(peer);
    }

    void forgetTold() {
        told.clear();
    }

    private boolean isLarge(ClusterState state) {
        return state.members().size() > settings.partnersAbove();
    }

    private Optional<NodeId> choosePartner(ClusterState state, boolean onlyUnseen) {
        Members members = state.members();
        Optional<ReachabilityRow> ownRow = state.reachability().rowOf(self);
        Pick pick = new Pick();
        for (int ordinal : partners.among(members)) {
            // One that is dead would never have seen anything, and so be preferred for ever.
            if (isAlive(state, members.get(ordinal))
                    && isCandidate(members, ordinal, state.seen(), ownRow, onlyUnseen)) {
                pick.offer(ordinal);
            }
        }
        return pick.from(members);
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

    private static boolean isAlive(ClusterState state, Member member) {
        return member.status() != MemberStatus.DOWN && state.isReachable(member.id());
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
        Pick pick = new Pick();
        for (int ordinal = 0; ordinal < members.size(); ordinal++) {
            if (isCandidate(members, ordinal, seen, ownRow, onlyUnseen)) {
                pick.offer(ordinal);
            }
        }
        return pick.from(members);
    }

    /** One of those that were offered, each as likely as the others. */
    private final class Pick {
        private int chosen = -1;
        private int candidates;

        void offer(int ordinal) {
            candidates++;
            if (random.nextInt(candidates) == 0) {
                chosen = ordinal;
            }
        }

        Optional<NodeId> from(Members members) {
            return chosen < 0
                    ? Optional.empty()
                    : Optional.of(members.get(chosen).id());
        }
    }

    /** Whether who is waiting for an answer is still a member, and not one whom this node holds unreachable by now. */
    boolean mayBeTold(ClusterState state, NodeId peer) {
        Optional<ReachabilityRow> ownRow = state.reachability().rowOf(self);
        return state.members().has(peer) && isReachableFor(ownRow, peer);
    }

    private static boolean isReachableFor(Optional<ReachabilityRow> ownRow, NodeId peer) {
        return ownRow.isEmpty() || ownRow.get().statusOf(peer) == ReachabilityStatus.REACHABLE;
    }

    /** Never oneself, never somebody whom this node itself holds unreachable. */
    private boolean isCandidate(
            Members members, int ordinal, SeenSet seen, Optional<ReachabilityRow> ownRow, boolean onlyUnseen) {
        if (onlyUnseen && seen.contains(ordinal)) {
            return false;
        }
        Member member = members.get(ordinal);
        return !member.id().equals(self) && !told.contains(member.id()) && isReachableFor(ownRow, member.id());
    }
}
