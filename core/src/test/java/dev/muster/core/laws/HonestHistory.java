package dev.muster.core.laws;

import dev.muster.core.Nodes;
import dev.muster.core.gossip.GossipChecks;
import dev.muster.core.membership.Convergence;
import dev.muster.core.membership.Leader;
import dev.muster.core.membership.LeaderDuties;
import dev.muster.core.membership.LifecycleSettings;
import dev.muster.core.membership.TombstoneKeeper;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.StateMerge;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A few nodes that do random but legal things to their states: let each other in, lead, leave, accuse, declare down,
 * forget old tombstones, and merge what the others hold. No time, no messages, no failure detector: only who changes
 * what.
 *
 * <p>Random states would break the laws of the merge, and rightly so: they hold for states that nodes which keep the
 * rules can come to hold.
 */
final class HonestHistory {
    private static final int MOST_PROCESSES = 7;
    private static final int MOST_BIRTHS = 16;

    final TreeMap<NodeId, ClusterState> holding = new TreeMap<>();
    final List<ClusterState> all = new ArrayList<>();

    private final long seed;
    private final SplittableRandom random;
    private final TreeSet<NodeId> exitConfirmed = new TreeSet<>();
    private final boolean letsGoOfTombstones;
    private int births;

    HonestHistory(long seed, boolean letsGoOfTombstones) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.letsGoOfTombstones = letsGoOfTombstones;
        begin();
    }

    private void begin() {
        NodeId first = newborn();
        hold(first, ClusterState.EMPTY.withMember(first, joining(first)));
    }

    private NodeId newborn() {
        // Addresses are used again, by other incarnations.
        return Nodes.node("n" + random.nextInt(MOST_PROCESSES), ++births);
    }

    private static Member joining(NodeId id) {
        return Member.joining(id, List.of(), "1");
    }

    private void hold(NodeId who, ClusterState state) {
        holding.put(who, state);
        all.add(state);
        if (!state.members().has(who) || state.members().statusOf(who) == MemberStatus.DOWN) {
            holding.remove(who); // finds itself gone, and stops
        }
    }

    /** One random step. */
    void step() {
        if (holding.isEmpty()) {
            begin();
            return;
        }
        NodeId who = oneOf(List.copyOf(holding.keySet()));
        int dice = random.nextInt(100);
        if (dice < 62) {
            exchange(who);
        } else if (dice < 76) {
            lead(who);
        } else if (dice < 82) {
            letSomebodyIn(who);
        } else if (dice < 93) {
            changeAWord(who);
        } else if (dice < 96) {
            move(who, MemberStatus.LEAVING);
        } else if (dice < 98) {
            move(who, MemberStatus.DOWN);
        } else {
            confirmExit(who);
        }
    }

    private void exchange(NodeId who) {
        NodeId other = oneOf(List.copyOf(holding.keySet()));
        ClusterState mine = holding.get(who);
        ClusterState theirs = holding.get(other);
        if (!who.equals(other) && wouldTake(who, other)) {
            hold(who, StateMerge.merge(mine, theirs, who).state());
        } else if (theirs.tombstones().has(who)) {
            holding.remove(who);
        }
    }

    /** Whether the checks let the state of {@code other} through to {@code who}. */
    boolean wouldTake(NodeId who, NodeId other) {
        ClusterState mine = holding.get(who);
        return GossipChecks.refuseSender(mine, who, other, who).isEmpty()
                && GossipChecks.refuseContent(mine, who, holding.get(other)).isEmpty();
    }

    private void lead(NodeId who) {
        ClusterState state = holding.get(who);
        if (!Leader.of(state, who).equals(Optional.of(who)) || !Convergence.hasConverged(state, who, exitConfirmed)) {
            return;
        }
        ClusterState next =
                new LeaderDuties(who, LifecycleSettings.defaults()).onConvergence(state, exitConfirmed, all.size());
        if (next == state
                && letsGoOfTombstones
                && !state.tombstones().isEmpty()
                && TombstoneKeeper.everybodyHasSeen(state)) {
            next = state.withoutTombstones(who, List.of(oneOf(state.tombstones().ids())));
        }
        if (next != state) {
            hold(who, next);
        }
    }

    private void letSomebodyIn(NodeId who) {
        ClusterState state = holding.get(who);
        MemberStatus own = state.members().statusOf(who);
        NodeId joiner = newborn();
        boolean hasRoom = state.members().at(joiner.address()).isEmpty();
        if (births <= MOST_BIRTHS && holding.size() < MOST_PROCESSES && hasRoom && !own.isOnItsWayOut()) {
            ClusterState next = state.withMember(who, joining(joiner));
            hold(who, next);
            hold(joiner, next.seenBy(joiner));
        }
    }

    private void changeAWord(NodeId who) {
        ClusterState state = holding.get(who);
        NodeId subject = oneOf(state.members()).id();
        ReachabilityStatus word = random.nextInt(20) == 0
                ? ReachabilityStatus.TERMINATED
                : state.reachability().statusOf(who, subject) == ReachabilityStatus.REACHABLE && random.nextInt(3) == 0
                        ? ReachabilityStatus.UNREACHABLE
                        : ReachabilityStatus.REACHABLE;
        Reachability next = state.reachability().marked(who, subject, word);
        if (!subject.equals(who) && next != state.reachability()) {
            hold(who, state.withReachability(who, next));
        }
    }

    private void move(NodeId who, MemberStatus status) {
        ClusterState state = holding.get(who);
        Member member = oneOf(state.members());
        if (member.status() != status && member.status().mayBecome(status)) {
            hold(who, state.withMember(who, member.withStatus(status)));
        }
    }

    private void confirmExit(NodeId who) {
        if (holding.get(who).members().statusOf(who) == MemberStatus.EXITING) {
            exitConfirmed.add(who);
            holding.remove(who);
        }
    }

    private <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** Three states that nodes which still talk to each other hold now, possibly the same ones. */
    Optional<List<ClusterState>> threeOnSpeakingTerms() {
        List<Map.Entry<NodeId, ClusterState>> entries = List.copyOf(holding.entrySet());
        if (entries.isEmpty()) {
            return Optional.empty();
        }
        List<Map.Entry<NodeId, ClusterState>> three = List.of(oneOf(entries), oneOf(entries), oneOf(entries));
        for (Map.Entry<NodeId, ClusterState> one : three) {
            for (Map.Entry<NodeId, ClusterState> other : three) {
                if (!one.getKey().equals(other.getKey()) && !wouldTake(one.getKey(), other.getKey())) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(three.stream().map(Map.Entry::getValue).toList());
    }

    @Override
    public String toString() {
        return "the history of seed " + seed + (letsGoOfTombstones ? " with" : " without") + " forgetting";
    }
}
